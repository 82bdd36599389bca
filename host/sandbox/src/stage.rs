//! What stands behind the boundary while a guest runs: the live host, or the tape of a run that was recorded.
//!
//! A tape has no store, no keys, no network and no customer; so a replay can reach none of them, whatever it asks.

use model::clock::Moment;

use crate::limiter::Limiter;
use crate::linker::Inert;
use crate::state::State;
use crate::stop::Stop;
use crate::tape::Tape;

/// The data of a wasmtime store.
#[expect(clippy::large_enum_variant, reason = "one for a run, and nearly every run is live")]
pub(crate) enum Stage {
    /// The host answers.
    Live(State),
    /// What the host once answered.
    Replay(Box<Tape>),
}

impl Stage {
    /// Memory, tables and instances, counted in the same way on both.
    pub(crate) fn limiter(&mut self) -> &mut Limiter {
        match self {
            Stage::Live(state) => &mut state.limiter,
            Stage::Replay(tape) => &mut tape.limiter,
        }
    }

    /// Why the run must end now, if it must. A replay has no clock: its fuel ends it.
    pub(crate) fn over(&self) -> Option<Stop> {
        match self {
            Stage::Live(state) => state.span.over(),
            Stage::Replay(_) => None,
        }
    }

    /// Keeps why the run ends.
    pub(crate) fn end(&mut self, stop: Stop) {
        if let Stage::Live(state) = self {
            // The error is for host functions; here the engine unwinds by itself.
            drop(state.end(stop));
        }
    }

    /// Why the host ended the run, if it did.
    pub(crate) fn decided(&mut self) -> Option<Stop> {
        match self {
            Stage::Live(state) => state.stop.take(),
            Stage::Replay(_) => None,
        }
    }

    /// The inert WASI, once it is made, and what it is made of: moment and seed of the run.
    pub(crate) fn inert(&mut self) -> (&mut Option<Inert>, Moment, [u8; 32]) {
        match self {
            Stage::Live(state) => (&mut state.wasi, state.now, state.seed),
            Stage::Replay(tape) => (&mut tape.wasi, tape.now, tape.seed),
        }
    }
}
