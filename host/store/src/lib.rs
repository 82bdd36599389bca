//! All that is kept, and the only SQL: one text for SQLite and PostgreSQL.
//!
//! Two doors lead to a change: [`Store::settle`] with its kin for a call of the product, and [`Store::write`] for
//! everything else. Both end in the one writer, which commits many of them at once. Reading goes by
//! [`Store::reader`].
//!
//! Adding a table: a numbered file in `migrations/` whose key starts with the customer, its name in `migrate.rs`,
//! and a room here with the functions that read and write it.

pub mod account;
pub mod activity;
mod answers;
pub mod approvals;
pub mod attempts;
pub mod backup;
mod book;
mod budgets;
mod calls;
mod checkpoints;
mod claims;
pub mod clients;
mod clock;
pub mod codes;
mod connections;
pub mod consents;
pub mod customers;
mod dialect;
pub mod disclosures;
mod edges;
mod erasure;
mod error;
pub mod feedback;
#[cfg(test)]
mod fixture;
pub mod grants;
mod group;
pub mod hits;
pub mod holdings;
pub mod identities;
mod indexes;
pub mod intents;
pub mod invoices;
mod jobs;
mod ledger;
pub mod links;
mod lock;
pub mod lockout;
mod migrate;
mod mutant;
mod noted;
pub mod notices;
pub mod orders;
pub mod pages;
mod readers;
mod records;
mod refunds;
pub mod robots;
mod rows;
pub mod schedules;
mod seen;
mod sends;
pub mod serving;
pub mod sessions;
mod settlement;
pub mod shares;
pub mod spending;
pub mod subscriptions;
mod sweep;
mod together;
pub mod tokens;
mod trail;
pub mod transcripts;
pub mod turns;
pub mod unsubscribes;
pub mod uploads;
pub mod usage;
pub mod windows;
mod writer;

use std::sync::Arc;

use model::clock::{Clock, Entropy, Moment};
use model::id::CustomerId;
use model::token::SecretHash;
use tokio::sync::Notify;

pub use answers::ANSWER_LIFE;
pub use book::OverBudget;
pub use budgets::BudgetUse;
pub use calls::HOLD_LIFE;
pub use checkpoints::{Checkpointed, Damage, Notes, TrailReport};
pub use claims::{Claimed, KeyClaim, UNKNOWN_AFTER, UNKNOWN_OUTCOME, Wanted, unknown_outcome};
pub use clock::clock;
pub use connections::{
    Connection, ConnectionPatch, ConnectionState, MOST as MOST_CONNECTIONS, NewConnection, Place, Rewrapped, SealError,
    Sealed, Span, Use, UseRow,
};
pub use error::StoreError;
pub use indexes::{Indexing, Older, Upgrades};
pub use jobs::{
    Cancelled, JobEntry, JobFilter, JobRow, JobState, JobView, MOST_OPEN, MOST_STARTED, Next, Share, StepSettlement,
};
pub use ledger::{
    Activation, Balance, BuyError, LedgerLine, LineFilter, LineKind, LineTotals, Violation, activate, buy_points,
    credit,
};
pub use lock::Alone;
pub use noted::Noted;
pub use readers::Readers;
pub use records::{
    BLOB_BYTES, Began, CACHE_BYTES, CACHE_SECONDS, Changes, HitPage, ModuleSchema, NotRestored, OpenError, PAGE, Page,
    Query, RecordsError, Redirect, Restored, Row, Tally, UploadState, UploadView, WantedUpload, Workspace,
};
pub use refunds::Refundable;
pub use sends::{Begun, Repeat, Right, SendIntent, SendTally, Sends};
pub use settlement::{Earlier, Hold, JobHold, KeyedAnswer, Reservation, SettleError, Settled, Settlement, Stored};
pub use sweep::Swept;
pub use trail::{AuditLine, Break};
pub use writer::{BoxFuture, Tx};

use crate::dialect::{Address, Dialect, Durability};
use crate::indexes::Registry;
use crate::lock::Shared;
use crate::records::RowKey;
use crate::seen::Seen;
use crate::together::Together;
use crate::tokens::StoredToken;
use crate::writer::Writer;

