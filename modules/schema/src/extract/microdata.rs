//! Microdata, by the HTML standard, section 5 ("Microdata"): items, `itemref`, and the values of properties.

use std::collections::{BTreeMap, BTreeSet};

use kit::dom::{Dom, NodeId};
use kit::url::Url;
use serde_json::{Map, Value};

use super::context::bare;
use super::{Extracted, Format, Item, MOST_DEPTH, MOST_ITEMS, add, set_types};

/// Reads every item that is not the value of a property of another.
pub(super) fn read(dom: &Dom, base: &Url, out: &mut Extracted) {
    let scopes: Vec<NodeId> =
        dom.descendants(0).filter(|id| dom.attribute(*id, "itemscope").is_some()).take(MOST_ITEMS).collect();
    if scopes.is_empty() {
        return;
    }
    let ids = dom.descendants(0).filter_map(|id| Some((dom.attribute(id, "id")?, id)));
    let mut named = BTreeMap::new();
    for (name, id) in ids {
        named.entry(name).or_insert(id);
    }
    let mut reader = Reader { dom, base, named, seen: BTreeSet::new() };
    for scope in scopes {
        let is_value = dom.attribute(scope, "itemprop").is_some();
        let inside = dom.ancestors(scope).any(|it| dom.attribute(it, "itemscope").is_some());
        if is_value && inside || reader.seen.contains(&scope) {
            continue;
        }
        let value = reader.item(scope, 0);
        if value.len() > usize::from(value.contains_key("@type")) || value.contains_key("@type") {
            let (line, pointer) = (dom.node(scope).line, String::new());
            out.items.push(Item { format: Format::Microdata, line, pointer, value });
        }
    }
}

struct Reader<'a> {
    dom: &'a Dom,
    base: &'a Url,
    named: BTreeMap<&'a str, NodeId>,
    /// Items that were read: each is read once, so that references in a circle end.
    seen: BTreeSet<NodeId>,
}

impl<'a> Reader<'a> {
    fn item(&mut self, scope: NodeId, depth: usize) -> Map<String, Value> {
        self.seen.insert(scope);
        let dom = self.dom;
        let mut node = Map::new();
        let types: Vec<String> =
            split(dom.attribute(scope, "itemtype").unwrap_or_default()).map(|it| bare(it).to_owned()).collect();
        if !types.is_empty() {
            set_types(&mut node, types);
            if let Some(id) = dom.attribute(scope, "itemid").map(str::trim).filter(|it| !it.is_empty()) {
                node.insert("@id".to_owned(), Value::from(resolved(self.base, id)));
            }
        }
        if depth >= MOST_DEPTH {
            return node;
        }
        let mut properties = Vec::new();
        self.gather(scope, true, &mut properties);
        let referred: Vec<&str> = split(dom.attribute(scope, "itemref").unwrap_or_default()).collect();
        for name in referred {
            if let Some(at) = self.named.get(name).copied() {
                self.gather(at, false, &mut properties);
            }
        }
        for id in properties {
            let Some(value) = self.value(id, depth) else { continue };
            for name in split(dom.attribute(id, "itemprop").unwrap_or_default()) {
                add(&mut node, bare(name), value.clone());
            }
        }
        node
    }

    /// The elements with properties of one item: those below `root` that no other item below it has.
    fn gather(&self, root: NodeId, below: bool, out: &mut Vec<NodeId>) {
        let mut next = if below { self.dom.first_child(root) } else { Some(root) };
        while let Some(id) = next {
            if self.dom.attribute(id, "itemprop").is_some() && !out.contains(&id) {
                out.push(id);
            }
            let inside = self.dom.attribute(id, "itemscope").is_none();
            next = if id == root && !inside { None } else { self.dom.after(id, root, inside) };
        }
    }

    fn value(&mut self, id: NodeId, depth: usize) -> Option<Value> {
        let dom = self.dom;
        if dom.attribute(id, "itemscope").is_some() {
            // An item that was read before has said what it has to say.
            return (!self.seen.contains(&id)).then(|| Value::Object(self.item(id, depth + 1)));
        }
        let attribute = |name: &str| dom.attribute(id, name).unwrap_or_default();
        let address = |name: &str| resolved(self.base, attribute(name));
        let text = match dom.name(id) {
            "meta" => attribute("content").to_owned(),
            "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => address("src"),
            "a" | "area" | "link" => address("href"),
            "object" => address("data"),
            "data" | "meter" => attribute("value").to_owned(),
            "time" if dom.attribute(id, "datetime").is_some() => attribute("datetime").to_owned(),
            // Search engines read `content` on any element.
            _ if !attribute("content").is_empty() => attribute("content").to_owned(),
            _ => dom.text(id),
        };
        Some(Value::String(text))
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

/// An address resolved; as written when it is none.
pub(super) fn resolved(base: &Url, reference: &str) -> String {
    let reference = reference.trim();
    kit::url::resolve(base, reference).map_or_else(|| reference.to_owned(), |it| it.to_string())
}
