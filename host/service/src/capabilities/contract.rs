//! One operation's contract, with everything a caller asks before it calls.

use model::contract::{Contract, Mode};
use model::grant::Grant;
use serde_json::{Value, json};

use super::cost;
use crate::config::Config;
use crate::generation::Operation;

/// The contract as this grant sees it.
pub(crate) fn describe(operation: &Operation, grant: &Grant, config: &Config) -> Value {
    let contract = &*operation.contract;
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
        "cost": cost::describe(contract),
        "side_effects": contract.side_effects,
        "idempotency_key": if contract.kind.mutates() { "required" } else { "not used" },
        "arguments": contract.arguments,
        "result": contract.result,
        "examples": contract.examples,
        "example_call": example(contract, config),
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
    if !contract.needs.is_empty() {
        data["needs"] = json!(contract.needs);
    }
    data
}

/// A call that can be pasted, over either transport.
fn example(contract: &Contract, config: &Config) -> Value {
    let arguments = contract.examples.first().cloned().unwrap_or_else(|| json!({}));
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

const EXAMPLE_KEY: &str = "a-new-key-of-your-own";
