//! The one engine of a process: what it compiles, how it allocates, and the ticks by which runs are stopped.

use std::time::Duration;

use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy};

use crate::config::Compile;

/// Between two ticks: how long a computing guest goes on after its deadline.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// The largest memory of a slot; a lock cannot raise beyond it.
const SLOT_MEMORY: usize = 256 << 20;

const KIB: usize = 1024;

/// An engine with a pool, or on demand where the address space is too small for one (containers, CI).
/// Both behave the same; the pool is some ten times faster.
pub(crate) fn new(concurrent: usize, compile: Compile) -> wasmtime::Result<(Engine, bool)> {
    let mut pooled = settings(compile);
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(concurrent)));
    match Engine::new(&pooled) {
        Ok(engine) => Ok((engine, true)),
        Err(error) => {
            tracing::warn!(cause = %error, "no room for an instance pool; instances are made on demand");
            Ok((Engine::new(&settings(compile))?, false))
        }
    }
}

/// Engine, version and machine, as a transcript names them: by these a replay takes the same fuel to the unit.
pub(crate) fn name() -> String {
    format!("wasmtime {} {}", wasmtime_environ::VERSION, std::env::consts::ARCH)
}

fn settings(compile: Compile) -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        // Component async and everything that comes with it.
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
        // Equal bits in every replay.
        .cranelift_nan_canonicalization(true)
        .max_wasm_stack(512 * KIB)
        .async_stack_size(2048 * KIB)
        .memory_init_cow(true);
    // One pass over each function; it knows fuel, epochs and canonical NaNs, and these two machines.
    if compile == Compile::Quickly && cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
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
        // Kept pages are wiped between tenants; a hostile guest in the tests looks for what was left. Stacks are not: no
        // instruction of a guest reads of its stack but what its own frame has written, and wiping them took a quarter of a
        // short call alone, two fifths where both cores were busy.
        .linear_memory_keep_resident(1024 * KIB)
        .table_keep_resident(64 * KIB)
        .pagemap_scan(Enabled::Auto)
        .max_unused_warm_slots(slots);
    pool
}

/// Raises the epoch from a thread of its own: a ticker on a runtime can be starved by the guest it should stop.
/// Ends when the engine is gone.
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
