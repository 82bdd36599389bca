//! Grants: one approval each, with the family of tokens that lives and ends with it.

use model::clock::Moment;
use model::id::{ClientId, CustomerId, GrantId};
use model::scope::ScopeSet;
use model::token::SecretHash;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::tables::Identity;

/// Why a grant has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The customer, the client or an operator revoked it.
    Revoked,
    /// A refresh token came a second time after its rotation.
    RefreshReused,
    /// An authorization code came a second time.
    CodeReused,
    /// A code came with a verifier that does not answer its challenge.
    ProofFailed,
    /// Approved, but the code was never exchanged, or every token has expired.
    Lapsed,
    /// The customer was erased.
    Erased,
}

impl Ended {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Ended::Revoked => "revoked",
            Ended::RefreshReused => "refresh_reused",
            Ended::CodeReused => "code_reused",
            Ended::ProofFailed => "proof_failed",
            Ended::Lapsed => "lapsed",
            Ended::Erased => "erased",
        }
    }

    fn read(text: &str) -> Result<Self, StoreError> {
        [Self::Revoked, Self::RefreshReused, Self::CodeReused, Self::ProofFailed, Self::Lapsed, Self::Erased]
            .into_iter()
            .find(|ended| ended.as_str() == text)
            .ok_or(StoreError::Inconsistent("why a grant has ended"))
    }
}

/// Whether a grant still permits anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantState {
    /// Its tokens work.
    Live,
    /// None of its tokens works, nor will any.
    Ended {
        /// When.
        at: Moment,
        /// Why.
        because: Ended,
    },
}

/// A grant, as its customer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGrant {
    /// Its name.
    pub id: GrantId,
    /// The OAuth client, or none for a token made by hand.
    pub client: Option<ClientId>,
    /// The client's name at approval, or the token's.
    pub name: String,
    /// What was approved.
    pub scopes: ScopeSet,
    /// When.
    pub created_at: Moment,
    /// About when it was last used.
    pub used_at: Option<Moment>,
    /// When the last of its tokens expires; none before the code was exchanged.
    pub expires_at: Option<Moment>,
    /// Whether it still permits anything.
    pub state: GrantState,
}

/// A new approval.
#[derive(Clone, Debug)]
pub struct NewGrant {
    /// Its name.
    pub id: GrantId,
    /// Whose.
    pub customer: CustomerId,
    /// Who is let in; none for a token made by hand.
    pub client: Option<ClientId>,
    /// What the customer will know it by.
    pub name: String,
    /// What is permitted.
    pub scopes: ScopeSet,
    /// The audience of its tokens.
    pub resource: String,
}

/// The code that an approval hands out.
#[derive(Clone, Debug)]
pub struct NewCode {
    /// Of the code.
    pub hash: SecretHash,
    /// Where it is sent.
    pub redirect_uri: String,
    /// Whether the authorization request named that address.
    pub redirect_given: bool,
    /// What the verifier has to answer.
    pub challenge: String,
    /// Its last moment.
    pub expires_at: Moment,
}

impl Identity {
    /// The grants of a customer, newest first: live ones, and those that ended after `since`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn grants(&self, customer: &CustomerId, since: Moment) -> Result<Vec<StoredGrant>, StoreError> {
        let sql = "SELECT grant_id, client, name, scopes, created_at, used_at, ended_at, ended_because, \
                   (SELECT MAX(token.expires_at) FROM token WHERE token.grant_id = access_grant.grant_id \
                    AND token.rotated_at IS NULL AND token.revoked_at IS NULL) AS expires_at \
                   FROM access_grant WHERE customer = $1 AND (ended_at IS NULL OR ended_at > $2) \
                   ORDER BY created_at DESC, grant_id LIMIT 500";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(since.0);
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
    }

    /// Ends a grant of this customer, and with it every token of its family. False: no such live grant.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn end_grant(
        &self,
        customer: CustomerId,
        grant: GrantId,
        because: Ended,
        now: Moment,
    ) -> Result<bool, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT grant_id FROM access_grant WHERE customer = $1 AND grant_id = $2";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(grant.as_str());
                    if query.fetch_optional(tx.connection()).await?.is_none() {
                        return Ok(false);
                    }
                    end(tx.connection(), &grant, because, now).await
                })
            })
            .await
    }

    /// Notes that a grant is in use. Called about once an hour, not at each request.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn touch_grant(&self, grant: GrantId, now: Moment) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let query = sqlx::query::<Any>("UPDATE access_grant SET used_at = $2 WHERE grant_id = $1");
                    query.bind(grant.as_str()).bind(now.0).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Adds a grant.
