//! Which members are named, and how many of them.

use serde_json::{Value, json};

use super::untrusted;

fn said(schema: &Value) -> Option<Value> {
    untrusted(schema).map(|it| serde_json::from_str(&it).unwrap())
}

#[test]
fn marked_members_are_named_wherever_they_stand() {
    let text = json!({ "type": "string", "untrusted": true });
    let schema = json!({
        "origin": ["web"],
        "properties": {
            "state": { "enum": ["done"] },
            "title": { "anyOf": [text, { "type": "null" }] },
            "pages": { "type": "array", "items": { "properties": { "a/b": text, "count": { "type": "integer" } } } },
            "pair": { "prefixItems": [{ "type": "integer" }, text] },
            "by_name": { "type": "object", "additionalProperties": text },
        },
    });
    let members = json!(["/by_name/*", "/pages/*/a~1b", "/pair/1", "/title"]);
    assert_eq!(said(&schema), Some(json!({ "origin": ["web"], "members": members })));
}

#[test]
fn a_result_without_marks_or_without_an_origin_says_nothing() {
    assert_eq!(said(&json!({ "origin": ["web"], "properties": { "n": { "type": "integer" } } })), None);
    assert_eq!(said(&json!({ "properties": { "t": { "type": "string", "untrusted": true } } })), None);
}

#[test]
fn a_type_that_holds_itself_is_named_where_it_begins() {
    let node =
        json!({ "properties": { "text": { "untrusted": true }, "children": { "items": { "$ref": "#/$defs/node" } } } });
    let plain =
        json!({ "properties": { "n": { "type": "integer" }, "children": { "items": { "$ref": "#/$defs/plain" } } } });
    let schema = json!({
        "origin": ["web"],
        "properties": { "tree": { "$ref": "#/$defs/node" }, "numbers": { "$ref": "#/$defs/plain" } },
        "$defs": { "node": node, "plain": plain },
    });
    assert_eq!(said(&schema).unwrap()["members"], json!(["/tree"]));
}

#[test]
fn of_many_members_what_holds_them_is_named() {
    let text = json!({ "type": "string", "untrusted": true });
    let row: serde_json::Map<String, Value> = (0..20).map(|n| (format!("m{n}"), text.clone())).collect();
    let schema = json!({
        "origin": ["provider"],
        "properties": { "note": text, "rows": { "items": { "properties": row } } },
    });
    assert_eq!(said(&schema).unwrap()["members"], json!(["/note", "/rows"]));
}
