//! One execution of a guest: a fresh instance, the call, and the checks of its answer. Runs and replays share it, so
//! that both take the same fuel and end alike.

use model::contract::Kind;
use model::legible::escape;
use model::limits::{JSON_DEPTH, Limits};
use wasmtime::component::{ComponentExportIndex, InstancePre};
use wasmtime::{Store, UpdateDeadline};

use crate::bindings::types;
use crate::export::Answer;
use crate::stage::Stage;
use crate::stop::{Fault, FaultKind, LimitKind, Stop, Trap};

/// Bytes that a guest which may not write can pass in one host call.
const TRANSFER_READ: usize = 4 << 20;
/// As [`TRANSFER_READ`] for a guest that may write: the largest blob and its key, or a large batch of rows.
const TRANSFER_WRITE: usize = 16 << 20;
/// Fuel between two yields, about two milliseconds.
pub(crate) const TURN: u64 = 10_000_000;
/// Bytes of a fault's detail.
const MOST_DETAIL: usize = 64 * 1024;

/// The function to execute, and its limits.
pub(crate) struct Piece<'a> {
    pub(crate) pre: &'a InstancePre<Stage>,
    pub(crate) index: &'a ComponentExportIndex,
    pub(crate) kind: Kind,
    pub(crate) limits: &'a Limits,
    /// The limit, or for a replay the fuel that the recorded run took before it was ended from outside.
    pub(crate) fuel: u64,
}

/// Instantiates and calls. The outer error is a trap of any kind.
pub(crate) async fn perform(
    store: &mut Store<Stage>,
    piece: &Piece<'_>,
    arguments: String,
) -> wasmtime::Result<Result<Answer, Stop>> {
    let limits = piece.limits;
    if arguments.len() > limits.arguments {
        return Ok(Err(Stop::Limit(LimitKind::Arguments)));
    }
    let transfer = match piece.kind {
        Kind::Read => TRANSFER_READ,
        Kind::Write | Kind::Job | Kind::Destructive => TRANSFER_WRITE,
    };
    store.limiter(|stage| stage.limiter());
    store.set_fuel(piece.fuel)?;
    // Yield by fuel and not by time: a yield takes no fuel, so that a replay takes the same amount.
    store.fuel_async_yield_interval(Some(TURN))?;
    store.set_hostcall_fuel(transfer.max(limits.answer.saturating_mul(2)));
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|mut context| match context.data().over() {
        Some(stop) => {
            context.data_mut().end(stop);
            Ok(UpdateDeadline::Interrupt)
        }
        // A yield through tokio, so that its timers and other runs make progress.
        None => Ok(UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now()))),
    });
    let instance = piece.pre.instantiate_async(&mut *store).await?;
    let function =
        instance.get_typed_func::<(types::Call,), (Result<types::Answer, types::Fault>,)>(&mut *store, piece.index)?;
    let (outcome,) = function.call_async(&mut *store, (types::Call { arguments },)).await?;
    Ok(match outcome {
        Ok(answer) => checked(answer, limits),
        Err(fault) => Err(Stop::Fault(bounded(fault))),
    })
}

/// Classifies an error that the host did not cause.
pub(crate) fn broken(error: &wasmtime::Error, passed: Option<LimitKind>) -> Stop {
    if let Some(kind) = passed {
        return Stop::Limit(kind);
    }
    match error.downcast_ref::<wasmtime::Trap>() {
        Some(wasmtime::Trap::OutOfFuel) => Stop::Limit(LimitKind::Fuel),
        Some(wasmtime::Trap::Interrupt) => Stop::Limit(LimitKind::Wall),
        Some(wasmtime::Trap::StackOverflow) => Stop::Limit(LimitKind::Stack),
        Some(_) => Stop::Trap(Trap::Wasm),
        // The engine does not export this error's type, so match its text.
        None if format!("{error:#}").contains("fuel allocated for hostcalls") => Stop::Limit(LimitKind::Transfer),
        None => Stop::Trap(Trap::Boundary),
    }
}

/// Checks that the answer is a JSON object within the limits.
fn checked(answer: types::Answer, limits: &Limits) -> Result<Answer, Stop> {
    if answer.data.len() > limits.answer {
        return Err(Stop::Limit(LimitKind::Answer));
    }
    // Before the parser, which recurses.
    if depth(answer.data.as_bytes()) > JSON_DEPTH {
        return Err(Stop::Limit(LimitKind::Depth));
    }
    let object = answer.data.trim_start().starts_with('{');
    if !object || serde_json::from_str::<serde::de::IgnoredAny>(&answer.data).is_err() {
        return Err(Stop::Trap(Trap::Answer));
    }
    Ok(Answer { data: answer.data, units: answer.units })
}

/// The nesting depth of JSON text, ignoring brackets in strings.
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

/// Bytes of each text of a fault before it is cut to its characters.
const MAX_FAULT_BYTES: usize = 1_024;

/// Bounds and escapes a guest's fault: its texts go to customers and into the audit trail.
fn bounded(fault: types::Fault) -> Fault {
    let cut = |text: &str, most: usize| escape(text, MAX_FAULT_BYTES).chars().take(most).collect::<String>();
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

#[cfg(test)]
mod tests;
