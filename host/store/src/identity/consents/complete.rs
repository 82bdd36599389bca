//! What a consent becomes: a new connection, or a new credential for one whose own has expired.

use model::clock::Moment;
use model::id::{ConnectionId, ConsentId, CustomerId};
use sqlx::{Any, AnyConnection, Row as _};

use super::MOST;
use crate::StoreError;
use crate::connections::Sealed;
use crate::tables::Identity;

/// A connection as it comes of a consent.
#[derive(Clone, Debug)]
pub struct Completion {
    /// Whose.
    pub customer: CustomerId,
    /// Of which consent.
    pub consent: ConsentId,
    /// Which connection.
    pub connection: ConnectionId,
    /// Of `catalog/connections.toml`.
    pub kind: String,
    /// What it is called.
    pub name: String,
    /// What replaces the provider's address.
    pub endpoint: Option<String>,
    /// The version of the present credential, for one that is renewed; 0 for a new connection.
    pub secret: u64,
    /// The tokens, sealed for the version after.
    pub sealed: Sealed,
}

/// What came of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The connection stands.
    Done,
    /// The customer has as many connections as there can be.
    Full,
    /// The consent has ended otherwise, or the connection that was to be renewed is another one by now.
    Gone,
}

impl Identity {
    /// Adds or renews the connection and ends the consent, both or neither.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing is different.
    pub async fn complete_consent(&self, completion: Completion, now: Moment) -> Result<Completed, StoreError> {
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let dialect = tx.dialect;
                    let connection = tx.connection();
                    dialect.lock(connection, std::slice::from_ref(&completion.customer)).await?;
                    let written = match completion.secret {
                        0 if is_full(connection, &completion.customer).await? => return Ok(Completed::Full),
                        0 => completion.add(connection, now).await?,
                        _ => completion.renew(connection, now).await?,
                    };
                    if !(written && is_answered(connection, &completion).await?) {
                        // What was written so far goes with the error.
                        return Err(Undone::Gone);
                    }
                    let sql = "UPDATE consent SET state = 'completed', connection = $3, kek = NULL, wrapped = NULL, \
                           sealed = NULL WHERE customer = $1 AND consent = $2";
                    let query = sqlx::query::<Any>(sql).bind(completion.customer.as_str());
                    let query = query.bind(completion.consent.as_str()).bind(completion.connection.as_str());
                    query.execute(connection).await?;
                    Ok(Completed::Done)
                })
            })
            .await
            .or_else(|undone| match undone {
                Undone::Gone => Ok(Completed::Gone),
                Undone::Store(error) => Err(error),
            })
    }
}

/// Why nothing was written.
enum Undone {
    Gone,
    Store(StoreError),
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Undone::Store(error)
    }
}

impl From<sqlx::Error> for Undone {
    fn from(error: sqlx::Error) -> Self {
        Undone::Store(error.into())
    }
}

async fn is_full(connection: &mut AnyConnection, customer: &CustomerId) -> Result<bool, StoreError> {
    let sql = "SELECT CAST(COUNT(*) AS BIGINT) FROM connection WHERE customer = $1";
    let row = sqlx::query::<Any>(sql).bind(customer.as_str()).fetch_one(connection).await?;
    Ok(row.try_get::<i64, _>(0)?.unsigned_abs() >= MOST as u64)
}

/// Whether its consent still waits for what the provider's answer is exchanged for.
async fn is_answered(connection: &mut AnyConnection, it: &Completion) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM consent WHERE customer = $1 AND consent = $2 AND state = 'answered'";
    let query = sqlx::query::<Any>(sql).bind(it.customer.as_str()).bind(it.consent.as_str());
    Ok(query.fetch_optional(connection).await?.is_some())
}

impl Completion {
    async fn add(&self, connection: &mut AnyConnection, now: Moment) -> Result<bool, StoreError> {
        let sql = "INSERT INTO connection (customer, connection, version, kind, name, endpoint, state, settings, secret, \
                   created_at, changed_at) VALUES ($1, $2, 1, $3, $4, $5, 'untested', '{}', 1, $6, $6)";
        let insert = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.connection.as_str());
        let insert = insert.bind(self.kind.as_str()).bind(self.name.as_str()).bind(self.endpoint.as_deref());
        insert.bind(now.0).execute(&mut *connection).await?;
        let sql = "INSERT INTO connection_secret (customer, connection, version, kek, wrapped, sealed) \
                   VALUES ($1, $2, 1, $3, $4, $5)";
        let insert = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.connection.as_str());
        let Sealed { kek, wrapped, sealed } = self.sealed.clone();
        Ok(insert.bind(kek).bind(wrapped).bind(sealed).execute(connection).await?.rows_affected() == 1)
    }

    async fn renew(&self, connection: &mut AnyConnection, now: Moment) -> Result<bool, StoreError> {
        let before = i64::try_from(self.secret).unwrap_or(i64::MAX);
        let sql = "UPDATE connection SET version = version + 1, secret = secret + 1, state = 'untested', endpoint = $4, \
                   changed_at = $5 WHERE customer = $1 AND connection = $2 AND secret = $3 AND kind = $6";
        let update = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.connection.as_str()).bind(before);
        let update = update.bind(self.endpoint.as_deref()).bind(now.0).bind(self.kind.as_str());
        let is_there = update.execute(&mut *connection).await?.rows_affected() == 1;
        let sql = "UPDATE connection_secret SET version = version + 1, kek = $4, wrapped = $5, sealed = $6 \
                   WHERE customer = $1 AND connection = $2 AND version = $3";
        let update = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.connection.as_str()).bind(before);
        let Sealed { kek, wrapped, sealed } = self.sealed.clone();
        let update = update.bind(kek).bind(wrapped).bind(sealed);
        Ok(is_there && update.execute(connection).await?.rows_affected() == 1)
    }
}
