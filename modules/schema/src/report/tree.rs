//! The items of a crawled page as trees, as the live reader gives them.

use kit::page::{DataNode, DataValue, StructuredData};
use serde_json::{Map, Value};

use crate::extract::add;

/// The deepest nesting that is put together.
const MOST_DEPTH: usize = 8;

/// The items of a page that stand by themselves; references to nodes of the same page are resolved.
pub(crate) fn items(data: &StructuredData) -> Vec<Map<String, Value>> {
    data.nodes.iter().filter(|it| it.parent.is_none() && !it.types.is_empty()).map(|it| tree(data, it, 0)).collect()
}

fn tree(data: &StructuredData, node: &DataNode, depth: usize) -> Map<String, Value> {
    let mut out = Map::new();
    match node.types.as_slice() {
        [] => {}
        [one] => {
            out.insert("@type".to_owned(), Value::from(one.as_str()));
        }
        several => {
            out.insert("@type".to_owned(), Value::from(several.to_vec()));
        }
    }
    for (name, values) in &node.holds {
        for value in values {
            let value = match value {
                DataValue::Text(text) => Value::from(text.as_str()),
                DataValue::Node(at) if depth < MOST_DEPTH => match data.nodes.get(*at as usize) {
                    Some(inner) => Value::Object(tree(data, meant(data, inner), depth + 1)),
                    None => continue,
                },
                DataValue::Node(_) => continue,
            };
            add(&mut out, name, value);
        }
    }
    out
}

/// The node of the page that a reference means, or itself.
fn meant<'a>(data: &'a StructuredData, node: &'a DataNode) -> &'a DataNode {
    let id = if node.is_reference() { node.text("@id") } else { None };
    let named = id.and_then(|id| data.nodes.iter().find(|it| !it.is_reference() && it.text("@id") == Some(id)));
    named.unwrap_or(node)
}
