//! Memory, tables and instances of one run in total. wasmtime's own limiter counts each memory separately.

use wasmtime::ResourceLimiter;

use crate::stop::LimitKind;

const MOST_ELEMENTS: usize = 20_000;
/// Core instances of one run: the module, its shims, its adapters.
const MOST_INSTANCES: usize = 20;
const MOST_TABLES: usize = 8;
const MOST_MEMORIES: usize = 4;

/// The totals so far, and the first limit that was exceeded.
#[derive(Debug)]
pub(crate) struct Limiter {
    most_memory: usize,
    memory: usize,
    elements: usize,
    pub(crate) peak: usize,
    pub(crate) passed: Option<LimitKind>,
}

/// Exceeding a limit ends the run. A guest that merely got −1 from `memory.grow` would end in an unspecific trap.
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
