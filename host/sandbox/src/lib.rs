//! The wasmtime sandbox. Inspects, loads and runs components, with a fresh instance per call and every limit enforced.
//!
//! A *module* is a component that matches its lock file and is ready to run. An *invocation* is one run of one of its
//! functions. A *stop* is any ending without an answer. A *capability* is one host interface; each has its own file,
//! which enforces what it may do for a kind of operation.

pub mod behaviour;
pub mod build;
pub mod cancel;
pub mod config;
pub mod egress;
pub mod export;
pub mod fixture;
pub mod inspect;
pub mod invocation;
pub mod load;
pub mod module;
pub mod passcode;
pub mod platform;
pub mod replay;
pub mod seal;
pub mod stop;
pub mod tokens;
pub mod transcript;

mod admission;
mod artefact;
mod behind;
mod bindings;
mod breaker;
mod capability;
mod engine;
mod limiter;
mod linker;
mod long;
mod mail;
mod memory;
mod moving;
mod offer;
mod packed;
mod perform;
mod provider;
mod recorder;
mod run;
mod secrets;
mod section;
mod shape;
mod slot;
mod span;
mod stage;
mod state;
mod tape;
mod tier;
mod upgrade;
mod wasi;
mod witness;

use std::sync::Arc;

use model::id::CustomerId;
use tokio::runtime::Runtime;
use tokio::time::Instant;
use wasmtime::Engine;

use crate::admission::Admission;
use crate::behind::Behind;
use crate::breaker::Breaker;
use crate::egress::Guard;
use crate::long::LongRuns;
use crate::memory::MemoryBudget;
use crate::moving::Moving;
use crate::tier::Tier;
use crate::tokens::Tokens;

pub use crate::cancel::Cancel;
pub use crate::config::{Artefacts, Compile, Config, OutboundPolicy, PRODUCT, agent};
pub use crate::export::{Answer, Export};
pub use crate::invocation::{Invocation, Receipt, Run};
pub use crate::load::LoadError;
pub use crate::module::Module;
pub use crate::offer::Offer;
pub use crate::secrets::Secrets;
pub use crate::slot::Slot;
pub use crate::stop::{Denial, Fault, FaultKind, LimitKind, Stop, Trap};
pub use crate::upgrade::Upgrader;
pub use store::edges::turns::Pace;

/// The sandbox. Cheap to clone, one per process.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    tier: Tier,
    behind: Behind,
    admission: Admission,
    memory: MemoryBudget,
    breaker: Breaker,
    long: LongRuns,
    guard: Arc<Guard>,
    tokens: Arc<Tokens>,
    artefacts: Option<Artefacts>,
    compile: Compile,
    /// The runtime of long-running guests. Taken when the sandbox is dropped.
    runtime: Option<Runtime>,
}

