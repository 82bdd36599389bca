//! A replay for the author of a module: the host calls and answers in order, reduced to their shapes.

use serde_json::{Value, json};

use crate::replay::Replayed;
use crate::shape::{self, Names};
use crate::transcript::{Ending, Transcript};
use crate::witness::legible;

/// The shape of how a run ended. The code of a refusal is included, since the module defines it.
pub fn ending(transcript: &Transcript, replayed: &Replayed) -> Value {
    let names = Names::Contract(&replayed.names);
    match &transcript.ending {
        Ending::Answered { data, .. } => json!({ "answered": shape::of_text(data, names) }),
        Ending::Refused(fault) => json!({
            "refused": fault.code,
            "kind": fault.kind,
            "detail": fault.detail.as_deref().map(|detail| shape::of_text(detail, names)),
        }),
        Ending::Stopped(code) => json!({ "stopped": code }),
    }
}

/// The shapes of a whole run, as a file for a module's native tests. It contains no text, number or name of the
/// customer.
pub fn fixture(transcript: &Transcript, replayed: &Replayed) -> Value {
    let call = |exchange: &crate::transcript::Exchange| {
        let told = exchange.told.as_deref().map(|told| match legible(&exchange.function, told) {
            Some(value) => shape::of(&value, Names::Boundary(&replayed.names)),
            None => json!(format!("{} bytes", told.len())),
        });
        match told {
            Some(told) => json!({ "asked": exchange.function, "told": told }),
            None => json!({ "asked": exchange.function, "ended": transcript.ending.word() }),
        }
    };
    json!({
        "operation": transcript.export.name(),
        "module": transcript.module,
        "digest": transcript.digest,
        "engine": transcript.engine,
        "kind": transcript.kind,
        "arguments": shape::of_text(&transcript.arguments, Names::Contract(&replayed.names)),
        "calls": transcript.exchanges.iter().map(call).collect::<Vec<_>>(),
        "ending": ending(transcript, replayed),
        "fuel": transcript.fuel,
    })
}
