//! One list of nodes from all items: those of one `@id` become one, `@reverse` is turned round, and what a
//! reference means is looked up.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Format, Item, MOST_DEPTH, MOST_ITEMS, add, types, values};

/// A node with its properties; values that are nodes are references to them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// Its `@id`, or one that begins with `_:` where it has none.
    pub(crate) id: String,
    pub(crate) types: Vec<String>,
    pub(crate) format: Format,
    /// The line of the document where its item begins.
    pub(crate) line: u32,
    pub(crate) properties: Map<String, Value>,
}

/// The nodes of items, in the order in which they first appear; at most 500.
pub(crate) fn nodes(items: &[Item]) -> Vec<Node> {
    let mut all = Flat { nodes: Vec::new(), places: BTreeMap::new(), blanks: 0 };
    for item in items {
        all.put(&item.value, item, 0);
    }
    // A reference to what no item tells of is no node.
    all.nodes.retain(|node| !node.types.is_empty() || !node.properties.is_empty());
    all.nodes
}

struct Flat {
    nodes: Vec<Node>,
    places: BTreeMap<String, usize>,
    blanks: usize,
}

impl Flat {
    /// Puts an object in and gives its reference.
    fn put(&mut self, object: &Map<String, Value>, item: &Item, depth: usize) -> String {
        let id = match object.get("@id").and_then(Value::as_str) {
            Some(id) => id.to_owned(),
            None => {
                self.blanks += 1;
                format!("_:n{}", self.blanks)
            }
        };
        if depth > MOST_DEPTH {
            return id;
        }
        let Some(at) = self.place(&id, item) else { return id };
        for name in types(object) {
            if !self.nodes[at].types.iter().any(|it| it == name) {
                self.nodes[at].types.push(name.to_owned());
            }
        }
        for (name, value) in object {
            match name.as_str() {
                "@id" | "@type" => {}
                "@reverse" => self.turn_round(value, &id, item, depth),
                _ => {
                    for value in values(object, name) {
                        let value = self.value(value, item, depth);
                        self.say(at, name, value);
                    }
                    if value.as_array().is_some_and(Vec::is_empty) {
                        self.nodes[at].properties.entry(name.clone()).or_insert_with(|| json!([]));
                    }
                }
            }
        }
        id
    }

    fn value(&mut self, value: &Value, item: &Item, depth: usize) -> Value {
        match value {
            Value::Object(inner) => json!({ "@id": self.put(inner, item, depth + 1) }),
            Value::Array(all) => Value::Array(all.iter().map(|one| self.value(one, item, depth + 1)).collect()),
            literal => literal.clone(),
        }
    }

    /// `@reverse` (JSON-LD 1.1, section 4.8): the nodes named in it have this one as the value of the property.
    fn turn_round(&mut self, value: &Value, id: &str, item: &Item, depth: usize) {
        let Value::Object(reversed) = value else { return };
        for name in reversed.keys() {
            for subject in values(reversed, name) {
                if let Value::Object(subject) = subject {
                    let subject = self.put(subject, item, depth + 1);
                    if let Some(at) = self.place(&subject, item) {
                        self.say(at, name, json!({ "@id": id }));
                    }
                }
            }
        }
    }

    fn place(&mut self, id: &str, item: &Item) -> Option<usize> {
        if let Some(at) = self.places.get(id) {
            return Some(*at);
        }
        if self.nodes.len() >= MOST_ITEMS {
            return None;
        }
        let (types, properties) = (Vec::new(), Map::new());
        self.nodes.push(Node { id: id.to_owned(), types, format: item.format, line: item.line, properties });
        self.places.insert(id.to_owned(), self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }

    /// Adds a value that is not there yet: what two blocks say of one node alike is said once.
    fn say(&mut self, at: usize, name: &str, value: Value) {
        let properties = &mut self.nodes[at].properties;
        if !values(properties, name).contains(&value) {
            add(properties, name, value);
        }
    }
}

/// Items as trees in which an object that only names another stands for it, as search engines read them.
pub(crate) struct Resolver<'a> {
    known: BTreeMap<&'a str, &'a Map<String, Value>>,
}

impl<'a> Resolver<'a> {
    /// Knows every object of these items that has an `@id` and says more than that; the one that says the most counts.
    pub(crate) fn new(items: &'a [Item]) -> Self {
        let mut known = BTreeMap::new();
        for item in items {
            gather(&item.value, &mut known, 0);
        }
        Self { known }
    }

    /// The tree of an item.
    pub(crate) fn resolved(&self, node: &Map<String, Value>) -> Map<String, Value> {
        self.node(node, &mut Vec::new())
    }

    fn node(&self, node: &Map<String, Value>, around: &mut Vec<String>) -> Map<String, Value> {
        let id = node.get("@id").and_then(Value::as_str);
        let meant = match id {
            Some(id) if node.len() == 1 && !around.iter().any(|it| it == id) => self.known.get(id).copied(),
            _ => None,
        };
        let node = meant.unwrap_or(node);
        // Six levels are more than any rule looks at.
        if around.len() >= 6 {
            return node
                .iter()
                .filter(|(_, it)| !it.is_object() && !it.is_array())
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect();
        }
        around.push(id.unwrap_or_default().to_owned());
        let out = node.iter().map(|(name, value)| (name.clone(), self.value(value, around))).collect();
        around.pop();
        out
    }

    fn value(&self, value: &Value, around: &mut Vec<String>) -> Value {
        match value {
            Value::Object(inner) => Value::Object(self.node(inner, around)),
            Value::Array(all) => Value::Array(all.iter().map(|one| self.value(one, around)).collect()),
            literal => literal.clone(),
        }
    }
}

fn gather<'a>(node: &'a Map<String, Value>, known: &mut BTreeMap<&'a str, &'a Map<String, Value>>, depth: usize) {
    if let Some(id) = node.get("@id").and_then(Value::as_str)
        && node.len() > 1
        && known.get(id).is_none_or(|it| it.len() < node.len())
    {
        known.insert(id, node);
    }
    if depth < MOST_DEPTH {
        for name in node.keys() {
            for inner in values(node, name).iter().filter_map(Value::as_object) {
                gather(inner, known, depth + 1);
            }
        }
    }
}
