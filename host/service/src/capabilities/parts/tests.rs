//! Taken apart and put together again, a schema is what it was.

use serde_json::{Value, json};

use super::{Parts, split};
use crate::capabilities::budget::bytes;

fn object(members: usize, deep: usize) -> Value {
    if deep == 0 {
        return json!({ "type": "string", "description": "A word about what this member says." });
    }
    let properties: serde_json::Map<String, Value> =
        (0..members).map(|number| (format!("m{deep}{number}"), object(members + number, deep - 1))).collect();
    json!({ "type": "object", "properties": properties, "required": ["m10"] })
}

fn together(parts: &Parts) -> Value {
    fn filled(schema: &Value, pages: &[Value]) -> Value {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let name = reference.strip_prefix("#/$defs/").unwrap();
            let found: Vec<&Value> = pages.iter().filter_map(|page| page["$defs"].get(name)).collect();
            assert_eq!(found.len(), 1, "{name}");
            return filled(found[0], pages);
        }
        match schema {
            Value::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), filled(value, pages))).collect())
            }
            Value::Array(items) => Value::Array(items.iter().map(|item| filled(item, pages)).collect()),
            plain => plain.clone(),
        }
    }
    filled(&parts.first, &parts.pages)
}

#[test]
fn what_fits_stays_whole() {
    let schema = object(2, 2);
    let parts = split(&schema, bytes(&schema), 10);
    assert_eq!((parts.first, parts.pages.len()), (schema, 0));
}

#[test]
fn no_part_is_longer_than_allowed_and_nothing_is_lost() {
    for (schema, first, page) in [(object(6, 3), 2_000, 3_000), (object(3, 3), 1_000, 900), (object(40, 1), 1_500, 700)]
    {
        let parts = split(&schema, first, page);
        assert!(bytes(&parts.first) <= first, "{} of {first}", bytes(&parts.first));
        for part in &parts.pages {
            assert!(bytes(part) <= page + 16, "{} of {page}", bytes(part));
        }
        assert_eq!(together(&parts), schema);
    }
}

#[test]
fn what_stands_twice_is_sent_once() {
    let twin = object(4, 2);
    let schema =
        json!({ "type": "object", "properties": { "before": twin, "after": { "type": "array", "items": twin } } });
    let parts = split(&schema, 400, 4_000);
    assert_eq!(parts.first["properties"]["before"], parts.first["properties"]["after"]["items"]);
    assert_eq!(parts.pages.len(), 1);
    assert_eq!(together(&parts), schema);
}

#[test]
fn what_cannot_be_taken_apart_stays_as_it_is() {
    let schema = json!({ "type": "object", "description": "d".repeat(500) });
    assert_eq!(split(&schema, 100, 100).first, schema);
}
