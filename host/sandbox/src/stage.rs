//! The host side of a guest: the live host, or the tape of a recorded run.
//!
//! A tape has no store, no keys, no network and no customer, so a replay can access none of them.

use model::clock::Moment;
use wasmtime_wasi::{WasiCtxView, WasiView};

use crate::limiter::Limiter;
use crate::state::State;
use crate::stop::Stop;
use crate::tape::Tape;
use crate::wasi::Inert;

/// The data of a wasmtime store.
#[expect(clippy::large_enum_variant, reason = "one for a run, and nearly every run is live")]
pub(crate) enum Stage {
    /// The live host.
    Live(State),
    /// The recorded answers.
    Replay(Box<Tape>),
}

impl Stage {
    /// Memory, tables and instances, counted the same way in both cases.
    pub(crate) fn limiter(&mut self) -> &mut Limiter {
        match self {
            Stage::Live(state) => &mut state.limiter,
            Stage::Replay(tape) => &mut tape.limiter,
        }
    }

    /// Why the run must end now, if it must. A replay has no clock; it ends when its fuel is used up.
    pub(crate) fn over(&self) -> Option<Stop> {
        match self {
            Stage::Live(state) => state.span.over(),
            Stage::Replay(_) => None,
        }
    }

    /// Records why the run ends.
    pub(crate) fn end(&mut self, stop: Stop) {
        if let Stage::Live(state) = self {
            // The error is for host functions. Here the engine unwinds the guest itself.
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

    /// The inert WASI, if it exists already, and its inputs: moment and seed of the run.
    pub(crate) fn inert(&mut self) -> (&mut Option<Inert>, Moment, [u8; 32]) {
        match self {
            Stage::Live(state) => (&mut state.wasi, state.now, state.seed),
            Stage::Replay(tape) => (&mut tape.wasi, tape.now, tape.seed),
        }
    }
}

impl WasiView for Stage {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let (wasi, now, seed) = self.inert();
        let inert = wasi.get_or_insert_with(|| Inert::new(now, seed));
        WasiCtxView { ctx: &mut inert.context, table: &mut inert.table }
    }
}
