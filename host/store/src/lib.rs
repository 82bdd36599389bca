//! All that is kept, and the only SQL: one text for SQLite and PostgreSQL.
//!
//! Two doors lead to a change: [`Calls::settle`] with its kin for a call of the product, and [`Database::write`] for
//! everything else. Both end in the one writer, which commits many of them at once. Reading goes by
//! [`Database::reader`].
//!
//! Adding a table: a numbered file in `migrations/` whose key starts with the customer, its name in `database/migrate.rs`,
//! and a file with the functions that read and write it, in the group that it belongs to.

pub mod calls;
mod connections;
pub mod database;
pub mod edges;
mod error;
#[cfg(test)]
mod fixture;
pub mod identity;
pub mod jobs;
pub mod money;
pub mod records;
pub mod serving;
mod sweep;
pub mod tables;
pub mod trail;

use std::sync::Arc;

use model::clock::{Clock, Entropy};

pub use calls::HOLD_LIFE;
pub use calls::answers::ANSWER_LIFE;
pub use calls::claims::{Claimed, KeyClaim, UNKNOWN_AFTER, UNKNOWN_OUTCOME, Wanted, unknown_outcome};
pub use calls::noted::Noted;
pub use calls::sends::{Begun, Repeat, Right, SendIntent, SendTally, Sends};
pub use calls::settlement::{
    Earlier, Hold, JobHold, KeyedAnswer, Reservation, SettleError, Settled, Settlement, Stored,
};
pub use connections::{
    Connection, ConnectionPatch, ConnectionState, MOST as MOST_CONNECTIONS, NewConnection, Place, Rewrapped, SealError,
    Sealed, Span, Spent, SpentRow, Use, UseRow,
};
pub use database::clock::clock;
pub use database::lock::Alone;
pub use database::readers::Readers;
pub use database::writer::{BoxFuture, Tx};
pub use error::StoreError;
pub use jobs::{
    Cancelled, JobEntry, JobFilter, JobRow, JobState, JobView, MOST_OPEN, MOST_STARTED, Next, Share, StepSettlement,
};
pub use money::book::OverBudget;
pub use money::budgets::BudgetUse;
pub use money::ledger::{
    Activation, Balance, BuyError, LedgerLine, LineFilter, LineKind, LineTotals, Violation, activate, buy_points,
    credit,
};
pub use money::refunds::Refundable;
pub use records::indexes::{Indexing, Older, Upgrades};
pub use records::{
    BLOB_BYTES, Began, CACHE_BYTES, CACHE_SECONDS, Changes, HitPage, ModuleSchema, NotRestored, OpenError, PAGE, Page,
    Query, RecordsError, Redirect, Restored, Row, Tally, UploadState, UploadView, WantedUpload, Workspace,
};
pub use sweep::Swept;
pub use trail::checkpoints::{Checkpointed, Damage, Notes, TrailReport};
pub use trail::{AuditLine, Break};

use crate::database::Database;
use crate::tables::{Calls, Connections, Edges, Identity, Jobs, Money, Records, Serving, Trail};

/// All that is kept, by what it is about: cheap to clone, the same for every caller.
#[derive(Clone, Debug)]
pub struct Store {
    /// Customers, and who may act for them.
    pub identity: Identity,
    /// The ledger, and what follows from it.
    pub money: Money,
    /// Calls of the product.
    pub calls: Calls,
    /// Jobs and schedules.
    pub jobs: Jobs,
    /// What modules have stored.
    pub records: Records,
    /// Accounts at providers.
    pub connections: Connections,
    /// What crosses the public edges.
    pub edges: Edges,
    /// The audit trail.
    pub trail: Trail,
    /// Revisions of the catalog.
    pub serving: Serving,
    /// What they are all kept in.
    pub database: Database,
}

impl Store {
    /// Opens `sqlite:///path/file.db` or `postgres://…`, and brings its schema up to date.
    ///
    /// # Errors
    /// When the database cannot be reached, is newer than this host, is being restored, or is an SQLite that loses
    /// writes.
    pub async fn open(url: &str, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, StoreError> {
        let database = Database::open(url, clock, entropy).await?;
        sweep::start(database.while_open());
        records::indexes::start(database.while_open());
        Ok(Self::of(database))
    }

    /// Opens an empty SQLite that is gone with its last handle and never waits for a disk. For tests.
    ///
    /// # Errors
    /// When the temporary folder cannot be written.
    pub async fn memory(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, StoreError> {
        Ok(Self::of(Database::memory(clock, entropy).await?))
    }

    /// All tables of one database.
    pub(crate) fn of(database: Database) -> Self {
        Self {
            identity: Identity::of(&database),
            money: Money::of(&database),
            calls: Calls::of(&database),
            jobs: Jobs::of(&database),
            records: Records::of(&database),
            connections: Connections::of(&database),
            edges: Edges::of(&database),
            trail: Trail::of(&database),
            serving: Serving::of(&database),
            database,
        }
    }
}
