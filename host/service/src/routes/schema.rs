//! What each door takes, as JSON Schema: validated here, shown by MCP as `inputSchema`, and told apart from
//! an operation's own arguments, which its contract describes.

use std::sync::LazyLock;

use jsonschema::Validator;
use model::contract::Kind;
use model::refusal::Refusal;
use serde_json::{Map, Value, json};

use super::Route;
use crate::execute::validate::explain;
use crate::feedback::{CATEGORIES, COMPLETION_STATES};

/// Websites on one page.
pub const WEBSITES_AT_MOST: u32 = 50;
/// Results of one search.
pub const RESULTS_AT_MOST: u32 = 20;
/// Characters of a search's goal, least and most.
pub const QUERY: (u32, u32) = (3, 160);
/// Characters of a module's name.
pub const MODULE_AT_MOST: u32 = 64;
/// Characters of an operation's id.
pub const OPERATION_AT_MOST: u32 = 128;
/// Characters of an idempotency key, least and most.
pub const KEY: (usize, usize) = (8, 200);
/// Characters of an intent reference; ours have 30.
pub const INTENT_REF_AT_MOST: u32 = 64;
/// Characters of a cursor of the catalog; ours have 16.
pub const CURSOR_AT_MOST: u32 = 64;
/// Units that a cost can be estimated for: more than any contract allows.
pub const UNITS_AT_MOST: u64 = 1_000_000_000;
/// Characters of the stated goal of a feedback record.
pub const FEEDBACK_INTENT_AT_MOST: u32 = 2_000;
/// Characters of the message of a feedback record.
pub const FEEDBACK_MESSAGE_AT_MOST: u32 = 4_000;

struct Door {
    schema: Value,
    validator: Validator,
}

static DOORS: LazyLock<[Door; 9]> = LazyLock::new(|| {
    Route::ALL.map(|route| {
        let schema = build(route);
        let validator =
            jsonschema::draft202012::options().build(&schema).expect("the schemas of the doors are written here");
        Door { schema, validator }
    })
});

/// The schema of a door's arguments; root type object, draft 2020-12.
pub fn of(route: Route) -> &'static Value {
    &door(route).schema
}

fn door(route: Route) -> &'static Door {
    let at = Route::ALL.iter().position(|other| *other == route).expect("ALL has all of them");
    &DOORS[at]
}

/// 422 when the arguments do not fit the door.
pub(crate) fn check(route: Route, arguments: &Map<String, Value>) -> Result<(), Refusal> {
    let key = arguments.get("idempotency_key").and_then(Value::as_str);
    if key.is_some_and(|key| !printable(key)) {
        return Err(Refusal::invalid_arguments(
            "/idempotency_key",
            "an idempotency key has 8 to 200 printable ASCII characters",
        ));
    }
    let Door { schema, validator } = door(route);
    if let Some(refusal) = explain::first_error(validator, schema, &[], &Value::Object(arguments.clone())) {
        return Err(refusal);
    }
    if route == Route::Search && !["query", "module", "kind"].iter().any(|name| arguments.contains_key(*name)) {
        return Err(Refusal::invalid_arguments("/query", "give at least one of query, module and kind")
            .with("allowed", json!({ "any_of": ["query", "module", "kind"] })));
    }
    Ok(())
}

fn printable(key: &str) -> bool {
    (KEY.0..=KEY.1).contains(&key.len()) && key.bytes().all(|byte| (0x20..=0x7e).contains(&byte))
}

/// Website references are strings even when they are digits only, and a client made from the contract's
/// integer type sends numbers: both mean the same website.
pub(crate) fn strings_stay_strings(arguments: &mut Map<String, Value>) {
    for name in ["site_id", "before_site_id"] {
        if let Some(value @ Value::Number(_)) = arguments.get_mut(name)
            && let Some(digits) = value.as_u64()
        {
            *value = Value::String(digits.to_string());
        }
    }
}

