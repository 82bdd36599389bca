//! Optimised code behind the baseline compiler's: a module that was never compiled here is served at once, and gets its
//! optimised code when that is made.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock, Weak};

use crate::module::Module;
use crate::tier::Tier;
use crate::{Inner, artefact};

/// How much less of a busy machine the compiler gets than whoever serves calls (`nice`).
const NICE: i32 = 10;

/// Modules that wait for their optimised code.
#[derive(Default)]
pub(crate) struct Behind {
    baseline: OnceLock<Option<Tier>>,
    queue: OnceLock<Option<Sender<Waiting>>>,
    left: AtomicUsize,
}

/// A module that runs the baseline compiler's code.
pub(crate) struct Waiting {
    /// Not kept alive: of a module that has gone nothing is compiled.
    pub(crate) module: Weak<Module>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: String,
}

impl Behind {
    /// The baseline compiler, made when it is first wanted. `None` when this machine has none.
    pub(crate) fn baseline(&self) -> Option<&Tier> {
        let made = || Tier::baseline().inspect_err(|error| tracing::warn!(cause = %error, "no baseline compiler")).ok();
        self.baseline.get_or_init(made).as_ref()
    }

    /// Has the optimised code of a module made, after that of those before it.
    pub(crate) fn wait(&self, inner: &Arc<Inner>, waiting: Waiting) {
        let started =
            || start(Arc::downgrade(inner)).inspect_err(|error| tracing::error!(cause = %error, "no compiler")).ok();
        if let Some(queue) = self.queue.get_or_init(started) {
            self.left.fetch_add(1, Ordering::Relaxed);
            // The other end is there as long as the sandbox is.
            let _sent = queue.send(waiting);
        }
    }

    /// Modules whose optimised code is still to be made.
    pub(crate) fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }
}

fn start(inner: Weak<Inner>) -> std::io::Result<Sender<Waiting>> {
    let (queue, waiting) = mpsc::channel();
    // wasmtime compiles the functions of a component side by side on the pool that it is called in.
    let pool = rayon::ThreadPoolBuilder::new()
        .thread_name(|at| format!("compiler-{at}"))
        .start_handler(|_| {
            // On Linux this is of the thread alone. Where it is refused, serving calls is a little slower meanwhile.
            let _now = rustix::process::nice(NICE);
        })
        .build()
        .map_err(std::io::Error::other)?;
    std::thread::Builder::new().name("compiler".to_owned()).spawn(move || follow(&inner, &waiting, &pool))?;
    Ok(queue)
}

/// Ends when the sandbox does.
fn follow(inner: &Weak<Inner>, queue: &Receiver<Waiting>, pool: &rayon::ThreadPool) {
    let mut made = 0_u32;
    let mut next = queue.recv().ok();
    while let Some(waiting) = next {
        let Some(inner) = inner.upgrade() else { return };
        if let Some(module) = waiting.module.upgrade() {
            match pool.install(|| optimised(&inner, &module, &waiting)) {
                Ok(()) => made += 1,
                // Its baseline code goes on.
                Err(error) => tracing::error!(module = &*module.name, cause = %error, "no optimised code"),
            }
        }
        inner.behind.left.fetch_sub(1, Ordering::Relaxed);
        drop(inner);
        next = queue.try_recv().ok();
        if next.is_none() {
            tracing::info!(modules = made, "modules run their optimised code");
            (made, next) = (0, queue.recv().ok());
        }
    }
}

fn optimised(inner: &Inner, module: &Module, waiting: &Waiting) -> wasmtime::Result<()> {
    let component = artefact::component(&inner.tier.engine, inner.artefacts.as_ref(), &waiting.bytes, &waiting.digest)?;
    module.recompiled(&inner.tier, &component)
}
