//! Each bound says where it is broken and what is allowed.

use super::*;

fn explain(schema: Value, sent: Value) -> Refusal {
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&schema).expect("schema");
    first_error(&validator, &schema, &["/credentials".to_owned()], &sent).expect("an error")
}

#[test]
fn of_a_secret_argument_nothing_is_repeated() {
    const CANARY: &str = "canary-51Hx";
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "credentials": {
                "type": "object",
                "minProperties": 1,
                "properties": { "kind": { "enum": ["a", "b"] } },
                "additionalProperties": { "type": "string", "maxLength": 20, "pattern": "^[a-z-]+$" }
            }
        }
    });
    for credentials in [
        json!(CANARY),
        json!([CANARY]),
        json!({}),
        json!({ CANARY: 1 }),
        json!({ "kind": CANARY }),
        json!({ "password": "canary-51Hx canary-51Hx canary-51Hx" }),
        json!({ "password": CANARY }),
    ] {
        let refusal = explain(schema.clone(), json!({ "credentials": credentials }));
        assert_eq!(refusal.detail["pointer"], "/credentials");
        let told = serde_json::to_string(&refusal).expect("JSON");
        assert!(!told.contains("canary"), "{told}");
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name"],
        "properties": {
            "name": { "type": "string", "minLength": 2, "maxLength": 5 },
            "count": { "type": "integer", "minimum": 1, "maximum": 10 },
            "status": { "type": "string", "enum": ["active", "draft"] },
            "urls": { "type": "array", "maxItems": 2, "items": { "type": "string", "format": "uri" } }
        }
    })
}

#[test]
fn an_unknown_argument_names_the_nearest_one() {
    let refusal = explain(schema(), json!({ "name": "abc", "stauts": "active" }));
    assert_eq!(refusal.detail["pointer"], "/stauts");
    assert_eq!(refusal.detail["nearest"], "status");
    assert!(refusal.message.contains("did you mean status?"), "{}", refusal.message);
}

#[test]
fn a_missing_argument_is_named() {
    let refusal = explain(schema(), json!({}));
    assert_eq!((refusal.detail["pointer"].as_str(), refusal.message.as_str()), (Some("/name"), "name is required"));
}

#[test]
fn each_bound_says_what_is_allowed() {
    for (sent, pointer, words) in [
        (json!({ "name": "a" }), "/name", "at least 2 characters"),
        (json!({ "name": "abcdef" }), "/name", "at most 5 characters"),
        (json!({ "name": "abc", "count": 0 }), "/count", "at least 1"),
        (json!({ "name": "abc", "count": 11 }), "/count", "at most 10"),
        (json!({ "name": "abc", "count": "3" }), "/count", "must be integer"),
        (json!({ "name": "abc", "status": "gone" }), "/status", "one of"),
        (
            json!({ "name": "abc", "urls": ["http://a.example/", "http://b.example/", "http://c.example/"] }),
            "/urls",
            "at most 2 items",
        ),
        (json!({ "name": "abc", "urls": ["http://a.example/", "nope"] }), "/urls/1", "not a valid uri"),
    ] {
        let refusal = explain(schema(), sent);
        assert_eq!(refusal.code, "invalid_arguments");
        assert_eq!(refusal.detail["pointer"], pointer, "{}", refusal.message);
        assert!(refusal.message.contains(words), "{}", refusal.message);
    }
}

#[test]
fn a_choice_whose_words_are_described_one_by_one_is_told_like_any_other() {
    let schema = json!({
        "type": "object",
        "properties": {
            "rules": { "type": "array", "items": { "$ref": "#/$defs/Rule" } },
            "grain": { "anyOf": [{ "$ref": "#/$defs/Match" }, { "type": "null" }] },
            "either": { "oneOf": [{ "type": "object" }, { "const": "none" }] }
        },
        "$defs": {
            "Rule": { "type": "object", "properties": { "match": { "$ref": "#/$defs/Match" } } },
            "Match": { "oneOf": [{ "const": "glob", "description": "a" }, { "enum": ["regex", "param"] }] }
        }
    });
    let refusal = explain(schema.clone(), json!({ "rules": [{ "match": "globb" }] }));
    assert_eq!(refusal.detail["pointer"], "/rules/0/match");
    assert_eq!(refusal.detail["allowed"], json!(["glob", "regex", "param"]));
    assert!(refusal.message.contains("must be one of"), "{}", refusal.message);
    let refusal = explain(schema.clone(), json!({ "grain": "hour" }));
    assert_eq!(refusal.detail["allowed"], json!(["glob", "regex", "param", null]));
    // Where more than words is possible nothing is claimed.
    let refusal = explain(schema, json!({ "either": 7 }));
    assert_eq!(refusal.detail.get("allowed"), None);
}

#[test]
fn all_that_is_wrong_is_told_at_once_and_the_first_of_it_leads() {
    let sent = json!({ "count": 11, "stauts": "active", "nmae": "x", "urls": ["no"] });
    let refusal = explain(schema(), sent);
    let errors = refusal.detail["errors"].as_array().expect("a list");
    let pointers: Vec<&str> = errors.iter().filter_map(|it| it["pointer"].as_str()).collect();
    for pointer in ["/name", "/count", "/stauts", "/nmae", "/urls/0"] {
        assert!(pointers.contains(&pointer), "{pointer}: {errors:?}");
    }
    assert_eq!(
        (&errors[0]["pointer"], errors[0]["message"].as_str()),
        (&refusal.detail["pointer"], Some(refusal.message.as_str()))
    );
    assert!(errors.iter().all(|it| it["message"].is_string()));
    let unknown = errors.iter().find(|it| it["pointer"] == "/nmae").expect("an unknown name");
    assert_eq!(unknown["nearest"], "name");
    let many: serde_json::Map<String, Value> = (0..100).map(|at| (format!("x{at}"), json!(1))).collect();
    assert_eq!(explain(schema(), Value::Object(many)).detail["errors"].as_array().map(Vec::len), Some(MOST));
}
