//! `random`: random bytes, reproducible from the seed of the run.

use model::clock::Entropy as _;

use crate::bindings::random;
use crate::state::State;
use crate::stop::{LimitKind, Stop};

/// Bytes that one run may draw.
const MOST_BYTES: u64 = 64 * 1024;

impl random::Host for State {
    fn bytes(&mut self, count: u32) -> wasmtime::Result<Vec<u8>> {
        self.enter()?;
        self.used.random += u64::from(count);
        if self.used.random > MOST_BYTES {
            return Err(self.end(Stop::Limit(LimitKind::Random)));
        }
        let mut bytes = vec![0; count as usize];
        self.entropy.fill(&mut bytes);
        Ok(bytes)
    }
}
