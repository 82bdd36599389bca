//! A way to make machine code of components: the engine, and the linkers that belong to it.

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::config::Compile;
use crate::engine::{self, HAS_BASELINE};
use crate::linker::Linkers;
use crate::stage::Stage;

/// What compiles and runs components. Code of one tier does not run in another.
pub(crate) struct Tier {
    pub(crate) engine: Engine,
    linkers: Linkers,
    /// Whether instances come from a pool.
    pub(crate) pooled: bool,
    /// As a transcript records it.
    pub(crate) name: String,
}

impl Tier {
    /// The tier that the sandbox runs on.
    pub(crate) fn main(concurrent: usize, compile: Compile) -> wasmtime::Result<Self> {
        let (engine, pooled) = engine::new(concurrent, compile)?;
        Self::of(engine, pooled, compile == Compile::Quickly && HAS_BASELINE)
    }

    /// The baseline compiler, for code that is replaced within a minute. It has no pool: that reserves address space for
    /// every instance there can be.
    pub(crate) fn baseline() -> wasmtime::Result<Self> {
        Self::of(engine::without_pool(Compile::Quickly)?, false, HAS_BASELINE)
    }

    fn of(engine: Engine, pooled: bool, is_baseline: bool) -> wasmtime::Result<Self> {
        engine::tick(&engine)?;
        let linkers = Linkers::new(&engine)?;
        Ok(Self { engine, linkers, pooled, name: engine::name(is_baseline) })
    }

    /// The component with the host's interfaces, with those of an inert WASI if it has that grant.
    pub(crate) fn link(&self, component: &Component, is_inert: bool) -> wasmtime::Result<InstancePre<Stage>> {
        let linker: &Linker<Stage> = if is_inert { &self.linkers.inert } else { &self.linkers.product };
        linker.instantiate_pre(component)
    }
}
