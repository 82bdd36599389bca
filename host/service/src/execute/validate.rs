//! 422: whether the arguments satisfy the contract, and with which defaults.

pub(crate) mod explain;
mod secret;
mod unseen;

use model::call::Call;
use model::canonical;
use model::clock::Entropy;
use model::keys::KeyRing;
use model::refusal::{Refusal, codes};
use sandbox::Secrets;
use serde_json::{Map, Value};

use super::authorize::Permit;
use crate::generation::Operation;

/// Arguments that satisfy the contract.
pub(super) struct Arguments {
    /// With defaults filled in, as the guest gets them.
    pub(super) text: String,
    /// What the cost's bounds are read from.
    pub(super) filled: Map<String, Value>,
    /// The names of what was sent, without the values: for the trail.
    pub(super) names: Vec<String>,
    /// The key, where the operation changes something.
    pub(super) keyed: Option<Keyed>,
    /// What the contract marks secret, by the handles that stand in its place above.
    pub(super) secrets: Secrets,
}

/// An idempotency key as sent, and what it stands for.
pub(super) struct Keyed {
    pub(super) key: String,
    /// Over the operation and the arguments as sent, so that a new default never changes it.
    pub(super) fingerprint: String,
}

impl Arguments {
    /// The website that the call is about, where it names one.
    pub(super) fn site(&self) -> Option<String> {
        Some(self.filled.get("site_id")?.as_str()?.to_owned())
    }
}

/// Members that a caller must never send: they come from the token, the path and the header.
const FORBIDDEN: [&str; 3] = ["customer_id", "operation_id", "idempotency_key"];

/// Checks the arguments and the presence of the key. The arguments as they were sent end here.
pub(super) fn validate(
    permit: &Permit,
    call: &mut Call,
    keys: &KeyRing,
    entropy: &dyn Entropy,
) -> Result<Arguments, Refusal> {
    let contract = &permit.operation.contract;
    if let Some(name) = FORBIDDEN.iter().find(|name| call.arguments.contains_key(**name)) {
        return Err(Refusal::invalid_arguments(
            format!("/{name}"),
            format!("{name} is never an argument: it follows from the token, the path or the header"),
        ));
    }
    let sent = Value::Object(std::mem::take(&mut call.arguments));
    if let Some(refusal) =
        explain::first_error(&permit.operation.arguments, &contract.arguments, &contract.secrets, &sent)
    {
        return Err(refusal);
    }
    if let Some(refusal) = unseen::refuse(&sent) {
        return Err(refusal);
    }
    let Value::Object(sent) = sent else { unreachable!("it was made an object above") };
    let keyed = match &call.key {
        _ if !contract.kind.mutates() => None,
        Some(key) => {
            let hashed = secret::hashed(&contract.id, &contract.secrets, &sent, keys);
            Some(Keyed { key: key.clone(), fingerprint: canonical::fingerprint(&contract.id, &hashed) })
        }
        None => {
            return Err(Refusal::of(
                &codes::IDEMPOTENCY_KEY_REQUIRED,
                "this operation changes something: send a new Idempotency-Key of 8 to 200 printable characters, and the same one to repeat it",
            )
            .with("pointer", "/idempotency_key"));
        }
    };
    let names = sent.keys().cloned().collect();
    let mut filled = sent;
    fill_defaults(&contract.arguments, &mut filled);
    let (handled, secrets) = secret::take(&contract.secrets, filled, entropy);
    let text = serde_json::to_string(&handled).expect("a JSON object can be written");
    if text.len() > permit.operation.limits.arguments {
        return Err(Refusal::of(
            &codes::ARGUMENTS_TOO_LARGE,
            format!("arguments are at most {} bytes", permit.operation.limits.arguments),
        ));
    }
    Ok(Arguments { text, filled: handled, names, keyed, secrets })
}

/// What is wrong with arguments that nobody runs; none when a call could have them.
pub(crate) fn first_error(operation: &Operation, sent: &Map<String, Value>) -> Option<Refusal> {
    let contract = &operation.contract;
    let sent = Value::Object(sent.clone());
    explain::first_error(&operation.arguments, &contract.arguments, &contract.secrets, &sent)
        .or_else(|| unseen::refuse(&sent))
}

/// Arguments with their defaults.
pub(crate) fn filled(operation: &Operation, sent: &Map<String, Value>) -> Map<String, Value> {
    let mut filled = sent.clone();
    fill_defaults(&operation.contract.arguments, &mut filled);
    filled
}

fn fill_defaults(schema: &Value, arguments: &mut Map<String, Value>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, property) in properties {
        if let Some(default) = property.get("default").filter(|default| !default.is_null())
            && !arguments.contains_key(name)
        {
            arguments.insert(name.clone(), default.clone());
        }
    }
}