fn build(route: Route) -> Value {
    let cursor = || json!({ "type": "string", "minLength": 1, "maxLength": CURSOR_AT_MOST, "description": "next_cursor of the page before" });
    let intent_ref = |description: &str| json!({ "type": "string", "minLength": 1, "maxLength": INTENT_REF_AT_MOST, "description": description });
    let operation_id = |description: &str| json!({ "type": "string", "minLength": 1, "maxLength": OPERATION_AT_MOST, "description": description });
    let (properties, required): (Value, &[&str]) = match route {
        Route::Account | Route::Usage => (json!({}), &[]),
        Route::Search => (
            json!({
                "query": { "type": "string", "minLength": QUERY.0, "maxLength": QUERY.1, "description": "The user's real goal in words, not a keyword" },
                "module": { "type": "string", "minLength": 1, "maxLength": MODULE_AT_MOST, "description": "One product module" },
                "kind": { "type": "string", "enum": KINDS.map(Kind::as_str) },
                "limit": { "type": "integer", "minimum": 1, "maximum": RESULTS_AT_MOST, "default": crate::capabilities::DEFAULT_LIMIT },
                "cursor": cursor(),
            }),
            &[],
        ),
        Route::Contract => (
            json!({
                "operation_id": operation_id("As found by search"),
                "intent_ref": intent_ref("From the search"),
                "units": { "type": "integer", "minimum": 0, "maximum": UNITS_AT_MOST, "description": "Estimate the cost for so many of its units" },
                "cursor": cursor(),
            }),
            &["operation_id"],
        ),
        Route::Execute => (
            json!({
                "operation_id": operation_id("As found by search"),
                "arguments": { "type": "object", "default": {}, "description": "The operation's arguments, as its contract says" },
                "idempotency_key": { "type": "string", "minLength": KEY.0, "maxLength": KEY.1, "description": "Needed for write, job and destructive: new for a new request, the same to repeat it" },
                "intent_ref": intent_ref("From the search"),
                "contract_digest": { "type": "string", "pattern": "^sha256:[0-9a-f]{64}$", "description": "From the contract; 409 contract_changed when it is another one by now" },
            }),
            &["operation_id"],
        ),
        Route::Websites => (
            json!({
                "limit": { "type": "integer", "minimum": 1, "maximum": WEBSITES_AT_MOST },
                "before_site_id": { "type": "string", "minLength": 1, "maxLength": 64, "description": "next_before_site_id of the page before" },
            }),
            &[],
        ),
        Route::Website => (
            json!({ "site_id": { "type": "string", "minLength": 1, "maxLength": 64, "description": "As listed" } }),
            &["site_id"],
        ),
        Route::Audit => (
            json!({
                "site_id": { "type": "string", "description": "As listed; give this, url or both" },
                "url": { "type": "string", "description": "A page to begin with" },
                "max_pages": { "type": "integer", "description": "Live pages to read" },
                "focus": { "type": "string", "description": "What to look at" },
            }),
            &[],
        ),
        Route::Feedback => (
            json!({
                "category": { "type": "string", "enum": CATEGORIES },
                "completion_state": { "type": "string", "enum": COMPLETION_STATES },
                "intent": { "type": "string", "minLength": 3, "maxLength": FEEDBACK_INTENT_AT_MOST, "description": "The goal; credentials are replaced by [redacted]" },
                "intent_ref": intent_ref("From the search"),
                "operation_id": operation_id("The operation it is about"),
                "message": { "type": "string", "maxLength": FEEDBACK_MESSAGE_AT_MOST, "description": "What happened and what was expected" },
            }),
            &["category", "completion_state", "intent"],
        ),
    };
    let mut schema = json!({ "type": "object", "properties": properties });
    if route != Route::Audit {
        schema["additionalProperties"] = json!(false);
    }
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// Every kind, as a search may ask for it.
const KINDS: [Kind; 4] = [Kind::Read, Kind::Write, Kind::Job, Kind::Destructive];
