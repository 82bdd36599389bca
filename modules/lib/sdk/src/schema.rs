//! JSON Schemas (draft 2020-12) of arguments and results, made from the types that serde reads.

mod untrusted;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of arguments: an optional one may be left out, and is then not null.
pub(crate) fn arguments<T: JsonSchema>() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().with(settings).into_generator().into_root_schema_for::<T>().to_value();
    clean(&mut schema, true);
    close(&mut schema);
    schema
}

/// The schema of a result: every member is present, null where there is nothing.
pub(crate) fn result<T: JsonSchema>() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(settings)
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    clean(&mut schema, false);
    schema
}

/// The schema of what is stored: which values this version can read. Words about them are left out, so that it changes only
/// with what is stored.
pub(crate) fn stored<T: JsonSchema>() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().with(settings).into_generator().into_root_schema_for::<T>().to_value();
    clean(&mut schema, false);
    strip(&mut schema);
    schema
}

/// Drops words, marks and values for what is absent. A member with one of these names is no word.
fn strip(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    object.retain(|name, _| !matches!(name.as_str(), "description" | "examples" | "default" | "own" | "untrusted"));
    for (name, inner) in object.iter_mut() {
        match (name.as_str(), inner) {
            ("properties" | "$defs", Value::Object(members)) => members.values_mut().for_each(strip),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(choices)) => choices.iter_mut().for_each(strip),
            ("items" | "additionalProperties" | "not", inner) => strip(inner),
            _ => {}
        }
    }
}

fn settings(settings: &mut SchemaSettings) {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
}

/// An operation without arguments still takes an object, an empty one. Arguments are closed unless their type says
/// otherwise, as a route's may.
fn close(schema: &mut Value) {
    if let Value::Object(object) = schema {
        object.entry("type").or_insert_with(|| "object".into());
        object.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
        object.entry("additionalProperties").or_insert(Value::Bool(false));
    }
}

/// Drops what Rust says and JSON does not: type names as titles, machine widths as formats, and for arguments null.
fn clean(schema: &mut Value, arguments: bool) {
    match schema {
        Value::Object(object) => {
            if object.get("title").is_some_and(Value::is_string) {
                object.remove("title");
            }
            let width = |it: &Value| {
                matches!(it.as_str(), Some("double" | "float")) || it.as_str().is_some_and(|it| it.contains("int"))
            };
            // A marker is `true`; an object is a member of this name.
            if arguments && object.get("own").is_some_and(Value::is_boolean) {
                object.remove("own");
            }
            if object.get("format").is_some_and(width) {
                object.remove("format");
            }
            if arguments {
                without_null(object);
            }
            for (name, inner) in object.iter_mut() {
                if !matches!(name.as_str(), "default" | "enum" | "const" | "examples") {
                    clean(inner, arguments);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| clean(it, arguments)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn without_null(object: &mut serde_json::Map<String, Value>) {
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|it| it != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|it| !it.is_null());
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|it| it.get("type").is_none_or(|it| it != "null"));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            object.remove("anyOf");
            for (name, inner) in only {
                object.entry(name).or_insert(inner);
            }
        }
    }
}

/// Marks what a result says in words that are not the module's own: every free text, every member of any type, and
/// every object whose names are not known before. `own` on a member, written by `#[own]`, leaves it and what is below it
/// out; the word itself does not stay. `origin` at the root says where such text comes from; without one, what types
/// mark themselves stays marked.
pub(crate) fn mark_untrusted(result: &mut Value, origin: &[&str]) {
    const ANYWHERE: [&str; 2] = ["web", "provider"];
    let marked = untrusted::mark(result, origin.is_empty());
    if let (true, Value::Object(root)) = (marked, result) {
        let origin = if origin.is_empty() { &ANYWHERE } else { origin };
        root.insert("origin".into(), origin.into());
    }
}

/// The JSON pointers of members that are marked `writeOnly`.
pub(crate) fn write_only(schema: &Value, at: &str, into: &mut Vec<String>) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let here = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        if member["writeOnly"] == true {
            into.push(here);
        } else {
            write_only(member, &here, into);
        }
    }
}
