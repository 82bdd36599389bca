//! Memory, tables and instances of one run in total. wasmtime's own limiter counts each memory separately.

use wasmtime::ResourceLimiter;

use crate::memory::{Full, Held};
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
    /// Bytes that the host keeps for the run: rows, blobs, what is recorded.
    kept: usize,
    elements: usize,
    held: Held,
    pub(crate) peak: usize,
    pub(crate) passed: Option<LimitKind>,
    /// Whether the memory of all runs together had no room.
    pub(crate) full: bool,
}

/// Exceeding a limit ends the run. A guest that merely got −1 from `memory.grow` would end in an unspecific trap.
#[derive(Debug, thiserror::Error)]
#[error("the {} limit was reached", .0.as_str())]
struct Passed(LimitKind);

/// The memory of all runs together has no room.
#[derive(Debug, thiserror::Error)]
#[error("the memory of all runs together has no room")]
struct NoRoom;

impl Limiter {
    pub(crate) fn new(most_memory: usize, held: Held) -> Self {
        Self { most_memory, memory: 0, kept: 0, elements: 0, held, peak: 0, passed: None, full: false }
    }

    /// Counts what the host keeps for the run by now.
    pub(crate) fn keep(&mut self, kept: usize) -> Result<(), Full> {
        self.kept = self.kept.max(kept);
        self.hold()
    }

    /// What the run holds, to be released when its changes are committed.
    pub(crate) fn into_held(self) -> Held {
        self.held
    }

    fn hold(&mut self) -> Result<(), Full> {
        let held = self.held.raise_to(self.memory.saturating_add(self.kept));
        self.full |= held.is_err();
        held
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
        self.hold().map_err(|Full| wasmtime::Error::new(NoRoom))?;
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
