//! One run: a fresh store and instance, the call, and what it came to.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use model::clock::SeededEntropy;
use model::contract::Kind;
use model::limits::{JSON_DEPTH, Limits};
use tokio::time::Instant;
use wasmtime::{Engine, Store, UpdateDeadline};

use crate::bindings::types;
use crate::capability::log::harmless;
use crate::egress::Guard;
use crate::invocation::{Answer, Invocation, Receipt, Run};
use crate::limiter::Limiter;
use crate::module::Target;
use crate::state::{Rights, Span, State, Used};
use crate::stop::{Denial, Fault, FaultKind, LimitKind, Stop, Trap};
use crate::tokens::Tokens;

/// What a waiting or computing guest gets beyond its deadline before its future is dropped with its store.
/// Reached only if neither the epoch nor a host function ends it first.
const GRACE: Duration = Duration::from_secs(2);
/// Bytes that a guest which may write no blob can hand over in one host call.
const TRANSFER_READ: usize = 4 << 20;
/// As [`TRANSFER_READ`] for a guest that may write: the largest blob and its key, or a large pack of rows.
const TRANSFER_WRITE: usize = 16 << 20;
/// Bytes of a refusal's detail.
const MOST_DETAIL: usize = 64 * 1024;

/// Runs to the end, whatever the end is. Called on the guests' own runtime.
pub(crate) async fn run(engine: Engine, guard: Arc<Guard>, tokens: Arc<Tokens>, invocation: Invocation) -> Run {
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
        keys,
        sends,
        edges,
        platform,
        secrets,
        cancel,
    } = invocation;
    let began = Instant::now();
    let deadline = began + limits.wall;
    let span = Span { began, deadline, cancel };
    let Some(target) = module.targets.get(&export) else {
        return Run { outcome: Err(Stop::Denied(Denial::Export)), workspace, receipt: Receipt::default() };
    };
    let state = State {
        rights: Rights { kind, queued, granted: module.granted(&export, started_by) },
        used: Used::default(),
        limiter: Limiter::new(limits.memory),
        module: Arc::clone(&module),
        entropy: SeededEntropy::new(seed),
        decisions: Vec::new(),
        uses: Vec::new(),
        secrets,
        wasi: None,
        stop: None,
        limits,
        workspace,
        now,
        seed,
        customer,
        keys,
        sends,
        edges,
        platform,
        span,
        guard,
        tokens,
    };
    let mut store = Store::new(&engine, state);
    let ended = {
        let call = AssertUnwindSafe(call(&mut store, target, arguments)).catch_unwind();
        tokio::time::timeout_at(deadline + GRACE, call).await
    };
    let outcome = match ended {
        Ok(Ok(Ok(outcome))) => outcome,
        Ok(Ok(Err(error))) => Err(stop_of(&error, store.data_mut())),
        Ok(Err(_panic)) => Err(Stop::Trap(Trap::Host)),
        Err(_elapsed) => Err(Stop::Limit(LimitKind::Wall)),
    };
    let fuel = store.data().limits.fuel.saturating_sub(store.get_fuel().unwrap_or(0));
    let state = store.into_data();
    let receipt = Receipt {
        fuel,
        peak_memory: state.limiter.peak,
        host_calls: state.used.host_calls,
        requests: state.used.requests,
        log_lines: state.used.log_lines,
        wall: Instant::now().duration_since(began),
        egress: state.decisions,
        uses: state.uses,
    };
    Run { outcome, workspace: state.workspace, receipt }
}

/// Instantiates and calls. The outer error is a trap of any kind.
async fn call(store: &mut Store<State>, target: &Target, arguments: String) -> wasmtime::Result<Result<Answer, Stop>> {
    let limits = store.data().limits.clone();
    if arguments.len() > limits.arguments {
        return Ok(Err(Stop::Limit(LimitKind::Arguments)));
    }
    let transfer = match store.data().rights.kind {
        Kind::Read => TRANSFER_READ,
        Kind::Write | Kind::Job | Kind::Destructive => TRANSFER_WRITE,
    };
    store.limiter(|state| &mut state.limiter);
    store.set_fuel(limits.fuel)?;
    store.set_hostcall_fuel(transfer.max(limits.answer.saturating_mul(2)));
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|mut context| match context.data().span.over() {
        Some(stop) => {
            context.data_mut().end(stop);
            Ok(UpdateDeadline::Interrupt)
        }
        // A yield of tokio's own, so that its timers and other runs get their turn.
        None => Ok(UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now()))),
    });
    let pre = store.data().module.pre.clone();
    let instance = pre.instantiate_async(&mut *store).await?;
    let function = instance
        .get_typed_func::<(types::Call,), (Result<types::Answer, types::Fault>,)>(&mut *store, &target.index)?;
    let (outcome,) = function.call_async(&mut *store, (types::Call { arguments },)).await?;
    Ok(match outcome {
        Ok(answer) => checked(answer, &limits),
        Err(fault) => Err(Stop::Fault(bounded(fault))),
    })
}

