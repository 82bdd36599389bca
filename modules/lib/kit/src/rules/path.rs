//! A path into JSON-LD: the parts of JSONPath (RFC 9535) that name members, indexes, all and descendants.
//!
//! A path that does not begin with `$` begins at every node whose `@type` is its first word: `Product.offers.price`.

use serde_json::Value;

/// Parts of a path at most.
const MOST_PARTS: usize = 24;
/// Values looked at for one path.
const MOST_LOOKS: usize = 20_000;

/// A parsed path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// Every node of this type, however deep.
    Type(String),
    Member(String),
    Index(usize),
    All,
    /// The value itself and everything below it.
    Descendants,
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text.trim();
        if let Some(after) = rest.strip_prefix('$') {
            rest = after;
        } else {
            let (name, after) = word(rest);
            if name.is_empty() {
                return Err("a path begins with `$` or with a type, such as `Product.offers.price`".to_owned());
            }
            parts.push(Part::Type(name.to_owned()));
            rest = after;
        }
        while !rest.is_empty() {
            if parts.len() >= MOST_PARTS {
                return Err(format!("a path has at most {MOST_PARTS} parts"));
            }
            if let Some(after) = rest.strip_prefix("..") {
                parts.push(Part::Descendants);
                rest = after;
                if rest.starts_with('[') {
                    continue;
                }
                rest = member(rest, &mut parts)?;
            } else if let Some(after) = rest.strip_prefix('.') {
                rest = member(after, &mut parts)?;
            } else if let Some(after) = rest.strip_prefix('[') {
                let (inside, after) =
                    after.split_once(']').ok_or_else(|| "a `[` of the path is not closed".to_owned())?;
                parts.push(bracket(inside.trim())?);
                rest = after;
            } else {
                return Err(format!("the path cannot be read from {:.20}", rest));
            }
        }
        Ok(Self(parts))
    }

    /// Calls `found` for every value of the path in a block, with its JSON pointer (RFC 6901), in document order.
    pub fn walk(&self, block: &Value, found: &mut dyn FnMut(&Value, &str)) {
        let mut looks = MOST_LOOKS;
        step(&self.0, block, &mut String::new(), &mut looks, found);
    }
}

/// A name without brackets and dots, and what follows it.
fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(['.', '[']).unwrap_or(text.len()))
}

fn member<'t>(rest: &'t str, parts: &mut Vec<Part>) -> Result<&'t str, String> {
    let (name, after) = word(rest);
    match name {
        "" => return Err("a `.` of the path is followed by no name".to_owned()),
        "*" => parts.push(Part::All),
        name => parts.push(Part::Member(name.to_owned())),
    }
    Ok(after)
}

fn bracket(inside: &str) -> Result<Part, String> {
    if inside == "*" {
        return Ok(Part::All);
    }
    for quote in ['\'', '"'] {
        if let Some(name) = inside.strip_prefix(quote).and_then(|name| name.strip_suffix(quote)) {
            return Ok(Part::Member(name.to_owned()));
        }
    }
    inside.parse().map(Part::Index).map_err(|_| format!("[{inside:.20}] is no index, name in quotes or *"))
}

fn step(parts: &[Part], value: &Value, pointer: &mut String, looks: &mut usize, found: &mut dyn FnMut(&Value, &str)) {
    if *looks == 0 {
        return;
    }
    *looks -= 1;
    let Some((part, rest)) = parts.split_first() else {
        found(value, pointer);
        return;
    };
    match part {
        Part::Member(name) => {
            if let Some(inner) = value.get(name) {
                below(pointer, name, |pointer| step(rest, inner, pointer, looks, found));
            }
            // JSON-LD writes a list of one as the thing itself, so a name reaches into the things of a list.
            if let Value::Array(items) = value {
                for (at, item) in items.iter().enumerate() {
                    below(pointer, &at.to_string(), |pointer| {
                        if !item.is_array() {
                            step(parts, item, pointer, looks, found);
                        }
                    });
                }
            }
        }
        Part::Index(index) => {
            if let Some(inner) = value.get(index) {
                below(pointer, &index.to_string(), |pointer| step(rest, inner, pointer, looks, found));
            }
        }
        Part::All => each(value, pointer, &mut |inner, pointer| step(rest, inner, pointer, looks, found)),
        Part::Descendants => {
            // A name reaches into the things of a list by itself; they come below.
            if !(value.is_array() && matches!(rest.first(), Some(Part::Member(_)))) {
                step(rest, value, pointer, looks, found);
            }
            each(value, pointer, &mut |inner, pointer| {
                if inner.is_object() || inner.is_array() {
                    step(parts, inner, pointer, looks, found);
                }
            });
        }
        Part::Type(name) => {
            if is_type(value, name) {
                step(rest, value, pointer, looks, found);
            }
            each(value, pointer, &mut |inner, pointer| {
                if inner.is_object() || inner.is_array() {
                    step(parts, inner, pointer, looks, found);
                }
            });
        }
    }
}

fn each(value: &Value, pointer: &mut String, visit: &mut dyn FnMut(&Value, &mut String)) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                below(pointer, &at.to_string(), |pointer| visit(item, pointer));
            }
        }
        Value::Object(members) => {
            for (name, inner) in members {
                below(pointer, name, |pointer| visit(inner, pointer));
            }
        }
        _ => {}
    }
}

fn below(pointer: &mut String, name: &str, inside: impl FnOnce(&mut String)) {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    inside(pointer);
    pointer.truncate(length);
}

fn is_type(value: &Value, name: &str) -> bool {
    let fits = |text: &str| text.rsplit(['/', '#', ':']).next().is_some_and(|last| last == name);
    match value.get("@type") {
        Some(Value::String(text)) => fits(text),
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).any(fits),
        _ => false,
    }
}
