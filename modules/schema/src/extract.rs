//! Structured data as it stands in a document: JSON-LD, Microdata and RDFa Lite as trees of one form.

pub(crate) mod context;
pub(crate) mod graph;
pub(crate) mod json;
mod microdata;
mod rdfa;

use kit::dom::Dom;
use kit::url::Url;
use sdk::prelude::*;
use serde_json::{Map, Value};

/// The most items of one document that are read, of all formats together.
pub(crate) const MOST_ITEMS: usize = 500;
/// The deepest nesting of items and of JSON that is read: a guest's stack is small.
pub(crate) const MOST_DEPTH: usize = 48;

/// How an item is written.
#[value]
pub(crate) enum Format {
    /// JSON-LD 1.1 in a `script` element.
    JsonLd,
    /// Microdata, by the HTML standard.
    Microdata,
    /// RDFa Lite 1.1.
    Rdfa,
}

/// Something that could not be read, and where.
#[value]
pub(crate) struct ParseError {
    pub(crate) format: Format,
    /// The line of the document, from 1.
    pub(crate) line: u32,
    /// The column, where the format knows one.
    pub(crate) column: Option<u32>,
    pub(crate) message: String,
}

/// An item that stands by itself. Its members are those of JSON-LD: `@type`, `@id`, and properties; names of schema.org
/// without its address.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) format: Format,
    /// The line of the document where it begins, from 1.
    pub(crate) line: u32,
    /// Where it stands in its block of JSON, as a JSON pointer; empty in the other formats.
    pub(crate) pointer: String,
    pub(crate) value: Map<String, Value>,
}

/// What a document holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Extracted {
    pub(crate) items: Vec<Item>,
    pub(crate) errors: Vec<ParseError>,
    /// There was more than is read.
    pub(crate) cut: bool,
}

/// Reads every format; addresses are resolved against `base`.
pub(crate) fn extract(dom: &Dom, base: &Url) -> Extracted {
    let mut out = Extracted::default();
    for script in dom.elements("script") {
        let kind = dom.attribute(script, "type").unwrap_or_default().trim().to_ascii_lowercase();
        if kind.split(';').next().map(str::trim) == Some("application/ld+json") {
            json::read(&dom.own_text(script), dom.node(script).line, &mut out);
        }
    }
    microdata::read(dom, base, &mut out);
    rdfa::read(dom, base, &mut out);
    if out.items.len() > MOST_ITEMS {
        out.items.truncate(MOST_ITEMS);
        out.cut = true;
    }
    out
}

/// Adds a value to a property: the first alone, more as a list.
pub(crate) fn add(node: &mut Map<String, Value>, name: &str, value: Value) {
    match node.get_mut(name) {
        None => {
            node.insert(name.to_owned(), value);
        }
        Some(Value::Array(all)) => all.push(value),
        Some(one) => {
            let before = one.take();
            *one = Value::Array(vec![before, value]);
        }
    }
}

/// The types of an item, without schema.org's address.
pub(crate) fn types(node: &Map<String, Value>) -> Vec<&str> {
    match node.get("@type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The values of a property: those of a list, or the one.
pub(crate) fn values<'a>(node: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    match node.get(name) {
        Some(Value::Array(all)) => all,
        Some(Value::Null) | None => &[],
        Some(one) => std::slice::from_ref(one),
    }
}

/// A value as text: itself, or the name or address of an object; of a list the first.
pub(crate) fn text(value: &Value) -> Option<String> {
    kit::jsonld::text(value)
}

/// Puts the types of an item in.
fn set_types(node: &mut Map<String, Value>, mut types: Vec<String>) {
    let value = if types.len() == 1 { types.pop().map(Value::String) } else { Some(Value::from(types)) };
    node.insert("@type".to_owned(), value.unwrap_or_default());
}

#[cfg(test)]
mod tests;
