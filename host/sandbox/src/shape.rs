//! The shape of a value: members, types and sizes, without any content. Whatever is shown of a transcript or put into a
//! test is built here from an allowlist, so that anything overlooked stays hidden.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Different shapes that are shown of one list.
const MOST_SHAPES: usize = 4;
/// The nesting depth that is shown. Below it, members are only counted.
const DEEPEST: usize = 16;

/// Which member names may be shown.
#[derive(Clone, Copy)]
pub(crate) enum Names<'a> {
    /// All: the value has a type of the boundary.
    Boundary(&'a BTreeSet<String>),
    /// Those that a contract defines. Any other may be personal data, such as an address used as a key.
    Contract(&'a BTreeSet<String>),
}

impl<'a> Names<'a> {
    /// For JSON inside a text, which never has a type of the boundary.
    fn inside(self) -> Self {
        match self {
            Names::Boundary(known) | Names::Contract(known) => Names::Contract(known),
        }
    }

    fn tells(self, name: &str) -> bool {
        match self {
            Names::Boundary(_) => true,
            Names::Contract(known) => known.contains(name),
        }
    }
}

pub(crate) fn of(value: &Value, names: Names<'_>) -> Value {
    deep(value, names, 0)
}

/// The shape of a text: that of its content if it is JSON, else its length and kind.
pub(crate) fn of_text(text: &str, names: Names<'_>) -> Value {
    text_at(text, names, 0)
}

/// Collects the member names of a JSON Schema.
pub(crate) fn members(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                names.extend(properties.keys().cloned());
            }
            members.values().for_each(|inner| self::members(inner, names));
        }
        Value::Array(all) => all.iter().for_each(|inner| members(inner, names)),
        _ => {}
    }
}

fn deep(value: &Value, names: Names<'_>, depth: usize) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => json!("truth value"),
        Value::Number(number) if number.is_f64() => json!("number"),
        Value::Number(_) => json!("whole number"),
        Value::String(text) => text_at(text, names, depth),
        Value::Array(all) if all.iter().all(Value::is_number) => json!(format!("{} numbers", all.len())),
        Value::Array(all) if depth >= DEEPEST => json!(format!("list of {}", all.len())),
        Value::Array(all) => list(all, names, depth),
        Value::Object(members) if depth >= DEEPEST => json!(format!("object of {}", members.len())),
        Value::Object(members) => object(members, names, depth),
    }
}

fn list(all: &[Value], names: Names<'_>, depth: usize) -> Value {
    let mut shapes: Vec<Value> = Vec::new();
    for value in all {
        let shape = deep(value, names, depth + 1);
        if shapes.len() < MOST_SHAPES && !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    json!({ "list of": all.len(), "such as": shapes })
}

fn object(members: &Map<String, Value>, names: Names<'_>, depth: usize) -> Value {
    let mut shapes = Map::new();
    for (number, (name, value)) in members.iter().enumerate() {
        let told = if names.tells(name) { name.clone() } else { format!("member {number}, {}", measured(name)) };
        shapes.insert(told, deep(value, names, depth + 1));
    }
    Value::Object(shapes)
}

fn text_at(text: &str, names: Names<'_>, depth: usize) -> Value {
    if text.starts_with(['{', '['])
        && depth < DEEPEST
        && let Ok(inner) = serde_json::from_str::<Value>(text)
    {
        return json!({ "JSON of": text.len(), "shape": deep(&inner, names.inside(), depth + 1) });
    }
    json!(format!("text of {}", measured(text)))
}

fn measured(text: &str) -> String {
    format!("{} characters, {}", text.chars().count(), kind(text))
}

fn kind(text: &str) -> &'static str {
    let only = |is: fn(u8) -> bool| text.bytes().all(is);
    match text {
        "" => "empty",
        _ if only(|it| it.is_ascii_digit()) => "digits",
        _ if text.starts_with("https://") || text.starts_with("http://") => "a web address",
        _ if text.contains('@') && !text.contains(char::is_whitespace) => "a mail address",
        _ if only(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_') => "a word",
        _ if text.contains('\n') => "lines",
        _ if only(|it| it.is_ascii_graphic()) => "no spaces",
        _ if text.is_ascii() => "plain",
        _ => "beyond ASCII",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_tells_types_and_sizes_and_no_word_of_a_value() {
        let known: BTreeSet<String> = ["name", "links", "note"].map(str::to_owned).into();
        let value = json!({
            "name": "Ada Lovelace", "note": 7, "links": ["https://ada.example/", "https://ada.example/x"],
            "ada.example": { "name": "{\"note\":\"hush\",\"ada\":[1.5,2]}" }, "flag": true,
        });
        let shape = of(&value, Names::Contract(&known));
        assert_eq!(shape["name"], "text of 12 characters, plain");
        assert_eq!(shape["note"], "whole number");
        assert_eq!(shape["links"]["list of"], 2);
        let text = shape.to_string();
        for word in ["Ada", "Lovelace", "ada", "hush", "flag", "7", "1.5"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }

    #[test]
    fn members_of_the_boundary_are_named_and_those_of_a_text_in_it_only_where_a_contract_names_them() {
        let known: BTreeSet<String> = ["status".to_owned()].into();
        let row = json!({ "id": "42", "body": "{\"status\":\"draft\",\"secret name\":1}" });
        let shape = of(&row, Names::Boundary(&known));
        assert_eq!(shape["id"], "text of 2 characters, digits");
        assert_eq!(shape["body"]["shape"]["status"], "text of 5 characters, a word");
        assert!(!shape.to_string().contains("secret name"), "{shape}");
    }

    #[test]
    fn a_schema_names_its_members_at_every_depth() {
        let schema = json!({ "properties": { "a": { "items": { "properties": { "b": {} } } } }, "$defs": { "X": { "properties": { "c": true } } } });
        let mut names = BTreeSet::new();
        members(&schema, &mut names);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
