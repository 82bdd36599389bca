//! OAuth clients: public ones, registered by themselves.

use model::canonical;
use model::clock::Moment;
use model::id::ClientId;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Identity;

/// What a client has registered (RFC 7591 2), as it is echoed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientMetadata {
    /// As the client calls itself; anybody may claim any name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// Where answers may go.
    pub redirect_uris: Vec<String>,
    /// `native` or `web`, if said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application_type: Option<String>,
    /// `authorization_code`, and `refresh_token` if it wants one.
    pub grant_types: Vec<String>,
    /// `code`.
    pub response_types: Vec<String>,
    /// `none`.
    pub token_endpoint_auth_method: String,
    /// What it means to ask for; a wish, not a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// A registered client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// `client_id`.
    pub id: ClientId,
    /// What it has registered.
    pub metadata: ClientMetadata,
    /// `client_id_issued_at`.
    pub created_at: Moment,
}

/// How long a client without a live grant is kept: a day.
const UNUSED: i64 = 24 * 60 * 60 * 1000;

impl Identity {
    /// Registers a client under this id, or finds the one with the same metadata.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn register_client(
        &self,
        id: ClientId,
        metadata: ClientMetadata,
        now: Moment,
    ) -> Result<Client, StoreError> {
        let fingerprint = canonical::digest(&metadata);
        let text = serde_json::to_string(&metadata).map_err(|_| StoreError::Inconsistent("client metadata"))?;
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO client (client, fingerprint, metadata, created_at, used_at) \
                           VALUES ($1, $2, $3, $4, $4) \
                           ON CONFLICT (fingerprint) DO UPDATE SET used_at = excluded.used_at \
                           RETURNING client, metadata, created_at";
                    let query = sqlx::query::<Any>(sql).bind(id.as_str()).bind(fingerprint).bind(text).bind(now.0);
                    read(&query.fetch_one(tx.connection()).await?)
                })
            })
            .await
    }

    /// The client that has registered the same before; it counts as used now.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn client_like(&self, metadata: &ClientMetadata, now: Moment) -> Result<Option<Client>, StoreError> {
        let fingerprint = canonical::digest(metadata);
        let sql = "SELECT client, metadata, created_at FROM client WHERE fingerprint = $1";
        let query = sqlx::query::<Any>(sql).bind(fingerprint);
        let Some(client) = self.database.reader().fetch_optional(query).await?.as_ref().map(read).transpose()? else {
            return Ok(None);
        };
        let id = client.id.clone();
        let found = self.database.write(move |tx| {
            Box::pin(async move {
                let query = sqlx::query::<Any>("UPDATE client SET used_at = $2 WHERE client = $1");
                let update = query.bind(id.as_str()).bind(now.0).execute(tx.connection());
                Ok::<_, StoreError>(update.await?.rows_affected() == 1)
            })
        });
        // It may have been removed meanwhile; then it has to be registered like any other.
        Ok(found.await?.then_some(client))
    }

    /// One client.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn client(&self, id: &ClientId) -> Result<Option<Client>, StoreError> {
        let sql = "SELECT client, metadata, created_at FROM client WHERE client = $1";
        let query = sqlx::query::<Any>(sql).bind(id.as_str());
        self.database.reader().fetch_optional(query).await?.as_ref().map(read).transpose()
    }

    /// Removes clients that nobody has used for a day and that have no live grant.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn reap_clients(&self, now: Moment) -> Result<u64, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM client WHERE used_at < $1 AND NOT EXISTS \
                           (SELECT 1 FROM access_grant WHERE access_grant.client = client.client \
                            AND access_grant.ended_at IS NULL)";
                    let query = sqlx::query::<Any>(sql).bind(now.0 - UNUSED);
                    Ok(query.execute(tx.connection()).await?.rows_affected())
                })
            })
            .await
    }
}

fn read(row: &AnyRow) -> Result<Client, StoreError> {
    let metadata: String = row.try_get("metadata")?;
    Ok(Client {
        id: ClientId::from(row.try_get::<String, _>("client")?),
        metadata: serde_json::from_str(&metadata).map_err(|_| StoreError::Inconsistent("client metadata"))?,
        created_at: Moment(row.try_get("created_at")?),
    })
}
