//! What the product does, without HTTP and without JSON-RPC: both transports call these same methods.

pub mod account;
mod billing;
pub mod capabilities;
pub mod checkpoint;
pub mod config;
pub mod connect;
pub mod edges;
pub mod execute;
pub mod feedback;
pub mod generation;
pub mod limits;
pub mod oauth;
mod platform;
pub mod portal;
pub mod promise;
pub mod routes;
mod schedules;
mod transcripts;
pub mod usage;
mod vault;
mod watch;
mod website;
pub mod worker;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use model::clock::{Clock, Entropy};
use model::edges::Edges;
pub use sandbox::PRODUCT;
use sandbox::{Module, Sandbox};
use store::Store;
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::generation::Catalog;
use crate::oauth::Authority;

/// The service: cheap to clone, the same for every request.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    store: Store,
    sandbox: Sandbox,
    catalog: Catalog,
    authority: Authority,
    claims: execute::claims::Claims,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    config: Config,
    leaving: AtomicBool,
    ledger: watch::Ledger,
    notary: OnceLock<checkpoint::Notary>,
    loader: OnceLock<generation::Loader>,
    older: generation::Older,
    edges: Arc<Edges>,
    visits: edges::visits::Visits,
    transcripts: transcripts::Transcripts,
    /// What steps of jobs compute in.
    slots: Arc<Semaphore>,
}

impl Service {
    /// Puts the rooms together.
    pub fn new(
        store: Store,
        sandbox: Sandbox,
        catalog: Catalog,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        config: Config,
    ) -> Self {
        let edges = Arc::new(Edges { public_url: config.public_url.clone(), uploads: config.uploads.clone() });
        let authority = Authority::new(store.clone(), clock.clone(), entropy.clone(), config.clone());
        let slots = Arc::new(Semaphore::new(config.work.width.max(1)));
        Self(Arc::new(Inner {
            store,
            sandbox,
            catalog,
            authority,
            claims: execute::claims::Claims::default(),
            clock,
            entropy,
            config,
            leaving: AtomicBool::new(false),
            ledger: watch::Ledger::default(),
            notary: OnceLock::new(),
            loader: OnceLock::new(),
            older: generation::Older::default(),
            edges,
            visits: edges::visits::Visits::default(),
            transcripts: transcripts::Transcripts::default(),
            slots,
        }))
    }

    /// Says that this node is about to stop: it still answers, but should be sent nothing new.
    pub fn leave(&self) {
        self.0.leaving.store(true, Ordering::SeqCst);
    }

    /// Whether this node is about to stop.
    pub fn is_leaving(&self) -> bool {
        self.0.leaving.load(Ordering::SeqCst)
    }

    /// Where the service is, and how it behaves.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The database, for the commands of an operator and for readiness.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Who may come in, and with what.
    pub fn authority(&self) -> &Authority {
        &self.0.authority
    }

    /// The time.
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// Randomness.
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.0.entropy
    }

    /// The sandbox.
    pub fn sandbox(&self) -> &Sandbox {
        &self.0.sandbox
    }

    /// A module of the catalog in force.
    pub fn module(&self, name: &str) -> Option<Arc<Module>> {
        self.catalog().current().module(name).cloned()
    }

    /// The catalog in force.
    pub fn catalog(&self) -> &Catalog {
        &self.0.catalog
    }
}
