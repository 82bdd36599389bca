//! How schemas follow each other, as tests.

use serde_json::{Value, json};

use super::{Class, Direction, differences};

/// The worst class, and what is said.
fn follows(old: &Value, new: &Value, direction: Direction) -> (Class, Vec<String>) {
    let found = differences(old, new, direction);
    let worst = found.iter().map(|it| it.class).max().unwrap_or(Class::Compatible);
    (worst, found.into_iter().map(|it| format!("{}: {}", it.pointer, it.what)).collect())
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

#[test]
fn every_kind_of_change_is_classed_by_the_way_it_goes() {
    let text = || json!({ "type": "string", "maxLength": 10 });
    let base = || object(json!({ "a": text() }), &["a"]);
    let cases: Vec<(&str, Value, Class, Class)> = vec![
        ("the same", base(), Class::Compatible, Class::Compatible),
        ("an optional member", object(json!({ "a": text(), "b": {} }), &["a"]), Class::Widening, Class::Widening),
        ("a needed member", object(json!({ "a": text(), "b": {} }), &["a", "b"]), Class::Breaking, Class::Widening),
        ("a member left out", object(json!({}), &[]), Class::Breaking, Class::Breaking),
        ("no longer needed", object(json!({ "a": text() }), &[]), Class::Widening, Class::Breaking),
        (
            "a tighter bound",
            object(json!({ "a": { "type": "string", "maxLength": 5 } }), &["a"]),
            Class::Breaking,
            Class::Compatible,
        ),
        (
            "a wider bound",
            object(json!({ "a": { "type": "string", "maxLength": 50 } }), &["a"]),
            Class::Widening,
            Class::Widening,
        ),
        ("another kind", object(json!({ "a": { "type": "integer" } }), &["a"]), Class::Breaking, Class::Breaking),
        (
            "a pattern",
            object(json!({ "a": { "type": "string", "maxLength": 10, "pattern": "x" } }), &["a"]),
            Class::Breaking,
            Class::Compatible,
        ),
        (
            "null too",
            object(json!({ "a": { "type": ["string", "null"], "maxLength": 10 } }), &["a"]),
            Class::Widening,
            Class::Widening,
        ),
    ];
    for (name, new, taken, given) in cases {
        assert_eq!(follows(&base(), &new, Direction::Taken).0, taken, "taken: {name}");
        assert_eq!(follows(&base(), &new, Direction::Given).0, given, "given: {name}");
    }
}

#[test]
fn words_of_a_choice_and_defaults_are_compared() {
    let choice = |words: &[&str], default: &str| {
        object(json!({ "a": { "type": "string", "enum": words, "default": default } }), &[])
    };
    let old = choice(&["on", "off"], "on");
    assert_eq!(follows(&old, &choice(&["on", "off", "auto"], "on"), Direction::Taken).0, Class::Widening);
    let (class, said) = follows(&old, &choice(&["on"], "on"), Direction::Taken);
    assert_eq!((class, said), (Class::Breaking, vec!["/a: no longer \"off\"".to_owned()]));
    let (class, said) = follows(&old, &choice(&["on", "off"], "off"), Direction::Taken);
    assert_eq!((class, said), (Class::Breaking, vec!["/a: left out it means \"off\" and meant \"on\"".to_owned()]));
    assert_eq!(follows(&old, &choice(&["on", "off"], "off"), Direction::Given).0, Class::Compatible);
}

#[test]
fn definitions_are_followed_wherever_they_stand_and_whatever_they_are_called() {
    let with = |name: &str, maximum: u32| {
        json!({
            "type": "object",
            "properties": { "a": { "$ref": format!("#/$defs/{name}") }, "list": { "type": "array", "items": { "$ref": format!("#/$defs/{name}") } } },
            "$defs": { name: { "type": "integer", "maximum": maximum } },
        })
    };
    assert_eq!(follows(&with("One", 5), &with("Two", 5), Direction::Taken), (Class::Compatible, Vec::new()));
    let (class, said) = follows(&with("One", 5), &with("Two", 4), Direction::Taken);
    assert_eq!(class, Class::Breaking);
    assert_eq!(said, ["/a: maximum is 4 and was 5", "/list/*: maximum is 4 and was 5"]);
}

#[test]
fn a_form_more_is_wider_a_form_less_narrower_and_recursion_ends() {
    let forms = |all: &[&str]| json!({ "oneOf": all.iter().map(|it| json!({ "const": it })).collect::<Vec<_>>() });
    assert_eq!(follows(&forms(&["a", "b"]), &forms(&["a", "b", "c"]), Direction::Taken).0, Class::Widening);
    assert_eq!(follows(&forms(&["a", "b", "c"]), &forms(&["a", "b"]), Direction::Taken).0, Class::Breaking);
    let tree = |maximum: u32| {
        json!({
            "$ref": "#/$defs/Node",
            "$defs": { "Node": { "type": "object", "properties": {
                "depth": { "type": "integer", "maximum": maximum },
                "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } } } } },
        })
    };
    assert_eq!(follows(&tree(3), &tree(3), Direction::Taken).0, Class::Compatible);
    assert_eq!(follows(&tree(3), &tree(2), Direction::Taken).0, Class::Breaking);
}
