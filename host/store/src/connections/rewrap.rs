//! After a rotation: secrets' keys are wrapped anew with the newest key of the ring, while everything goes on.

use model::id::{ConnectionId, CustomerId};
use model::keys::KeyRing;
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use super::{Place, SealError, Sealed};
use crate::StoreError;
use crate::tables::Connections;

/// Secrets that are read in one go.
const MANY: i64 = 100;

/// What wrapping anew came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewrapped {
    /// Wrapped with the newest key now.
    pub done: u64,
    /// Wrapped with a key that is not in the ring: such connections do not work until it is there again.
    pub without_key: u64,
    /// Changed by somebody: such connections need their secret again.
    pub broken: u64,
}

struct Found {
    customer: CustomerId,
    connection: ConnectionId,
    kind: String,
    version: u64,
    sealed: Sealed,
}

impl Connections {
    /// Wraps what an older key wraps with the newest one. A secret that is replaced or refreshed meanwhile stays as it
    /// is then.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn rewrap_secrets(&self, ring: &KeyRing) -> Result<Rewrapped, StoreError> {
        let mut rewrapped = Rewrapped::default();
        let (mut customer, mut connection) = (String::new(), String::new());
        loop {
            let sql = "SELECT s.customer, s.connection, c.kind, s.version, s.kek, s.wrapped, s.sealed \
                       FROM connection_secret s JOIN connection c ON c.customer = s.customer AND c.connection = s.connection \
                       WHERE s.kek <> $1 AND (s.customer, s.connection) > ($2, $3) \
                       ORDER BY s.customer, s.connection LIMIT $4";
            let query = sqlx::query::<Any>(sql).bind(ring.newest().id.as_str());
            let query = query.bind(customer.as_str()).bind(connection.as_str()).bind(MANY);
            let found = self.database.reader().fetch_all(query).await?;
            let Some(last) = found.last() else { return Ok(rewrapped) };
            (customer, connection) = (last.try_get(0)?, last.try_get(1)?);
            for row in &found {
                let found = Found::of(row)?;
                let place = Place {
                    customer: &found.customer,
                    connection: &found.connection,
                    kind: &found.kind,
                    version: found.version,
                };
                match found.sealed.rewrap(ring, place, self.database.entropy()) {
                    Ok(sealed) => rewrapped.done += self.put_wrapped(&found, sealed).await?,
                    Err(SealError::NoKey(_)) => rewrapped.without_key += 1,
                    Err(SealError::Broken) => rewrapped.broken += 1,
                }
            }
        }
    }

    /// How many secrets each key wraps.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn wrapped_by(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = "SELECT kek, CAST(COUNT(*) AS BIGINT) FROM connection_secret GROUP BY kek ORDER BY kek";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql)).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get::<i64, _>(1)?.unsigned_abs()))).collect()
    }

    async fn put_wrapped(&self, found: &Found, sealed: Sealed) -> Result<u64, StoreError> {
        let (customer, connection) = (found.customer.clone(), found.connection.clone());
        let (version, before) = (i64::try_from(found.version).unwrap_or(i64::MAX), found.sealed.kek.clone());
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE connection_secret SET kek = $5, wrapped = $6 \
                           WHERE customer = $1 AND connection = $2 AND version = $3 AND kek = $4 AND sealed = $7";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(connection.as_str());
                    let query =
                        query.bind(version).bind(before).bind(sealed.kek).bind(sealed.wrapped).bind(sealed.sealed);
                    Ok(query.execute(tx.connection()).await?.rows_affected())
                })
            })
            .await
    }
}

impl Found {
    fn of(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            customer: row.try_get::<String, _>("customer")?.into(),
            connection: row.try_get::<String, _>("connection")?.into(),
            kind: row.try_get("kind")?,
            version: row.try_get::<i64, _>("version")?.unsigned_abs(),
            sealed: super::sealed(row)?,
        })
    }
}
