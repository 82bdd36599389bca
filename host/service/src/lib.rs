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
pub use sandbox::PRODUCT;
use sandbox::{Module, Sandbox};
use store::Store;
use tokio::sync::Semaphore;

use crate::account::Account;
use crate::billing::Billing;
use crate::capabilities::Search;
use crate::checkpoint::Checkpoints;
use crate::config::Config;
use crate::connect::Consents;
use crate::edges::Edges;
use crate::execute::Spine;
use crate::generation::Catalog;
use crate::generation::Revisions;
use crate::limits::Limits;
use crate::oauth::Authority;
use crate::portal::Portal;
use crate::routes::Routes;
use crate::schedules::Schedules;
use crate::vault::Keys;
use crate::watch::Books;
use crate::worker::Worker;

/// The service, by what it does: cheap to clone, the same for every request.
#[derive(Clone)]
pub struct Service {
    /// Runs operations: the only way to the code of a module.
    pub spine: Spine,
    /// Finds operations by a goal, shows their contracts, and takes what came of them.
    pub search: Search,
    /// The fixed routes of both transports.
    pub routes: Routes,
    /// What a customer has and has used, as both doors and modules may ask.
    pub account: Account,
    /// What the portal shows of the catalog.
    pub portal: Portal,
    /// Consents at a provider, from the link to the stored account.
    pub consents: Consents,
    /// What strangers reach without a token: uploads, links, shares and unsubscribing.
    pub edges: Edges,
    /// Works on jobs.
    pub worker: Worker,
    /// Starts what is due.
    pub schedules: Schedules,
    /// Counts requests, by itself and together with the other nodes.
    pub limits: Limits,
    /// Follows the revision in force, and holds the older ones that work goes on with.
    pub revisions: Revisions,
    /// Checks the ledger now and then: while it is wrong nothing is charged.
    pub books: Books,
    /// Charges plans and writes invoices.
    pub billing: Billing,
    /// Signs the audit trail as it stands.
    pub checkpoints: Checkpoints,
    /// Wraps stored secrets with the newest key.
    pub keys: Keys,
    /// What all parts use.
    pub core: Core,
}

impl Service {
    /// Puts the parts together.
    pub fn new(
        store: Store,
        sandbox: Sandbox,
        catalog: Catalog,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        config: Config,
    ) -> Self {
        Self::of(&Core::new(store, sandbox, catalog, clock, entropy, config))
    }

    /// All parts over one core.
    pub(crate) fn of(core: &Core) -> Self {
        Self {
            spine: Spine::of(core),
            search: Search::of(core),
            routes: Routes::of(core),
            account: Account::of(core),
            portal: Portal::of(core),
            consents: Consents::of(core),
            edges: Edges::of(core),
            worker: Worker::of(core),
            schedules: Schedules::of(core),
            limits: Limits::of(core),
            revisions: Revisions::of(core),
            books: Books::of(core),
            billing: Billing::of(core),
            checkpoints: Checkpoints::of(core),
            keys: Keys::of(core),
            core: core.clone(),
        }
    }
}

/// What every part of the service uses: the database, the sandbox, the catalog, the clock and the settings.
#[derive(Clone)]
pub struct Core(Arc<Inner>);

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
    edges: Arc<model::edges::Edges>,
    visits: edges::visits::Visits,
    transcripts: transcripts::Transcripts,
    /// What steps of jobs compute in.
    slots: Arc<Semaphore>,
}

impl Core {
    fn new(
        store: Store,
        sandbox: Sandbox,
        catalog: Catalog,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        config: Config,
    ) -> Self {
        let edges =
            Arc::new(model::edges::Edges { public_url: config.public_url.clone(), uploads: config.uploads.clone() });
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
