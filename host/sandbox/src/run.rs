//! One run: a fresh store and instance, the call, and its outcome.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use model::clock::SeededEntropy;
use tokio::time::Instant;
use wasmtime::Store;

use crate::egress::{Guard, Lane};
use crate::export::Export;
use crate::invocation::{Invocation, Receipt, Run};
use crate::limiter::Limiter;
use crate::memory::Held;
use crate::module::Module;
use crate::perform::{Piece, broken, perform};
use crate::recorder::Recorder;
use crate::span::Span;
use crate::stage::Stage;
use crate::state::{Rights, State, Used};
use crate::stop::{Denial, LimitKind, Stop, Trap};
use crate::tokens::Tokens;
use crate::transcript::{Ending, Recording, Transcript};

/// How long a guest may overrun its deadline before its future is dropped with its store. A backstop, for when neither
/// the epoch nor a host function ends it first.
const GRACE: Duration = Duration::from_secs(2);

pub(crate) async fn run(guard: Arc<Guard>, tokens: Arc<Tokens>, held: Held, invocation: Invocation) -> Run {
    let Invocation {
        module,
        export,
        started_by,
        kind,
        queued,
        limits,
        arguments,
        workspace,
        now,
        seed,
        customer,
        owned,
        keys,
        sends,
        edges,
        platform,
        offer,
        secrets,
        slot,
        record,
        cancel,
    } = invocation;
    let span = Span::new(limits.wall, cancel, slot);
    let code = module.code();
    let Some(index) = code.index(&export) else {
        return Run::refused(Stop::Denied(Denial::Export), workspace);
    };
    // Cloned, since the guest consumes the arguments.
    let begun = record.then(|| arguments.clone());
    let state = State {
        rights: Rights { kind, queued, granted: module.granted(&export, started_by) },
        used: Used::default(),
        limiter: Limiter::new(limits.memory, held),
        module: Arc::clone(&module),
        entropy: SeededEntropy::new(seed),
        decisions: Vec::new(),
        uses: Vec::new(),
        spent: Vec::new(),
        secrets,
        wasi: None,
        recorder: record.then(Recorder::default),
        stop: None,
        limits: limits.clone(),
        workspace: workspace.within(&limits),
        now,
        seed,
        customer,
        lane: if matches!(export, Export::Step(_)) { Lane::Job } else { Lane::Call },
        owned,
        keys,
        sends,
        edges,
        platform,
        offer,
        span: span.clone(),
        guard,
        tokens,
    };
    let piece = Piece { pre: &code.pre, index, kind, limits: &limits, fuel: limits.fuel };
    let mut store = Store::new(&code.engine, Stage::Live(state));
    let ended = {
        let call = span.counts(AssertUnwindSafe(perform(&mut store, &piece, arguments)).catch_unwind());
        tokio::time::timeout_at(span.end() + GRACE, call).await
    };
    let outcome = match ended {
        Ok(Ok(Ok(outcome))) => outcome,
        Ok(Ok(Err(error))) => Err(stop_of(&error, store.data_mut(), &module)),
        Ok(Err(_panic)) => Err(Stop::Trap(Trap::Host)),
        Err(_elapsed) => Err(Stop::Limit(LimitKind::Wall)),
    };
    let fuel = limits.fuel.saturating_sub(store.get_fuel().unwrap_or(0));
    let Stage::Live(mut state) = store.into_data() else { unreachable!("a run is live from its start") };
    let recording = begun.zip(state.recorder.take()).map(|(arguments, recorder)| match recorder.exchanges() {
        None => Recording::TooLarge,
        Some(exchanges) => Recording::Whole(Box::new(Transcript {
            module: Arc::clone(&module.name),
            digest: Arc::clone(&module.digest),
            engine: code.made_by.clone(),
            inert: module.is_inert(),
            export,
            kind,
            limits,
            arguments,
            now,
            seed,
            exchanges,
            ending: Ending::of(&outcome),
            fuel,
        })),
    });
    let receipt = Receipt {
        fuel,
        host_fuel: state.host_fuel(),
        peak_memory: state.limiter.peak,
        host_calls: state.used.host_calls,
        requests: state.used.requests,
        log_lines: state.used.log_lines,
        wall: Instant::now().duration_since(span.began),
        egress: state.decisions,
        uses: state.uses,
        spent: state.spent,
        journal: state.sends.as_ref().map(|it| it.run().to_owned()),
        undeclared: state.used.undeclared,
    };
    // Nothing of a failed run is committed, so nothing of it is kept.
    let workspace = if outcome.is_ok() { state.workspace } else { state.workspace.emptied() };
    Run { outcome, workspace, receipt, recording, _held: state.limiter.into_held() }
}

/// Why a trap happened: the host's decision, or else the wasm error.
fn stop_of(error: &wasmtime::Error, stage: &mut Stage, module: &Module) -> Stop {
    if let Some(stop) = stage.decided() {
        return stop;
    }
    if stage.limiter().full {
        return Stop::Busy;
    }
    let stop = broken(error, stage.limiter().passed);
    if let Stop::Trap(_) = stop {
        tracing::warn!(module = &*module.name, code = stop.code(), cause = %format_args!("{error:#}"), "a guest broke");
    }
    stop
}
