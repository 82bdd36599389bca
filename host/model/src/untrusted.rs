//! Which members of a result hold text that this service did not write: read off the result's schema once, and said
//! with every answer, so that a reader takes them as material and never as instructions.
//!
//! A module names where such text comes from (`origin` at the schema's root: `web`, `provider`), and its schema marks
//! every free text that is not the module's own with `untrusted: true`.

use std::sync::Arc;

use serde_json::{Value, json};

/// Members named in one answer; beyond that the objects that hold them are named instead.
const MOST: usize = 12;

/// `{"origin": […], "members": […]}` as JSON text, or nothing where a result holds no such text. A member is a JSON
/// pointer into `data` with `*` for every element; what is below it is meant too.
#[must_use]
pub fn untrusted(result: &Value) -> Option<Arc<str>> {
    let origin = result.get("origin")?.as_array().filter(|it| !it.is_empty())?;
    let mut members = Vec::new();
    walk(result, result, &mut Vec::new(), &mut members);
    if members.is_empty() {
        return None;
    }
    let members: Vec<String> = few(members).iter().map(|it| format!("/{}", it.join("/"))).collect();
    Some(json!({ "origin": origin, "members": members }).to_string().into())
}

/// What one segment of a pointer may be: a name as JSON pointers write it (RFC 6901, 3), or `*`.
type Pointer = Vec<String>;

fn walk(root: &Value, schema: &Value, at: &mut Pointer, into: &mut Vec<Pointer>) {
    let Value::Object(object) = schema else { return };
    // A type that holds itself is named once, where it begins.
    if object.get("untrusted") == Some(&Value::Bool(true)) || object.contains_key("$ref") && refers(root, schema, 0) {
        into.push(at.clone());
        return;
    }
    let mut below = |name: String, inner: &Value| {
        at.push(name);
        walk(root, inner, at, into);
        at.pop();
    };
    for (name, inner) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        below(name.replace('~', "~0").replace('/', "~1"), inner);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = object.get(keyword) {
            below("*".to_owned(), inner);
        }
    }
    for (place, inner) in object.get("prefixItems").and_then(Value::as_array).into_iter().flatten().enumerate() {
        below(place.to_string(), inner);
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for inner in object.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            walk(root, inner, at, into);
        }
    }
}

/// Whether a definition holds a marked member; one level of references is followed, the rest is taken for marked.
fn refers(root: &Value, schema: &Value, depth: u8) -> bool {
    let Some(name) = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#')) else { return true };
    let Some(target) = root.pointer(name) else { return true };
    depth > 0 || target.to_string().contains("\"untrusted\":true")
}

/// At most [`MOST`] of them: the deepest are replaced by what holds them until they are few enough.
fn few(mut members: Vec<Pointer>) -> Vec<Pointer> {
    members.sort();
    members.dedup();
    while members.len() > MOST {
        let deepest = members.iter().map(Vec::len).max().unwrap_or(0);
        if deepest < 2 {
            return vec![Vec::new()];
        }
        for member in members.iter_mut().filter(|it| it.len() == deepest) {
            member.pop();
            if member.len() > 1 && member.last().is_some_and(|it| it == "*") {
                member.pop();
            }
        }
        members.sort();
        members.dedup();
    }
    let whole = members.clone();
    members.retain(|it| !whole.iter().any(|other| other.len() < it.len() && it.starts_with(other)));
    members
}

#[cfg(test)]
mod tests;
