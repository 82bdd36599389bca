//! One operation's contract, with everything a caller asks before it calls, in as many pages as the budget wants.

use model::contract::{Contract, Mode};
use model::grant::Grant;
use model::id::RequestId;
use model::refusal::Refusal;
use serde_json::{Map, Value, json};

use super::{budget, cost, cursor, parts, undo};
use crate::config::Config;
use crate::execute::validate;
use crate::generation::{Generation, Operation};

/// Bytes that a page holds beside its part of the schema: ids, digest, cursor, intent.
const BESIDE: usize = 500;
/// Bytes that the first page leaves to the result at least, however long the rest is.
const RESULT_AT_LEAST: usize = 600;

/// A page of the contract within the budget: the first has everything but what is too long of the result's schema, the
/// others have that. `units` is what an estimate is wanted for.
///
/// # Errors
/// 422 for a cursor that is not of this contract.
pub(super) fn page(
    generation: &Generation,
    operation: &Operation,
    grant: &Grant,
    config: &Config,
    asked: (Option<u64>, Option<&str>),
) -> Result<Value, Refusal> {
    let (units, place) = asked;
    let at = cursor::read(&operation.digest, place)?;
    let mut first = describe(generation, operation, grant, config, units);
    let whole = budget::data(budget::CONTRACT) - BESIDE;
    let beside = budget::bytes(&first) - budget::bytes(&first["result"]);
    let room = whole.saturating_sub(beside).max(RESULT_AT_LEAST);
    let split = parts::split(&operation.contract.result, room, whole);
    let more = at < split.pages.len();
    let mut data = match at.checked_sub(1) {
        None => {
            first["result"] = split.first;
            if more {
                first["rest"] = json!("result refers to $defs that follow under next_cursor; all else is here");
            }
            first
        }
        Some(page) => {
            // A cursor is written for pages that exist; the digest says that they still do.
            let definitions = split.pages.into_iter().nth(page).unwrap_or_else(|| json!({}));
            json!({
                "operation_id": operation.contract.id,
                "contract_digest": &*operation.digest,
                "result": definitions,
            })
        }
    };
    if more {
        data["next_cursor"] = json!(cursor::write(&operation.digest, at + 1));
    }
    Ok(data)
}

/// The contract as this grant sees it, whole.
pub(crate) fn describe(
    generation: &Generation,
    operation: &Operation,
    grant: &Grant,
    config: &Config,
    units: Option<u64>,
) -> Value {
    let contract = &*operation.contract;
    let example = contract.examples.first().and_then(Value::as_object).cloned().unwrap_or_default();
    let mut cost = cost::describe(contract);
    cost["estimate"] = match units {
        Some(units) => cost::of_units(contract, units),
        None => cost::of_arguments(contract, &validate::filled(operation, &example)),
    };
    if generation.operation(ESTIMATE).is_some() && contract.id != ESTIMATE {
        cost["estimate_with"] = json!(ESTIMATE);
    }
    let missing = contract.scopes.missing_from(&grant.scopes);
    let mut data = json!({
        "operation_id": contract.id,
        "module": contract.module(),
        "kind": contract.kind.as_str(),
        "mode": contract.mode.as_str(),
        "summary": contract.summary,
        "scopes": contract.scopes,
        "granted": missing.is_empty(),
        "missing_scopes": missing,
        "cost": cost,
        "side_effects": contract.side_effects,
        "idempotency_key": if contract.kind.mutates() { "required" } else { "not used" },
        "arguments": contract.arguments,
        "result": contract.result,
        "examples": contract.examples,
        "example_call": example_call(contract, &example, config),
        "contract_digest": &*operation.digest,
    });
    if !contract.description.is_empty() {
        data["description"] = json!(contract.description);
    }
    if let Some(price) = cost::describe_native(contract) {
        data["native_price"] = price;
    }
    if let Some(read) = &contract.result_operation {
        data["result_operation"] = json!(read);
    }
    if contract.mode == Mode::Queued {
        data["after_the_call"] =
            json!("the answer says queued, not done; read result_operation until the state is final");
    }
    if let Some(undo) = undo::undo(contract, generation) {
        data["undo"] = undo;
    }
    if !contract.needs.is_empty() {
        data["needs"] = json!(contract.needs);
    }
    data
}

/// A call that can be pasted, over either transport.
fn example_call(contract: &Contract, arguments: &Map<String, Value>, config: &Config) -> Value {
    let mut headers = json!({
        "Authorization": "Bearer <ACCESS_TOKEN>",
        "Content-Type": "application/json",
    });
    let mut tool = json!({ "operation_id": contract.id, "arguments": arguments });
    if contract.kind.mutates() {
        headers["Idempotency-Key"] = json!(EXAMPLE_KEY);
        tool["idempotency_key"] = json!(EXAMPLE_KEY);
    }
    json!({
        "rest": {
            "method": "POST",
            "url": format!("{}/operations/{}", config.base_url(), contract.id),
            "headers": headers,
            "body": arguments,
        },
        "mcp": { "tool": "service_action_execute", "arguments": tool },
    })
}

/// Gives the example call a key of its own: whoever pastes two answers makes two calls, whoever pastes one twice makes
/// one.
pub(super) fn with_fresh_key(data: &mut Value, request: &RequestId) {
    let key = json!(format!("key-{request}"));
    for pointer in ["/example_call/rest/headers/Idempotency-Key", "/example_call/mcp/arguments/idempotency_key"] {
        if let Some(place) = data.pointer_mut(pointer) {
            *place = key.clone();
        }
    }
}

/// Prices a call with its own arguments, checks and all.
const ESTIMATE: &str = "account.cost.estimate";

/// As long as a key with a request id.
const EXAMPLE_KEY: &str = "a-new-key-of-your-own-for-each-call";
