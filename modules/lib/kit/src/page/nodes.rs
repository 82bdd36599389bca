//! The nodes of JSON-LD on a page with their properties, small enough to be stored with it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::parts::StructuredData;
use super::structured::last_segment;
use crate::text::collapse_to;

/// The most nodes kept of one page.
const MOST_NODES: usize = 80;
/// The most values kept of one property.
const MOST_VALUES: usize = 12;
/// The longest value kept, in characters.
const LONGEST: usize = 160;
/// The most bytes of names and values kept of one page.
const MOST_BYTES: usize = 24 << 10;

/// One node of JSON-LD: an object that has a type, or that another object has as the value of a property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DataNode {
    /// The last segments of its types; empty when it names none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// The node that has it as a value, by its place in the list; none for one that stands by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Its properties, without `@type`; at most 12 values each.
    pub holds: BTreeMap<String, Vec<DataValue>>,
}

/// One value of a property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DataValue {
    /// Another node, by its place in the list.
    Node(u32),
    /// A text, a number or a truth value as text, at most 160 characters.
    Text(String),
}

impl DataNode {
    /// Whether one of its types is this.
    #[must_use]
    pub fn is(&self, kind: &str) -> bool {
        self.types.iter().any(|one| one == kind)
    }

    /// The values of a property that say something.
    pub fn all<'a>(&'a self, property: &str) -> impl Iterator<Item = &'a DataValue> + 'a {
        let values = self.holds.get(property).map_or(&[][..], Vec::as_slice);
        values.iter().filter(|value| !matches!(value, DataValue::Text(text) if text.is_empty()))
    }

    /// Whether a property has a value.
    #[must_use]
    pub fn has(&self, property: &str) -> bool {
        self.all(property).next().is_some()
    }

    /// The first value of a property that is a text.
    #[must_use]
    pub fn text<'a>(&'a self, property: &str) -> Option<&'a str> {
        self.all(property).find_map(|value| match value {
            DataValue::Text(text) => Some(text.as_str()),
            DataValue::Node(_) => None,
        })
    }

    /// Whether it says no more than which node is meant.
    #[must_use]
    pub fn is_reference(&self) -> bool {
        self.holds.contains_key("@id") && self.holds.len() == 1
    }
}

impl StructuredData {
    /// The nodes that are values of a property of this node.
    pub fn inner<'a>(&'a self, node: &'a DataNode, property: &str) -> impl Iterator<Item = &'a DataNode> + 'a {
        let nodes = node.all(property).filter_map(|value| match value {
            DataValue::Node(at) => self.nodes.get(*at as usize),
            DataValue::Text(_) => None,
        });
        // A node that only names another by `@id` stands for it.
        nodes.map(|node| if node.is_reference() { self.named(node).unwrap_or(node) } else { node })
    }

    fn named(&self, reference: &DataNode) -> Option<&DataNode> {
        let id = reference.text("@id")?;
        self.nodes.iter().find(|node| !node.is_reference() && node.text("@id") == Some(id))
    }
}

/// Keeps the nodes of one block.
pub(super) fn keep(value: &Value, data: &mut StructuredData) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keep(item, data)),
        Value::Object(object) => {
            if let Some(graph) = object.get("@graph") {
                keep(graph, data);
            }
            if object.contains_key("@type") || !object.contains_key("@graph") {
                node(object, None, data);
            }
        }
        _ => {}
    }
}

fn node(object: &Map<String, Value>, parent: Option<u32>, data: &mut StructuredData) -> Option<u32> {
    if data.nodes.len() >= MOST_NODES || data.node_bytes >= MOST_BYTES {
        data.nodes_cut = true;
        return None;
    }
    let at = u32::try_from(data.nodes.len()).ok()?;
    let types = match object.get("@type") {
        Some(Value::String(name)) => vec![last_segment(name).to_owned()],
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).take(5).map(|name| last_segment(name).to_owned()).collect()
        }
        _ => Vec::new(),
    };
    data.nodes.push(DataNode { types, parent, ..DataNode::default() });
    for (property, value) in object {
        if matches!(property.as_str(), "@type" | "@context" | "@graph") {
            continue;
        }
        let mut values = Vec::new();
        read(value, at, data, &mut values);
        let name = property.rsplit(['/', '#', ':']).next().unwrap_or_default();
        data.node_bytes += name.len() + 8;
        if let Some(node) = data.nodes.get_mut(at as usize) {
            node.holds.insert(name.to_owned(), values);
        }
    }
    Some(at)
}

fn read(value: &Value, parent: u32, data: &mut StructuredData, values: &mut Vec<DataValue>) {
    if values.len() >= MOST_VALUES {
        return;
    }
    let text = match value {
        Value::Array(items) => return items.iter().for_each(|item| read(item, parent, data, values)),
        Value::Object(object) => match object.get("@value") {
            Some(literal) => return read(literal, parent, data, values),
            None => return values.extend(node(object, Some(parent), data).map(DataValue::Node)),
        },
        Value::Null => return,
        Value::String(text) => collapse_to(text, LONGEST),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
    };
    data.node_bytes += text.len() + 4;
    values.push(DataValue::Text(text));
}
