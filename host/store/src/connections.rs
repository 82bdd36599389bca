//! Customers' own accounts at providers: what they are called, where they are, how they do, and their sealed secrets.
//!
//! A run sees and changes them through its [`crate::Workspace`], which is bound to one customer; what it changes is
//! committed with everything else that it leaves.

pub(crate) mod change;
mod refresh;
mod rewrap;
mod seal;
mod spending;
mod usage;
mod workspace;

use model::clock::Moment;
use model::id::{ConnectionId, CustomerId};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

pub use rewrap::Rewrapped;
pub use seal::{Place, SealError, Sealed};
pub use spending::{Spent, SpentRow};
pub use usage::{Span, Use, UseRow};
pub use workspace::{ConnectionPatch, NewConnection};

pub(crate) use workspace::{Touched, changes};

use crate::StoreError;
use crate::tables::Connections;

/// Connections of one customer.
pub const MOST: usize = 200;

/// A connection, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its reference, as customers see it.
    pub id: ConnectionId,
    /// Counts up with every change.
    pub version: u64,
    /// Of `catalog/connections.toml`.
    pub kind: String,
    /// What the customer calls it.
    pub name: String,
    /// What replaces the provider's address; none: nothing does.
    pub endpoint: Option<String>,
    /// How it does.
    pub state: ConnectionState,
    /// Thousandths of a request in a second; none: it is not slowed.
    pub pace: Option<u64>,
    /// A JSON object that the module `connections` writes.
    pub settings: String,
    /// The version of its secret; part of what the secret is sealed with.
    pub secret: u64,
    /// When it was added.
    pub created_at: Moment,
    /// When it was changed.
    pub changed_at: Moment,
    /// When the provider last answered well.
    pub answered_at: Option<Moment>,
}

/// How a connection does, as its last requests show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    /// Nothing was asked yet.
    Untested,
    /// The provider answers.
    Ok,
    /// The provider refuses or does not answer.
    Failing,
    /// The credential is not accepted any more.
    Expired,
}

impl ConnectionState {
    /// As stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            ConnectionState::Untested => "untested",
            ConnectionState::Ok => "ok",
            ConnectionState::Failing => "failing",
            ConnectionState::Expired => "expired",
        }
    }

    fn read(text: &str) -> Result<Self, StoreError> {
        Ok(match text {
            "untested" => ConnectionState::Untested,
            "ok" => ConnectionState::Ok,
            "failing" => ConnectionState::Failing,
            "expired" => ConnectionState::Expired,
            _ => return Err(StoreError::Inconsistent("the state of a connection")),
        })
    }
}

impl Connection {
    /// Where its secret belongs.
    pub fn place<'a>(&'a self, customer: &'a CustomerId) -> Place<'a> {
        Place { customer, connection: &self.id, kind: &self.kind, version: self.secret }
    }

    fn of(row: &AnyRow) -> Result<Self, StoreError> {
        let whole = |column: &str| row.try_get::<i64, _>(column);
        Ok(Self {
            id: row.try_get::<String, _>("connection")?.into(),
            version: whole("version")?.unsigned_abs(),
            kind: row.try_get("kind")?,
            name: row.try_get("name")?,
            endpoint: row.try_get("endpoint")?,
            state: ConnectionState::read(&row.try_get::<String, _>("state")?)?,
            pace: row.try_get::<Option<i64>, _>("pace")?.map(i64::unsigned_abs),
            settings: row.try_get("settings")?,
            secret: whole("secret")?.unsigned_abs(),
            created_at: Moment(whole("created_at")?),
            changed_at: Moment(whole("changed_at")?),
            answered_at: row.try_get::<Option<i64>, _>("answered_at")?.map(Moment),
        })
    }
}

impl Connections {
    /// A customer's connections, in the order of their references.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn connections(&self, customer: &CustomerId) -> Result<Vec<Connection>, StoreError> {
        let sql = "SELECT * FROM connection WHERE customer = $1 ORDER BY connection";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(customer.as_str())).await?;
        rows.iter().map(Connection::of).collect()
    }

    /// One connection of a customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn connection(&self, customer: &CustomerId, id: &str) -> Result<Option<Connection>, StoreError> {
        let sql = "SELECT * FROM connection WHERE customer = $1 AND connection = $2";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id);
        self.database.reader().fetch_optional(query).await?.as_ref().map(Connection::of).transpose()
    }

    /// One connection of a customer with its sealed secret, as they belong together.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn connection_with_secret(
        &self,
        customer: &CustomerId,
        id: &str,
    ) -> Result<Option<(Connection, Sealed)>, StoreError> {
        let sql = "SELECT c.*, s.kek, s.wrapped, s.sealed FROM connection c JOIN connection_secret s \
                   ON s.customer = c.customer AND s.connection = c.connection AND s.version = c.secret \
                   WHERE c.customer = $1 AND c.connection = $2";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id);
        let row = self.database.reader().fetch_optional(query).await?;
        row.as_ref().map(|row| Ok((Connection::of(row)?, sealed(row)?))).transpose()
    }

    /// The sealed secret of a connection, in this version.
    async fn sealed(&self, customer: &CustomerId, id: &str, version: u64) -> Result<Option<Sealed>, StoreError> {
        let sql = "SELECT kek, wrapped, sealed FROM connection_secret \
                   WHERE customer = $1 AND connection = $2 AND version = $3";
        let version = i64::try_from(version).unwrap_or(i64::MAX);
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id).bind(version);
        self.database.reader().fetch_optional(query).await?.as_ref().map(sealed).transpose()
    }
}

pub(crate) fn sealed(row: &AnyRow) -> Result<Sealed, StoreError> {
    Ok(Sealed { kek: row.try_get("kek")?, wrapped: row.try_get("wrapped")?, sealed: row.try_get("sealed")? })
}

#[cfg(test)]
mod tests;