/// The database: cheap to clone, the same for every caller.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    writer: Writer,
    readers: Readers,
    dialect: Dialect,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    due: Notify,
    seen: Arc<Seen>,
    indexes: Arc<Registry>,
    bearers: Together<SecretHash, StoredToken>,
    rows: Together<RowKey, Row>,
    earlier: Together<(CustomerId, String), (Earlier, Moment)>,
    _shared: Option<Shared>,
    /// Removed with the last handle; for tests.
    _folder: Option<Folder>,
}

impl Store {
    /// Opens `sqlite:///path/file.db` or `postgres://…`, and brings its schema up to date.
    ///
    /// # Errors
    /// When the database cannot be reached, is newer than this host, is being restored, or is an SQLite that loses
    /// writes.
    pub async fn open(url: &str, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, StoreError> {
        let store = Self::connect(Address::read(url, Durability::Full)?, clock, entropy, None).await?;
        sweep::start(Arc::downgrade(&store.0));
        indexes::start(Arc::downgrade(&store.0));
        Ok(store)
    }

    /// Opens an empty SQLite that is gone with its last handle and never waits for a disk. For tests.
    ///
    /// # Errors
    /// When the temporary folder cannot be written.
    pub async fn memory(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, StoreError> {
        let folder = Folder::make()?;
        let address = Address::read(&format!("sqlite://{}/store.db", folder.0.display()), Durability::None)?;
        Self::connect(address, clock, entropy, Some(folder)).await
    }

    async fn connect(
        address: Address,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        folder: Option<Folder>,
    ) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let shared = Shared::take(&address)?;
        let mut connection = address.writer().await?;
        migrate::migrate(&mut connection, address.dialect, clock.now()).await?;
        let (readers, dialect) = (Readers::new(address.clone()), address.dialect);
        let seen = Arc::new(Seen::of(address.file()?.as_deref()));
        let indexes = Arc::new(Registry::default());
        let writer = Writer::start(address, connection, seen.clone(), indexes.clone());
        Ok(Self(Arc::new(Inner {
            writer,
            readers,
            dialect,
            clock,
            entropy,
            due: Notify::new(),
            seen,
            indexes,
            bearers: Together::default(),
            rows: Together::default(),
            earlier: Together::default(),
            _shared: shared,
            _folder: folder,
        })))
    }

    /// Runs statements in the next commit, in a savepoint of their own: an error takes back just them. The answer
    /// comes when the commit is known, or after two seconds, when it is not.
    ///
    /// # Errors
    /// What `work` returns, or that the database is not available.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'a> FnOnce(&'a mut Tx) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
    {
        self.0.writer.write(writer::CALLER, work).await
    }

    /// As [`Store::write`], for work whose outcome no client waits for.
    pub(crate) async fn write_patiently<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'a> FnOnce(&'a mut Tx) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
    {
        self.0.writer.write(writer::WORKER, work).await
    }

    /// Whether the database answers, for readiness.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.reader().execute(sqlx::query::<sqlx::Any>("SELECT 1")).await?;
        Ok(())
    }

    /// Connections that only read.
    pub fn reader(&self) -> &Readers {
        &self.0.readers
    }

    /// Chance that nobody can foresee: for keys and nonces.
    pub fn chance(&self) -> &dyn Entropy {
        self.entropy()
    }

    /// Wakes a worker of this node when a commit made work due.
    pub fn jobs_notify(&self) -> &Notify {
        &self.0.due
    }

    /// What need not be asked again.
    pub(crate) fn seen(&self) -> &Seen {
        &self.0.seen
    }

    pub(crate) fn writer(&self) -> &Writer {
        &self.0.writer
    }

    /// The time that all hosts on this database agree on.
    pub fn now(&self) -> model::clock::Moment {
        self.clock().now()
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    pub(crate) fn entropy(&self) -> &dyn Entropy {
        &*self.0.entropy
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}

/// A temporary folder that goes with its holder.
struct Folder(std::path::PathBuf);

impl Folder {
    fn make() -> Result<Self, StoreError> {
        let name = model::id::base32(&(&model::clock::SystemEntropy as &dyn Entropy).array::<10>());
        let path = std::env::temp_dir().join(format!("espalier-store-{name}"));
        std::fs::create_dir(&path).map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed is the temporary folder's to clean up.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}
