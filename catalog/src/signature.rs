//! A JSON Schema of arguments on one line: the reviewer reads the meaning, the contract hash covers the rest.

use serde_json::{Map, Value};

/// Nesting beyond this is written as `…`.
const DEEPEST: usize = 4;

/// `limit?: int[1..100] = 25, site_id: text[1..64], urls: list[1..10] of uri`; `none` without arguments.
pub fn of(schema: &Value) -> String {
    let reader =
        Reader { definitions: schema.get("$defs").or_else(|| schema.get("definitions")).and_then(Value::as_object) };
    let members = reader.members(schema, 0);
    if members.is_empty() { "none".to_owned() } else { members }
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    definitions: Option<&'a Map<String, Value>>,
}

impl<'a> Reader<'a> {
    fn members(self, schema: &Value, depth: usize) -> String {
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return String::new() };
        let mut names: Vec<&String> = properties.keys().collect();
        names.sort_by_key(|name| (!required.contains(&name.as_str()), name.as_str().to_owned()));
        let member = |name: &String| {
            let schema = &properties[name];
            let mark = if required.contains(&name.as_str()) { "" } else { "?" };
            let default = schema.get("default").filter(|value| !value.is_null());
            let default = default.map(|value| format!(" = {value}")).unwrap_or_default();
            format!("{name}{mark}: {}{default}", self.kind(schema, depth))
        };
        names.into_iter().map(member).collect::<Vec<_>>().join(", ")
    }

    fn kind(self, schema: &Value, depth: usize) -> String {
        if depth > DEEPEST {
            return "…".to_owned();
        }
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or(name);
            return match self.definitions.and_then(|definitions| definitions.get(name)) {
                Some(definition) => self.kind(definition, depth + 1),
                None => name.to_owned(),
            };
        }
        if let Some(value) = schema.get("const") {
            return bare(value);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return values.iter().filter(|value| !value.is_null()).map(bare).collect::<Vec<_>>().join("|");
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
                let named = choices.iter().filter(|choice| choice.get("type") != Some(&Value::from("null")));
                return named.map(|choice| self.kind(choice, depth + 1)).collect::<Vec<_>>().join("|");
            }
        }
        if let Some([only]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            return self.kind(only, depth + 1);
        }
        self.typed(schema, depth)
    }

    fn typed(self, schema: &Value, depth: usize) -> String {
        let range = |least: &str, most: &str| match (schema.get(least), schema.get(most)) {
            (None, None) => String::new(),
            (Some(least), None) => format!("[{least}..]"),
            (None, Some(most)) => format!("[..{most}]"),
            (Some(least), Some(most)) if least == most => format!("[{least}]"),
            (Some(least), Some(most)) => format!("[{least}..{most}]"),
        };
        match name_of_type(schema) {
            "string" => {
                let format = schema.get("format").and_then(Value::as_str).unwrap_or("text");
                format!("{format}{}", range("minLength", "maxLength"))
            }
            "integer" => format!("int{}", range("minimum", "maximum")),
            "number" => format!("number{}", range("minimum", "maximum")),
            "boolean" => "bool".to_owned(),
            "array" => {
                let items = schema.get("items").map_or_else(|| "any".to_owned(), |items| self.kind(items, depth + 1));
                format!("list{} of {items}", range("minItems", "maxItems"))
            }
            "object" if schema.get("properties").is_some() => format!("{{{}}}", self.members(schema, depth + 1)),
            "object" => match schema.get("additionalProperties").filter(|values| values.is_object()) {
                Some(values) => format!("map of {}", self.kind(values, depth + 1)),
                None => "object".to_owned(),
            },
            _ => "any".to_owned(),
        }
    }
}

/// The type, or of several (an optional value) the first that is not null.
fn name_of_type(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("any")
        }
        _ => "any",
    }
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