pub(crate) async fn insert(connection: &mut AnyConnection, grant: &NewGrant, now: Moment) -> Result<(), StoreError> {
    let sql = "INSERT INTO access_grant (customer, grant_id, client, name, scopes, resource, created_at) \
               VALUES ($1, $2, $3, $4, $5, $6, $7)";
    sqlx::query::<Any>(sql)
        .bind(grant.customer.as_str())
        .bind(grant.id.as_str())
        .bind(grant.client.as_ref().map(ClientId::as_str))
        .bind(grant.name.as_str())
        .bind(grant.scopes.to_string())
        .bind(grant.resource.as_str())
        .bind(now.0)
        .execute(&mut *connection)
        .await?;
    if let Some(client) = &grant.client {
        let query = sqlx::query::<Any>("UPDATE client SET used_at = $2 WHERE client = $1");
        query.bind(client.as_str()).bind(now.0).execute(connection).await?;
    }
    Ok(())
}

/// Adds the code of a grant that is inserted in the same transaction.
pub(crate) async fn insert_code(
    connection: &mut AnyConnection,
    grant: &NewGrant,
    client: &ClientId,
    code: &NewCode,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO code (hash, grant_id, client, redirect_uri, redirect_given, challenge, resource, expires_at) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query::<Any>(sql)
        .bind(code.hash.as_str())
        .bind(grant.id.as_str())
        .bind(client.as_str())
        .bind(code.redirect_uri.as_str())
        .bind(i64::from(code.redirect_given))
        .bind(code.challenge.as_str())
        .bind(grant.resource.as_str())
        .bind(code.expires_at.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends a grant; true when it was live. Its tokens need no change: each is looked up together with its grant.
pub(crate) async fn end(
    connection: &mut AnyConnection,
    grant: &GrantId,
    because: Ended,
    now: Moment,
) -> Result<bool, StoreError> {
    let sql = "UPDATE access_grant SET ended_at = $2, ended_because = $3 WHERE grant_id = $1 AND ended_at IS NULL";
    let query = sqlx::query::<Any>(sql).bind(grant.as_str()).bind(now.0).bind(because.as_str());
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

/// The column `scopes`.
pub(crate) fn scopes(row: &AnyRow) -> Result<ScopeSet, StoreError> {
    let text: String = row.try_get("scopes")?;
    text.parse().map_err(|_| StoreError::Inconsistent("the scopes of a grant"))
}

/// The columns `ended_at` and `ended_because`.
pub(crate) fn state(row: &AnyRow) -> Result<GrantState, StoreError> {
    let at: Option<i64> = row.try_get("ended_at")?;
    let because: Option<String> = row.try_get("ended_because")?;
    match (at, because) {
        (None, None) => Ok(GrantState::Live),
        (Some(at), Some(because)) => Ok(GrantState::Ended { at: Moment(at), because: Ended::read(&because)? }),
        (Some(_), None) | (None, Some(_)) => Err(StoreError::Inconsistent("a grant has half ended")),
    }
}

fn read(row: &AnyRow) -> Result<StoredGrant, StoreError> {
    Ok(StoredGrant {
        id: GrantId::from(row.try_get::<String, _>("grant_id")?),
        client: row.try_get::<Option<String>, _>("client")?.map(ClientId::from),
        name: row.try_get("name")?,
        scopes: scopes(row)?,
        created_at: Moment(row.try_get("created_at")?),
        used_at: row.try_get::<Option<i64>, _>("used_at")?.map(Moment),
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(Moment),
        state: state(row)?,
    })
}
