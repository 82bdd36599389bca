//! JSON-LD blocks: what can be read of them, and where they break.
//!
//! Nothing is repaired: a search engine takes a block that is no JSON for none.

use serde_json::{Map, Value};

use super::context::Context;
use super::{Extracted, Format, Item, MOST_DEPTH, ParseError};

/// Reads one block that begins at a line of its document.
pub(crate) fn read(text: &str, line: u32, out: &mut Extracted) {
    let mut fail = |line: u32, column: Option<u32>, message: String| {
        out.errors.push(ParseError { format: Format::JsonLd, line, column, message });
    };
    let (bare, before) = unwrapped(text);
    if bare.is_empty() {
        return fail(line, None, "the block is empty".to_owned());
    }
    if depth(bare) > MOST_DEPTH {
        return fail(line, None, format!("the block is nested deeper than {MOST_DEPTH}"));
    }
    let value: Value = match serde_json::from_str(bare) {
        Ok(value) => value,
        Err(error) => {
            let at = u32::try_from(error.line()).unwrap_or(1).max(1);
            let column = u32::try_from(error.column()).ok().filter(|it| *it > 0);
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            return fail(line + before + at - 1, column, message);
        }
    };
    let mut missing = false;
    top(&value, &Context::default(), String::new(), &mut |context, pointer, node| {
        missing |= !context.schema && !node.keys().any(|it| is_absolute(it));
        out.items.push(Item { format: Format::JsonLd, line, pointer, value: node });
    });
    if missing {
        let message = "the @context is not https://schema.org, so that bare names say nothing to a search engine";
        out.errors.push(ParseError { format: Format::JsonLd, line, column: None, message: message.to_owned() });
    }
}

/// Whether a name came with an address of its own.
fn is_absolute(name: &str) -> bool {
    name.contains("://")
}

/// The items of a block: of a list, of a graph, or the block itself.
fn top(value: &Value, context: &Context, pointer: String, each: &mut impl FnMut(&Context, String, Map<String, Value>)) {
    match value {
        Value::Array(all) => {
            for (at, one) in all.iter().enumerate() {
                top(one, context, format!("{pointer}/{at}"), each);
            }
        }
        Value::Object(members) => {
            let inner = members.get("@context").map_or_else(|| context.clone(), |own| context.with(own));
            if let Some(graph) = members.get("@graph") {
                top(graph, &inner, format!("{pointer}/@graph"), each);
            }
            let says_more = members.keys().any(|name| !matches!(name.as_str(), "@context" | "@graph" | "@id"));
            if (says_more || !members.contains_key("@graph"))
                && let Value::Object(mut node) = normal(value, context)
            {
                node.remove("@graph");
                if !node.is_empty() {
                    each(&inner, pointer, node);
                }
            }
        }
        _ => {}
    }
}

/// A value with the names of schema.org, literals in place of `@value`, and lists in place of `@list` and `@set`.
fn normal(value: &Value, context: &Context) -> Value {
    match value {
        Value::Array(all) => Value::Array(all.iter().map(|one| normal(one, context)).collect()),
        Value::Object(members) => {
            if let Some(literal) = members.get("@value") {
                return literal.clone();
            }
            if let Some(list) = members.get("@list").or_else(|| members.get("@set")) {
                return normal(list, context);
            }
            let inner = members.get("@context").map_or_else(|| context.clone(), |own| context.with(own));
            let mut out = Map::new();
            for (name, value) in members {
                let name = inner.meaning(name);
                let value = match name.as_str() {
                    "@context" | "@graph" => continue,
                    "@type" => kinds(value, &inner),
                    "@id" => value.clone(),
                    _ => normal(value, &inner),
                };
                match value {
                    Value::Null => {}
                    value if out.contains_key(&name) => super::add(&mut out, &name, value),
                    value => {
                        out.insert(name, value);
                    }
                }
            }
            Value::Object(out)
        }
        literal => literal.clone(),
    }
}

fn kinds(value: &Value, context: &Context) -> Value {
    match value {
        Value::String(name) => Value::String(context.meaning(name)),
        Value::Array(all) => Value::Array(all.iter().map(|one| kinds(one, context)).collect()),
        _ => Value::Null,
    }
}

/// Old pages wrap scripts in comments or CDATA, which readers of JSON-LD pass over; with the lines before what is left.
fn unwrapped(text: &str) -> (&str, u32) {
    let mut inner = text.trim();
    for (open, close) in [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>")]
    {
        if let Some(rest) = inner.strip_prefix(open) {
            inner = rest.trim_end().strip_suffix(close).unwrap_or(rest).trim();
        }
    }
    let before = text.find(inner).map_or(0, |at| text[..at].matches('\n').count());
    (inner, u32::try_from(before).unwrap_or(0))
}

/// The deepest nesting of brackets outside strings.
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
