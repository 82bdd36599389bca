//! A long result schema in parts that an agent can afford: what is large moves to `$defs`, and what of these does not
//! fit the first answer follows page by page. Put together again it is the schema that the contract declares.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::budget::bytes;

/// A schema in parts.
pub(super) struct Parts {
    /// The schema itself; whole when there are no pages.
    pub(super) first: Value,
    /// What it refers to, each as `{"$defs": {…}}`.
    pub(super) pages: Vec<Value>,
}

/// What a reference takes in the place of what it stands for, about.
const REFERENCE: usize = 48;

/// Takes a schema apart so that the first part has at most `first` bytes and each page at most `page`, as far as it
/// can be taken apart at all.
pub(super) fn split(schema: &Value, first: usize, page: usize) -> Parts {
    let mut root = schema.clone();
    let mut definitions: Vec<(String, Value)> = Vec::new();
    while bytes(&root) > first {
        let size = bytes(&root);
        let mut within = Vec::new();
        parts_of(&root, "result", &mut within);
        let mut times: HashMap<String, usize> = HashMap::new();
        for part in &within {
            *times.entry(part.text.clone()).or_default() += 1;
        }
        let fits = within
            .iter()
            .filter(|part| part.text.len() > REFERENCE && part.text.len() + REFERENCE <= page)
            .map(|part| (part, times.get(&part.text).map_or(0, |times| times * (part.text.len() - REFERENCE))));
        // The least that helps; when nothing alone helps, the most.
        let enough = fits.clone().filter(|(_, saved)| size <= first + saved);
        let Some((part, _)) = enough.min_by_key(|(_, saved)| *saved).or_else(|| fits.max_by_key(|(_, saved)| *saved))
        else {
            break;
        };
        let name = unused(&part.name, schema, &definitions);
        let part = part.schema.clone();
        replace(&mut root, &part, &json!({ "$ref": format!("#/$defs/{name}") }));
        definitions.push((name, part));
    }
    Parts { first: root, pages: paged(definitions, page) }
}

/// A schema within a schema.
struct Part<'a> {
    name: String,
    schema: &'a Value,
    /// As it is sent.
    text: String,
}

/// Keywords whose value is one schema.
const ONE: [&str; 2] = ["items", "additionalProperties"];
/// Keywords whose value is a list of schemas.
const SOME: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// Every schema within this one, named after the member that it describes.
fn parts_of<'a>(schema: &'a Value, name: &str, parts: &mut Vec<Part<'a>>) {
    let mut add = |name: &str, schema: &'a Value| {
        if schema.is_object() && schema.get("$ref").is_none() {
            parts.push(Part { name: name.to_owned(), schema, text: schema.to_string() });
            parts_of(schema, name, parts);
        }
    };
    for (member, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        add(member, property);
    }
    for keyword in ONE {
        if let Some(inner) = schema.get(keyword) {
            add(&format!("{name}_item"), inner);
        }
    }
    for inner in SOME.iter().filter_map(|keyword| schema.get(*keyword)).filter_map(Value::as_array).flatten() {
        add(name, inner);
    }
}

/// Puts the reference wherever the schema stands.
fn replace(within: &mut Value, part: &Value, reference: &Value) {
    let mut put = |inner: &mut Value| {
        if inner == part {
            *inner = reference.clone();
        } else {
            replace(inner, part, reference);
        }
    };
    let Some(members) = within.as_object_mut() else { return };
    if let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(&mut put);
    }
    for keyword in ONE {
        if let Some(inner) = members.get_mut(keyword) {
            put(inner);
        }
    }
    for keyword in SOME {
        members.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten().for_each(&mut put);
    }
}

fn unused(name: &str, schema: &Value, definitions: &[(String, Value)]) -> String {
    let taken = |name: &str| {
        definitions.iter().any(|(known, _)| known == name)
            || schema.get("$defs").is_some_and(|definitions| definitions.get(name).is_some())
    };
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

fn paged(definitions: Vec<(String, Value)>, page: usize) -> Vec<Value> {
    let mut pages: Vec<Map<String, Value>> = Vec::new();
    let mut used = page;
    for (name, schema) in definitions {
        let size = name.len() + 4 + bytes(&schema);
        if used + size > page {
            pages.push(Map::new());
            used = 0;
        }
        used += size;
        if let Some(last) = pages.last_mut() {
            last.insert(name, schema);
        }
    }
    pages.into_iter().map(|definitions| json!({ "$defs": definitions })).collect()
}

#[cfg(test)]
mod tests;
