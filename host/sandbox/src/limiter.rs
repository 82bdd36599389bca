//! Memory, tables and instances of one run, added up: wasmtime's own limiter counts each memory by itself.

use wasmtime::ResourceLimiter;

use crate::stop::LimitKind;

/// Elements of all tables together.
const MOST_ELEMENTS: usize = 20_000;
/// Core instances of one run: the module, its shims, its adapters.
const MOST_INSTANCES: usize = 20;
/// Tables of one run.
const MOST_TABLES: usize = 8;
/// Memories of one run.
const MOST_MEMORIES: usize = 4;

/// The sum so far, and the bound that was passed first.
#[derive(Debug)]
pub(crate) struct Limiter {
    most_memory: usize,
    memory: usize,
    elements: usize,
    pub(crate) peak: usize,
    pub(crate) passed: Option<LimitKind>,
}

/// Growing past a bound ends the run: a guest that is only told −1 would end in an unspecific trap.
#[derive(Debug, thiserror::Error)]
#[error("the {} limit was reached", .0.as_str())]
struct Passed(LimitKind);

impl Limiter {
    pub(crate) fn new(most_memory: usize) -> Self {
        Self { most_memory, memory: 0, elements: 0, peak: 0, passed: None }
    }

    fn pass(&mut self, kind: LimitKind) -> wasmtime::Error {
        self.passed.get_or_insert(kind);
        wasmtime::Error::new(Passed(kind))
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.memory.saturating_add(desired.saturating_sub(current));
        if total > self.most_memory {
            return Err(self.pass(LimitKind::Memory));
        }
        self.memory = total;
        self.peak = self.peak.max(total);
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.passed.get_or_insert(LimitKind::Memory);
        Err(error)
    }

    fn table_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.elements.saturating_add(desired.saturating_sub(current));
        if total > MOST_ELEMENTS {
            return Err(self.pass(LimitKind::Table));
        }
        self.elements = total;
        Ok(true)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.passed.get_or_insert(LimitKind::Table);
        Err(error)
    }

    fn instances(&self) -> usize {
        MOST_INSTANCES
    }

    fn tables(&self) -> usize {
        MOST_TABLES
    }

    fn memories(&self) -> usize {
        MOST_MEMORIES
    }
}
