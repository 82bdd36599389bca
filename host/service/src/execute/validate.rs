//! 422: whether the arguments satisfy the contract, and with which defaults.

pub(crate) mod explain;
mod secret;

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
    /// Over the arguments as sent, so that a new default never changes it.
    pub(super) fingerprint: String,
    /// What the contract marks secret, by the handles that stand in its place above.
    pub(super) secrets: Secrets,
}

impl Arguments {
    /// The website that the call is about, where it names one.
    pub(super) fn site(&self) -> Option<String> {
        Some(self.filled.get("site_id")?.as_str()?.to_owned())
    }
}

/// Members that a caller must never send: they come from the token, the path and the header.
const FORBIDDEN: [&str; 3] = ["customer_id", "operation_id", "idempotency_key"];

/// Checks the arguments and the presence of the key.
pub(super) fn validate(
    permit: &Permit,
    call: &Call,
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
    let sent = Value::Object(call.arguments.clone());
    if let Some(refusal) =
        explain::first_error(&permit.operation.arguments, &contract.arguments, &contract.secrets, &sent)
    {
        return Err(refusal);
    }
    if contract.kind.mutates() && call.key.is_none() {
        return Err(Refusal::of(
            &codes::IDEMPOTENCY_KEY_REQUIRED,
            "this operation changes something: send a new Idempotency-Key of 8 to 200 printable characters, and the same one to repeat it",
        ));
    }
    let mut filled = call.arguments.clone();
    fill_defaults(&contract.arguments, &mut filled);
    let taken = secret::take(&contract.id, &contract.secrets, &call.arguments, filled, keys, entropy);
    let text = serde_json::to_string(&taken.handled).expect("a JSON object can be written");
    if text.len() > permit.operation.limits.arguments {
        return Err(Refusal::of(
            &codes::ARGUMENTS_TOO_LARGE,
            format!("arguments are at most {} bytes", permit.operation.limits.arguments),
        ));
    }
    let fingerprint = canonical::fingerprint(&contract.id, &taken.hashed);
    let names = call.arguments.keys().cloned().collect();
    Ok(Arguments { text, filled: taken.handled, names, fingerprint, secrets: taken.secrets })
}

/// What is wrong with arguments that nobody runs; none when a call could have them.
pub(crate) fn first_error(operation: &Operation, sent: &Map<String, Value>) -> Option<Refusal> {
    let contract = &operation.contract;
    let sent = Value::Object(sent.clone());
    explain::first_error(&operation.arguments, &contract.arguments, &contract.secrets, &sent)
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