/// The answer, if it is a JSON object within the limits.
fn checked(answer: types::Answer, limits: &Limits) -> Result<Answer, Stop> {
    if answer.data.len() > limits.answer {
        return Err(Stop::Limit(LimitKind::Answer));
    }
    // Before the parser, which goes deeper on a stack.
    if depth(answer.data.as_bytes()) > JSON_DEPTH {
        return Err(Stop::Limit(LimitKind::Depth));
    }
    let object = answer.data.trim_start().starts_with('{');
    if !object || serde_json::from_str::<serde::de::IgnoredAny>(&answer.data).is_err() {
        return Err(Stop::Trap(Trap::Answer));
    }
    Ok(Answer { data: answer.data, units: answer.units })
}

/// The deepest nesting of JSON text, brackets in strings left out.
fn depth(text: &[u8]) -> usize {
    let (mut open, mut deepest, mut quoted, mut escaped) = (0usize, 0usize, false, false);
    for byte in text {
        match (quoted, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => quoted = !quoted,
            (false, b'{' | b'[') => {
                open += 1;
                deepest = deepest.max(open);
            }
            (false, b'}' | b']') => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// A guest's refusal within its bounds: the texts go to customers and into the audit trail.
fn bounded(fault: types::Fault) -> Fault {
    let cut = |text: &str, most: usize| harmless(text).chars().take(most).collect::<String>();
    let known = !fault.code.is_empty()
        && fault.code.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
    let detail = fault.detail.filter(|detail| {
        detail.len() <= MOST_DETAIL
            && detail.trim_start().starts_with('{')
            && depth(detail.as_bytes()) <= JSON_DEPTH
            && serde_json::from_str::<serde::de::IgnoredAny>(detail).is_ok()
    });
    Fault {
        kind: match fault.kind {
            types::Kind::NotFound => FaultKind::NotFound,
            types::Kind::Invalid => FaultKind::Invalid,
            types::Kind::Conflict => FaultKind::Conflict,
            types::Kind::Refused => FaultKind::Refused,
            types::Kind::Unavailable => FaultKind::Unavailable,
        },
        code: if known { cut(&fault.code, 64) } else { "refused_by_module".to_owned() },
        message: cut(&fault.message, 500),
        pointer: fault.pointer.map(|pointer| cut(&pointer, 256)),
        detail,
    }
}

/// Why a trap happened: what the host decided, else what wasm says.
fn stop_of(error: &wasmtime::Error, state: &mut State) -> Stop {
    if let Some(stop) = state.stop.take() {
        return stop;
    }
    if let Some(kind) = state.limiter.passed {
        return Stop::Limit(kind);
    }
    let stop = match error.downcast_ref::<wasmtime::Trap>() {
        Some(wasmtime::Trap::OutOfFuel) => Stop::Limit(LimitKind::Fuel),
        Some(wasmtime::Trap::Interrupt) => Stop::Limit(LimitKind::Wall),
        Some(wasmtime::Trap::StackOverflow) => Stop::Limit(LimitKind::Stack),
        Some(_) => Stop::Trap(Trap::Wasm),
        // The engine keeps this error's type to itself; its text is all there is.
        None if format!("{error:#}").contains("fuel allocated for hostcalls") => Stop::Limit(LimitKind::Transfer),
        None => Stop::Trap(Trap::Boundary),
    };
    if let Stop::Trap(_) = stop {
        tracing::warn!(module = &*state.module.name, code = stop.code(), cause = %format_args!("{error:#}"), "a guest broke");
    }
    stop
}

#[cfg(test)]
mod tests;
