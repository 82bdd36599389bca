//! The nodes of JSON-LD on a page, without a processor: contexts are taken to be schema.org's.

use serde_json::{Map, Value};

use crate::dom::Dom;

/// The deepest nesting read.
const MOST_DEPTH: usize = 48;
/// The most nodes kept.
const MOST_NODES: usize = 500;

/// Every object with an `@type` on a page, outer ones before those inside them. Blocks that are no JSON are passed over.
#[must_use]
pub fn nodes(dom: &Dom) -> Vec<Map<String, Value>> {
    let mut out = Vec::new();
    for id in dom.elements("script") {
        let kind = dom.attribute(id, "type").unwrap_or_default().trim().to_ascii_lowercase();
        if !kind.starts_with("application/ld+json") {
            continue;
        }
        if let Some(value) = parse(&dom.own_text(id)) {
            collect(&value, &mut out);
        }
    }
    out
}

/// Reads one block; none when it is no JSON or nested deeper than 48.
#[must_use]
pub fn parse(text: &str) -> Option<Value> {
    let text = text.trim().trim_start_matches("<!--").trim_start_matches("//<![CDATA[");
    let text = text.trim_end_matches("-->").trim_end_matches("//]]>").trim();
    if depth(text) > MOST_DEPTH { None } else { serde_json::from_str(text).ok() }
}

/// The deepest nesting of brackets outside strings: a guest's stack is small.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn collect(value: &Value, out: &mut Vec<Map<String, Value>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        Value::Object(node) => {
            if node.contains_key("@type") && out.len() < MOST_NODES {
                out.push(node.clone());
            }
            node.values().for_each(|inner| collect(inner, out));
        }
        _ => {}
    }
}

/// The types of a node, without the vocabulary's address.
pub fn types(node: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let values = match node.get("@type") {
        Some(Value::Array(items)) => items.as_slice(),
        Some(single) => std::slice::from_ref(single),
        None => &[],
    };
    values.iter().filter_map(Value::as_str).map(|name| name.rsplit(['/', '#', ':']).next().unwrap_or(name))
}

/// A member as text: a string, a number, the `@value`, `name`, `@id` or `url` of an object, or the first of a list.
#[must_use]
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(crate::text::collapse(text)).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => items.iter().find_map(text),
        Value::Object(node) => ["@value", "name", "@id", "url"].iter().find_map(|key| node.get(*key).and_then(text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{nodes, text, types};
    use crate::dom::Dom;

    #[test]
    fn nodes_of_a_graph_and_those_inside_them_are_found() {
        let html = r#"<script type="application/ld+json">{"@graph":[{"@type":["NewsArticle","schema:Thing"],
            "author":{"@type":"Person","name":" Ada  L. "}}]}</script><script type="application/ld+json">{broken</script>"#;
        let nodes = nodes(&Dom::parse(html));
        assert_eq!(nodes.len(), 2);
        assert_eq!(types(&nodes[0]).collect::<Vec<_>>(), ["NewsArticle", "Thing"]);
        assert_eq!(text(&nodes[0]["author"]), Some("Ada L.".to_owned()));
    }

    #[test]
    fn a_block_nested_beyond_reason_is_passed_over() {
        let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(super::parse(&deep), None);
    }
}
