//! One database, as this process has it open: the one writer, the connections that only read, and what is known without
//! asking again. Every group of tables reads and writes through it.

pub mod backup;
pub(crate) mod clock;
pub(crate) mod dialect;
pub(crate) mod lock;
pub(crate) mod migrate;
pub(crate) mod mutant;
pub(crate) mod readers;
pub(crate) mod rows;
pub(crate) mod seen;
pub(crate) mod together;
pub(crate) mod writer;

use std::sync::{Arc, Weak};

use model::clock::{Clock, Entropy, Moment};
use model::id::CustomerId;
use model::token::SecretHash;
use tokio::sync::Notify;

use crate::StoreError;
use crate::calls::settlement::Earlier;
use crate::database::dialect::{Address, Dialect, Durability};
use crate::database::lock::Shared;
use crate::database::readers::Readers;
use crate::database::seen::Seen;
use crate::database::together::Together;
use crate::database::writer::{BoxFuture, Tx, Writer};
use crate::identity::tokens::StoredToken;
use crate::records::indexes::Registry;
use crate::records::{Row, RowKey};

/// An open database: cheap to clone.
#[derive(Clone)]
pub struct Database(pub(crate) Arc<Inner>);

/// What one process holds of a database.
pub(crate) struct Inner {
    pub(crate) writer: Writer,
    pub(crate) readers: Readers,
    pub(crate) dialect: Dialect,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) due: Notify,
    pub(crate) seen: Arc<Seen>,
    pub(crate) indexes: Arc<Registry>,
    pub(crate) bearers: Together<SecretHash, StoredToken>,
    pub(crate) rows: Together<RowKey, Row>,
    pub(crate) earlier: Together<(CustomerId, String), (Earlier, Moment)>,
    _shared: Option<Shared>,
    /// Removed with the last handle; for tests.
    _folder: Option<Folder>,
}

impl Database {
    /// Opens `sqlite:///path/file.db` or `postgres://…`, and brings its schema up to date.
    pub(crate) async fn open(url: &str, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, StoreError> {
        Self::connect(Address::read(url, Durability::Full)?, clock, entropy, None).await
    }

    /// Opens an empty SQLite that is gone with its last handle and never waits for a disk.
    pub(crate) async fn memory(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, StoreError> {
        let folder = Folder::make()?;
        let address = Address::read(&format!("sqlite://{}/store.db", folder.0.display()), Durability::None)?;
        Self::connect(address, clock, entropy, Some(folder)).await
    }

    /// A handle that does not keep the database open.
    pub(crate) fn while_open(&self) -> Weak<Inner> {
        Arc::downgrade(&self.0)
    }

    pub(crate) async fn connect(
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

    /// As [`Database::write`], for work whose outcome no client waits for.
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

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Database")
    }
}

/// A temporary folder that goes with its holder.
pub(crate) struct Folder(pub(crate) std::path::PathBuf);

impl Folder {
    pub(crate) fn make() -> Result<Self, StoreError> {
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
