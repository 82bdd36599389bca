//! The wasmtime engine of the process: compilation, allocation and the epoch ticks that stop runs.

use std::time::Duration;

use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy};

use crate::config::Compile;

/// The epoch interval: how long a computing guest may overrun its deadline.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// The memory of a pool slot. No lock file can raise a limit beyond it.
const SLOT_MEMORY: usize = 256 << 20;

const KIB: usize = 1024;

/// Whether the engine's single-pass compiler generates code for this machine. It supports fuel, epochs and canonical NaNs.
pub(crate) const HAS_BASELINE: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// An engine with an instance pool, or with on-demand allocation if the address space is too small for a pool
/// (containers, CI). Both behave the same; the pool is about ten times faster. The flag says whether there is a pool.
pub(crate) fn new(concurrent: usize, compile: Compile) -> wasmtime::Result<(Engine, bool)> {
    let mut pooled = settings(compile);
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(concurrent)));
    match Engine::new(&pooled) {
        Ok(engine) => Ok((engine, true)),
        Err(error) => {
            tracing::warn!(cause = %error, "no room for an instance pool; instances are made on demand");
            Ok((without_pool(compile)?, false))
        }
    }
}

/// An engine that makes room for each instance when it is wanted.
pub(crate) fn without_pool(compile: Compile) -> wasmtime::Result<Engine> {
    Engine::new(&settings(compile))
}

/// Engine, version, compiler and architecture, as a transcript records them. A replay on the same four takes exactly the
/// same fuel. Another compiler counts the same in a run that ends by itself, and not up to the place where one is ended.
pub(crate) fn name(is_baseline: bool) -> String {
    let compiler = if is_baseline { " baseline" } else { "" };
    format!("wasmtime {}{compiler} {}", wasmtime_environ::VERSION, std::env::consts::ARCH)
}

fn settings(compile: Compile) -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        // Component async and everything that depends on it.
        .concurrency_support(false)
        .wasm_gc(false)
        .wasm_function_references(false)
        .wasm_exceptions(false)
        .wasm_threads(false)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false)
        .wasm_tail_call(false)
        .wasm_stack_switching(false)
        .epoch_interruption(true)
        .consume_fuel(true)
        // Makes float results identical in every replay.
        .cranelift_nan_canonicalization(true)
        .max_wasm_stack(512 * KIB)
        .async_stack_size(2048 * KIB)
        .memory_init_cow(true);
    if compile == Compile::Quickly && HAS_BASELINE {
        config.strategy(Strategy::Winch);
    }
    config
}

fn pool(concurrent: usize) -> PoolingAllocationConfig {
    let slots = u32::try_from(concurrent.clamp(1, 4_096)).expect("clamped");
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(slots)
        .total_core_instances(slots * 4)
        .total_memories(slots)
        .total_tables(slots * 3)
        .total_stacks(slots)
        .max_memories_per_component(2)
        .max_tables_per_component(6)
        .max_core_instances_per_component(20)
        .max_component_instance_size(1 << 20)
        .max_memory_size(SLOT_MEMORY)
        .table_elements(20_000)
        // Resident pages are zeroed between tenants; a hostile guest in the tests looks for leftovers. Stacks are not
        // zeroed: a guest can only read what its own frame has written. Zeroing them took a quarter of the time of a
        // short call, and two fifths with both cores busy.
        .linear_memory_keep_resident(1024 * KIB)
        .table_keep_resident(64 * KIB)
        .pagemap_scan(Enabled::Auto)
        .max_unused_warm_slots(slots);
    pool
}

/// Increments the epoch from a dedicated thread. On a runtime, the ticker could be starved by the very guest that it
/// should stop. Ends when the engine is dropped.
pub(crate) fn tick(engine: &Engine) -> std::io::Result<()> {
    let engine = engine.weak();
    std::thread::Builder::new().name("epoch".to_owned()).spawn(move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(TICK);
        }
    })?;
    Ok(())
}
