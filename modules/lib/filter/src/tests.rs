//! Conditions are checked before they are asked, and mean what they say.

use sdk::json;
use serde_json::Value;

use crate::{Condition, Field, Filter, Kind, sort_of, sorted};

const FIELDS: [Field; 3] = [("title", Kind::Text), ("words", Kind::Number), ("live", Kind::Flag)];

fn conditions(all: Value) -> Vec<Condition> {
    serde_json::from_value(all).expect("conditions")
}

fn holds(condition: Value, row: &Value) -> bool {
    Filter::new(&conditions(json!([condition])), &FIELDS).expect("a filter").holds(|name| row.get(name))
}

#[test]
fn each_comparison_means_what_its_name_says() {
    let row = json!({ "title": "Desk lamps", "words": 320, "live": true });
    for (field, op, value, wanted) in [
        ("title", "eq", json!("Desk lamps"), true),
        ("title", "ne", json!("Desk lamps"), false),
        ("title", "contains", json!("LAMP"), true),
        ("title", "regex", json!("^Desk"), true),
        ("title", "in", json!(["Oil", "Desk lamps"]), true),
        ("title", "in", json!(["Oil"]), false),
        ("words", "gt", json!(320), false),
        ("words", "lt", json!(321), true),
        ("words", "in", json!([1, 320.0]), true),
        ("live", "eq", json!(true), true),
        ("title", "empty", json!(false), true),
    ] {
        assert_eq!(holds(json!({ "field": field, "op": op, "value": value }), &row), wanted, "{field} {op} {value}");
    }
    assert!(holds(json!({ "field": "title", "op": "empty" }), &json!({ "words": 1 })));
}

#[test]
fn what_cannot_be_asked_is_refused_with_its_pointer() {
    for (condition, pointer, code) in [
        (json!({ "field": "titel", "op": "eq", "value": "a" }), "/filter/0/field", "unknown_field"),
        (json!({ "field": "words", "op": "eq", "value": "a" }), "/filter/0/value", "wrong_value"),
        (json!({ "field": "title", "op": "gt", "value": 3 }), "/filter/0/value", "wrong_value"),
        (json!({ "field": "words", "op": "in", "value": [] }), "/filter/0/value", "wrong_value"),
        (json!({ "field": "words", "op": "in", "value": ["a"] }), "/filter/0/value", "wrong_value"),
        (json!({ "field": "title", "op": "regex", "value": "(" }), "/filter/0/value", "wrong_pattern"),
    ] {
        let fault = Filter::new(&conditions(json!([condition])), &FIELDS).err().expect("a refusal");
        assert_eq!((fault.pointer.as_deref(), fault.code.as_str()), (Some(pointer), code));
    }
    let fault = sort_of("-titel", &FIELDS).expect_err("a refusal");
    assert_eq!((fault.pointer.as_deref(), fault.message.contains("title words live")), (Some("/sort"), true));
}

#[test]
fn rows_without_a_value_come_last_either_way() {
    let (one, two) = (json!(1), json!(2));
    assert_eq!(sort_of("-words", &FIELDS), Ok(("words", true)));
    for greatest_first in [false, true] {
        assert!(sorted(None, Some(&one), greatest_first).is_gt());
        assert_eq!(sorted(Some(&one), Some(&two), greatest_first).is_gt(), greatest_first);
    }
}
