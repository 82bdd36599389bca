//! The bounds of each door, and how a request becomes a call.

use serde_json::{Map, Value, json};

use super::{Route, call, schema};

fn members(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[track_caller]
fn pointer(route: Route, arguments: Value) -> Option<String> {
    let refusal = schema::check(route, &members(arguments)).err()?;
    assert_eq!(refusal.code, "invalid_arguments");
    Some(refusal.detail["pointer"].as_str().unwrap().to_owned())
}

#[test]
fn bounds_are_those_of_the_specification() {
    let of = |length: usize| "a".repeat(length);
    for (route, arguments, wrong) in [
        (Route::Search, json!({ "query": of(3) }), None),
        (Route::Search, json!({ "query": of(2) }), Some("/query")),
        (Route::Search, json!({ "query": of(160), "limit": 20 }), None),
        (Route::Search, json!({ "query": of(161) }), Some("/query")),
        (Route::Search, json!({ "module": of(64) }), None),
        (Route::Search, json!({ "module": of(65) }), Some("/module")),
        (Route::Search, json!({ "kind": "job" }), None),
        (Route::Search, json!({ "kind": "queued" }), Some("/kind")),
        (Route::Search, json!({ "limit": 5 }), Some("/query")),
        (Route::Search, json!({ "kind": "job", "cursor": of(64) }), None),
        (Route::Search, json!({ "kind": "job", "cursor": of(65) }), Some("/cursor")),
        (Route::Contract, json!({ "operation_id": "a", "units": 0 }), None),
        (Route::Contract, json!({ "operation_id": "a", "units": 1_000_000_001 }), Some("/units")),
        (Route::Contract, json!({ "operation_id": "a", "units": "ten" }), Some("/units")),
        (Route::Websites, json!({ "limit": 50 }), None),
        (Route::Websites, json!({ "limit": 51 }), Some("/limit")),
        (Route::Websites, json!({ "limit": 0 }), Some("/limit")),
        (Route::Contract, json!({ "operation_id": of(128) }), None),
        (Route::Contract, json!({ "operation_id": of(129) }), Some("/operation_id")),
        (Route::Account, json!({ "customer_id": "x" }), Some("/customer_id")),
        (Route::Audit, json!({ "anything": { "goes": true } }), None),
    ] {
        assert_eq!(pointer(route, arguments.clone()).as_deref(), wrong, "{route:?} {arguments}");
    }
}

#[test]
fn a_misspelt_argument_is_told_the_nearest_name() {
    let refusal = schema::check(Route::Search, &members(json!({ "query": "list", "limits": 3 }))).unwrap_err();
    assert_eq!(refusal.detail["nearest"], "limit");
}

#[test]
fn website_references_stay_strings_even_when_they_come_as_numbers() {
    let mut arguments = members(json!({ "site_id": 4_503_599_627_370_496_u64, "before_site_id": "007", "limit": 3 }));
    schema::strings_stay_strings(&mut arguments);
    assert_eq!(Value::Object(arguments), json!({ "site_id": "4503599627370496", "before_site_id": "007", "limit": 3 }));
}

#[test]
fn an_execution_keeps_the_operations_arguments_apart_from_its_own() {
    let arguments = json!({
        "operation_id": "authors.create",
        "arguments": { "firstname": "Ada", "operation_id": "mine" },
        "idempotency_key": "12345678",
        "intent_ref": "int_x",
    });
    let call = call("req_1".into(), members(arguments));
    assert_eq!((call.operation.as_str(), call.key.as_deref()), ("authors.create", Some("12345678")));
    assert_eq!(call.arguments["operation_id"], "mine");
    assert_eq!(call.intent.unwrap().as_str(), "int_x");
}

#[test]
fn every_schema_has_an_object_at_its_root() {
    for route in Route::ALL {
        assert_eq!(schema::of(route)["type"], "object", "{route:?}");
    }
}
