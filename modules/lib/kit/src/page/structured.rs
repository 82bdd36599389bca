//! Types, author and dates of structured data. What it means is for others to judge.

use serde_json::Value;

use super::facts::PageFacts;
use super::nodes;
use crate::text::collapse_to;

/// The most types kept of each syntax.
const MOST: usize = 100;
/// The deepest nesting read.
const MOST_DEPTH: usize = 48;

/// Reads one JSON-LD block.
pub(super) fn read_json_ld(text: &str, facts: &mut PageFacts) {
    facts.structured.blocks += 1;
    let text = strip_wrapping(text);
    if is_too_deep(text) {
        facts.structured.errors.push(format!("the block is nested deeper than {MOST_DEPTH}"));
        facts.structured.errors.truncate(10);
        return;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) => {
            visit(&value, facts);
            nodes::keep(&value, &mut facts.structured);
            contexts(&value, &mut facts.structured.contexts);
        }
        Err(error) => {
            if facts.structured.errors.len() < 10 {
                let what = if text.is_empty() { "the block is empty".to_owned() } else { error.to_string() };
                facts.structured.errors.push(what);
            }
        }
    }
}

/// Whether brackets outside strings are nested too deep for a guest's small stack.
fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_DEPTH {
            return true;
        }
    }
    false
}

/// Old pages wrap scripts in comments or CDATA, which readers of JSON-LD pass over.
fn strip_wrapping(text: &str) -> &str {
    let mut text = text.trim();
    for (open, close) in [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>")]
    {
        if let Some(inner) = text.strip_prefix(open) {
            text = inner.trim_end().strip_suffix(close).unwrap_or(inner).trim();
        }
    }
    text
}

fn visit(value: &Value, facts: &mut PageFacts) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit(item, facts)),
        Value::Object(node) => {
            match node.get("@type") {
                Some(Value::String(name)) => add(&mut facts.structured.json_ld, name),
                Some(Value::Array(names)) => {
                    names.iter().filter_map(Value::as_str).for_each(|name| add(&mut facts.structured.json_ld, name));
                }
                _ => {}
            }
            if facts.byline_markup.is_none() {
                facts.byline_markup = node.get("author").and_then(author);
            }
            fill(&mut facts.published, node.get("datePublished").and_then(Value::as_str));
            fill(&mut facts.modified, node.get("dateModified").and_then(Value::as_str));
            node.iter().filter(|(key, _)| *key != "@type").for_each(|(_, inner)| visit(inner, facts));
        }
        _ => {}
    }
}

/// The addresses that a block names as the meaning of its words.
fn contexts(value: &Value, known: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().take(20).for_each(|item| contexts(item, known)),
        Value::Object(node) => match node.get("@context") {
            None => add_context("", known),
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).for_each(|it| add_context(it, known)),
            Some(one) => add_context(one.as_str().or_else(|| one.get("@vocab")?.as_str()).unwrap_or_default(), known),
        },
        _ => {}
    }
}

fn add_context(context: &str, known: &mut Vec<String>) {
    let context = collapse_to(context, 100);
    if known.len() < 5 && !known.contains(&context) {
        known.push(context);
    }
}

fn author(value: &Value) -> Option<String> {
    match value {
        Value::String(name) if !name.starts_with("http") => {
            Some(collapse_to(name, 120)).filter(|name| !name.is_empty())
        }
        Value::Object(node) => node.get("name").and_then(author),
        Value::Array(items) => super::byline::joined(&items.iter().filter_map(author).take(8).collect::<Vec<_>>()),
        _ => None,
    }
}

/// Adds the last segment of a type's name, once.
pub(super) fn add(types: &mut Vec<String>, name: &str) {
    let name = last_segment(name);
    if !name.is_empty() && types.len() < MOST && !types.iter().any(|known| known == name) {
        types.push(name.to_owned());
    }
}

/// The name of a type without the address before it.
pub(super) fn last_segment(name: &str) -> &str {
    let name = name.trim().trim_end_matches('/').rsplit(['/', '#']).next().unwrap_or_default();
    crate::text::clip(name, 80)
}

/// Sets a date that is not known yet.
pub(super) fn fill(slot: &mut Option<String>, value: Option<&str>) {
    if slot.is_none()
        && let Some(value) = value
    {
        let value = collapse_to(value, 40);
        *slot = (!value.is_empty()).then_some(value);
    }
}
