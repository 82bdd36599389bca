//! The course of one call of the fake host: its begin, its end, and back to what was before.

use crate::Kind;

use super::held::Held;
use super::world::World;

impl World {
    pub(super) fn begin(&self, kind: Kind, queued: bool) -> Held {
        let mut state = self.state.borrow_mut();
        let before = state.clone();
        state.running = Some((kind, queued));
        state.began = state.waited;
        before
    }

    /// Milliseconds that the call before waited.
    pub(super) fn waited(&self) -> u64 {
        let state = self.state.borrow();
        state.waited - state.began
    }

    pub(super) fn end(&self) {
        self.outside.set(None);
        self.state.borrow_mut().running = None;
    }

    /// Undoes a refused call; what was cached and traced stays.
    pub(super) fn restore(&self, before: Held) {
        let mut state = self.state.borrow_mut();
        let (cache, trace) = (std::mem::take(&mut state.cache), std::mem::take(&mut state.trace));
        *state = Held { cache, trace, ..before };
    }
}