/// Why the sandbox cannot be constructed.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The engine rejects its settings.
    #[error("the engine cannot be made: {0}")]
    Engine(String),
    /// Threads cannot be started.
    #[error("the guests' threads cannot be started: {0}")]
    Threads(#[from] std::io::Error),
    /// The egress guard cannot be constructed.
    #[error(transparent)]
    Outbound(#[from] egress::GuardError),
}

impl Sandbox {
    /// Starts an engine, its linkers, its threads and its egress guard.
    ///
    /// # Errors
    /// The engine, the threads or the egress guard cannot be constructed.
    pub fn new(config: Config) -> Result<Self, SandboxError> {
        let refuse = |error: wasmtime::Error| SandboxError::Engine(format!("{error:#}"));
        let tier = Tier::main(config.concurrent, config.compile).map_err(refuse)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(config.threads.max(1))
            .thread_name("guest")
            .on_thread_start(long::lower_priority)
            .enable_all()
            .build()?;
        let guard = Arc::new(Guard::new(config.outbound.clone())?);
        Ok(Self(Arc::new(Inner {
            tier,
            behind: Behind::default(),
            admission: Admission::new(&config),
            memory: MemoryBudget::new(config.memory),
            breaker: Breaker::default(),
            long: LongRuns::default(),
            tokens: Arc::new(Tokens::new(Arc::clone(&guard), config.clients)),
            guard,
            artefacts: config.artefacts,
            compile: config.compile,
            runtime: Some(runtime),
        })))
    }

    /// The engine and its version, for reports about a sandbox.
    pub fn engine_name(&self) -> String {
        format!("wasmtime {}", wasmtime_environ::VERSION)
    }

    /// Whether instances come from a pool. Without one they behave the same, only slower.
    pub fn is_pooled(&self) -> bool {
        self.0.tier.pooled
    }

    /// Modules that run the baseline compiler's code and wait for their optimised code: see [`Compile::Behind`].
    pub fn compiling(&self) -> usize {
        self.0.behind.left()
    }

    /// Runs one function of one module: waits for a slot, runs, and returns whatever the outcome. Long computations
    /// move to the guests' own threads. Dropping the future does not stop the run; [`Cancel`] does.
    pub async fn run(&self, invocation: Invocation) -> Run {
        let (module, export) = (Arc::clone(&invocation.module), invocation.export.clone());
        let customer = invocation.customer.clone();
        let refuse = |stop: Stop, workspace| Run::refused(stop, workspace);
        if let Some(left) = self.0.breaker.resting(&customer, &module.name, &export, Instant::now()) {
            return refuse(Stop::Paused { retry_after: left.as_secs().max(1) }, invocation.workspace);
        }
        let cancel = invocation.cancel.clone();
        let mut invocation = invocation;
        let (place, slot) = tokio::select! {
            biased;
            entered = self.enter(&invocation.customer, invocation.slot.clone()) => match entered {
                Ok(entered) => entered,
                Err(admission::Full) => return refuse(Stop::Busy, invocation.workspace),
            },
            () = cancel.cancelled() => return refuse(Stop::Cancelled, invocation.workspace),
        };
        invocation.slot = Some(slot);
        let inner = Arc::clone(&self.0);
        let runtime = self.0.runtime.as_ref().expect("taken only when the sandbox goes");
        let running = async move {
            let (guard, tokens) = (Arc::clone(&inner.guard), Arc::clone(&inner.tokens));
            let held = inner.memory.open(&invocation.customer);
            let run = run::run(guard, tokens, held, invocation).await;
            drop(place);
            run
        };
        // A step is usually long, so start it on the guests' runtime.
        let long = matches!(export, Export::Step(_) | Export::Upgrade) || self.0.long.expects(&customer, &export);
        let run = if long {
            Moving::at_once(running, runtime.handle().clone()).await
        } else {
            Moving::from_here(running, runtime.handle().clone()).await
        };
        self.0.long.learn(&customer, &export, run.receipt.fuel);
        match &run.outcome {
            Ok(_) => self.0.breaker.answered(&customer, &module.name, &export),
            Err(Stop::Trap(_)) => self.0.breaker.broke(&customer, &module.name, &export, Instant::now()),
            Err(_) => {}
        }
        run
    }

    /// Waits for a place, and for a slot to compute in unless the run comes with one: one customer computes on each core
    /// once, so that another's short call is behind few long ones.
    async fn enter(
        &self,
        customer: &CustomerId,
        slot: Option<Slot>,
    ) -> Result<(admission::Place, Slot), admission::Full> {
        let place = self.0.admission.enter(customer).await?;
        let slot = match slot {
            Some(slot) => slot,
            None => Slot::take(Arc::clone(&place.computing)).await,
        };
        Ok((place, slot))
    }

    /// Bytes that all runs hold now: linear memories, and what the host keeps for them.
    pub fn memory_held(&self) -> usize {
        self.0.memory.held()
    }

    /// The tokens of customers' accounts, for consents given in a browser.
    pub fn tokens(&self) -> &Tokens {
        &self.0.tokens
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.tier.engine
    }

    pub(crate) fn tier(&self) -> &Tier {
        &self.0.tier
    }

    pub(crate) fn artefacts(&self) -> Option<&Artefacts> {
        self.0.artefacts.as_ref()
    }

    pub(crate) fn compile(&self) -> Compile {
        self.0.compile
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Waiting for guests here would block the thread that drops the last handle, which may be an async one.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
