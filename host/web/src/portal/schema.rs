//! A JSON Schema as rows of a table: names, types, bounds, and what is inside what.

use serde_json::Value;

use super::prose::Prose;

/// One row.
pub(super) struct Field {
    pub(super) name: String,
    /// How far inside.
    pub(super) deep: usize,
    pub(super) kind: String,
    pub(super) is_required: bool,
    /// Bounds, format, default, permitted values.
    pub(super) notes: Vec<String>,
    pub(super) description: Prose,
}

/// Deeper than this a row only names its type.
const DEEPEST: usize = 4;

/// The members of an object schema, those inside them after each. `root` holds what references lead to.
pub(super) fn fields(root: &Value, schema: &Value) -> Vec<Field> {
    let mut rows = Vec::new();
    members(root, schema, 0, &mut rows);
    rows
}

fn members(root: &Value, schema: &Value, deep: usize, rows: &mut Vec<Field>) {
    let schema = plain(root, schema);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let inner = plain(root, member);
        let said = |schema: &Value| schema["description"].as_str().map(str::to_owned);
        rows.push(Field {
            name: name.clone(),
            deep,
            kind: kind(root, member),
            is_required: required.contains(&name.as_str()),
            notes: notes(root, member, inner),
            description: Prose::new(&said(member).or_else(|| said(inner)).unwrap_or_default()),
        });
        if deep < DEEPEST {
            let nested = match inner.get("items") {
                Some(items) => items,
                None => inner,
            };
            members(root, nested, deep + 1, rows);
        }
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        members(root, part, deep, rows);
    }
}

/// What a schema says once references and "or null" are taken off.
fn plain<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..16 {
        if let Some(target) = schema["$ref"].as_str() {
            match root.pointer(target.trim_start_matches('#')) {
                Some(found) => schema = found,
                None => return schema,
            }
            continue;
        }
        let choice = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
        let some: Vec<&Value> = choice.into_iter().flatten().filter(|one| one["type"] != "null").collect();
        match some.as_slice() {
            [only] => schema = only,
            _ => return schema,
        }
    }
    schema
}

fn kind(root: &Value, schema: &Value) -> String {
    let schema = plain(root, schema);
    if !permitted(schema).is_empty() {
        return "string".to_owned();
    }
    let named = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect::<Vec<_>>().join(" or ")
        }
        _ => match schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            Some(choice) => {
                let mut kinds: Vec<String> = choice.iter().map(|one| kind(root, one)).collect();
                kinds.dedup();
                kinds.join(" or ")
            }
            None if schema.get("properties").is_some() => "object".to_owned(),
            None => "any".to_owned(),
        },
    };
    match schema.get("items") {
        Some(items) if named == "array" => format!("array of {}", kind(root, items)),
        _ => named,
    }
}

/// The values of an enumeration.
fn permitted(schema: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().filter(|value| !value.is_null()).map(text).collect();
    }
    let choice = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
    let mut values = Vec::new();
    for one in choice.into_iter().flatten() {
        match (one.get("const"), one["enum"].as_array()) {
            (Some(value), _) => values.push(text(value)),
            (None, Some(several)) => values.extend(several.iter().map(text)),
            (None, None) => return Vec::new(),
        }
    }
    values
}

fn notes(root: &Value, outer: &Value, inner: &Value) -> Vec<String> {
    let mut notes = Vec::new();
    bounds(inner, &mut notes);
    if let Some(items) = inner.get("items") {
        let items = plain(root, items);
        let mut each = Vec::new();
        bounds(items, &mut each);
        notes.extend(each.into_iter().map(|note| format!("each: {note}")));
    }
    if let Some(default) = outer.get("default").or_else(|| inner.get("default")).filter(|default| !default.is_null()) {
        notes.push(format!("default {default}"));
    }
    notes
}

fn bounds(schema: &Value, notes: &mut Vec<String>) {
    let values = permitted(schema);
    if !values.is_empty() {
        notes.push(values.join(", "));
    }
    let number = |name: &str| schema.get(name).filter(|value| value.is_number()).map(ToString::to_string);
    let unit = |count: &str, one: &'static str| if count == "1" { one.to_owned() } else { format!("{one}s") };
    for (least, most, what) in
        [("minimum", "maximum", ""), ("minLength", "maxLength", "character"), ("minItems", "maxItems", "item")]
    {
        let words = |text: String, count: &str| match what {
            "" => text,
            what => format!("{text} {}", unit(count, what)),
        };
        match (number(least).filter(|least| what.is_empty() || least != "0"), number(most)) {
            (Some(least), Some(most)) if least == most => notes.push(words(least.clone(), &least)),
            (Some(least), Some(most)) => notes.push(words(format!("{least} to {most}"), &most)),
            (Some(least), None) => notes.push(words(format!("at least {least}"), &least)),
            (None, Some(most)) => notes.push(words(format!("at most {most}"), &most)),
            (None, None) => {}
        }
    }
    if let Some(format) =
        schema["format"].as_str().filter(|format| !format.starts_with("uint") && !format.starts_with("int"))
    {
        notes.push(format.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_read_with_its_references_bounds_and_what_is_inside() {
        let schema = json!({
            "type": "object",
            "required": ["state"],
            "properties": {
                "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 25 },
                "rows": { "type": "array", "maxItems": 1, "items": { "$ref": "#/$defs/Row" } },
                "state": { "oneOf": [{ "const": "open" }, { "enum": ["done", "gone"] }] },
            },
            "$defs": { "Row": { "type": "object", "properties": {
                "url": { "anyOf": [{ "type": "string", "format": "uri", "maxLength": 9 }, { "type": "null" }], "description": "Where." },
            } } },
        });
        let rows = fields(&schema, &schema);
        let line = |row: &Field| {
            format!(
                "{}{} {} {} [{}] {}",
                " ".repeat(row.deep),
                row.name,
                row.kind,
                row.is_required,
                row.notes.join("; "),
                row.description
            )
        };
        let lines: Vec<String> = rows.iter().map(line).collect();
        let expected = [
            "limit integer false [1 to 50; default 25] ",
            "rows array of object false [at most 1 item] ",
            " url string false [at most 9 characters; uri] Where.",
            "state string true [open, done, gone] ",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_schema_that_holds_itself_ends() {
        let schema = json!({ "$defs": { "Tree": { "type": "object", "properties": { "in": { "$ref": "#/$defs/Tree" } } } }, "$ref": "#/$defs/Tree" });
        assert_eq!(fields(&schema, &schema).len(), DEEPEST + 1);
        let loops =
            json!({ "$defs": { "A": { "$ref": "#/$defs/A" } }, "properties": { "a": { "$ref": "#/$defs/A" } } });
        assert_eq!(fields(&loops, &loops).len(), 1);
    }
}
