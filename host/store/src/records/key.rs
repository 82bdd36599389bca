//! Index keys: JSON scalars as text whose byte order is the order of the values.
//!
//! null < false < true < numbers < strings < all else. A field ends with U+0001, and control characters inside a string are
//! escaped, so that a shorter string sorts before its continuations, a key of several fields sorts field by field,
//! and rows can be packed with control characters between them.
//! Every text column compares by bytes on both databases, so plain `<` in SQL is this order; hex would need no such
//! promise and cost twice the space. Numbers are compared as doubles: integers beyond 2^53 are not kept apart.

use model::manifest::{Collection, Index};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::RecordsError;

/// Ends a field.
const END: char = '\u{1}';
/// Begins an escape.
const ESCAPE: char = '\u{2}';
/// Above every continuation of a whole field: the tags of the next field are digits.
const ABOVE: char = '\u{7f}';
/// Bytes of a string that are kept; the rest is told apart by a hash. PostgreSQL takes no longer keys.
const KEPT: usize = 448;

/// The key of a record in an index. Absent is null; what no query can compare with has a key after all that it can.
pub(crate) fn of_record(index: &Index, record: &Map<String, Value>) -> String {
    let mut key = String::with_capacity(32);
    for field in &index.fields {
        let value = record.get(field).unwrap_or(&Value::Null);
        if push(&mut key, value).is_err() {
            key.push('5');
            key.push_str(&model::token::hex(&Sha256::digest(value.to_string())[..16]));
            key.push(END);
        }
    }
    key
}

/// Refuses a record whose declared indexes are over what is neither a scalar nor null.
pub(crate) fn check(declared: &Collection, record: &Map<String, Value>) -> Result<(), RecordsError> {
    let fields = declared.indexes.iter().flat_map(|index| &index.fields);
    let mut wrong = fields.filter(|field| matches!(record.get(*field), Some(Value::Array(_) | Value::Object(_))));
    match wrong.next() {
        None => Ok(()),
        Some(field) => Err(RecordsError::Malformed(format!("{field} is indexed and is neither a scalar nor null"))),
    }
}

/// From the first key that an index query selects to before the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) from: String,
    pub(crate) to: String,
}

impl Range {
    pub(crate) fn holds(&self, key: &str) -> bool {
        *self.from <= *key && *key < *self.to
    }
}

/// The keys that a query selects.
pub(crate) fn range(
    index: &Index,
    equals: &[Value],
    at_least: Option<&Value>,
    below: Option<&Value>,
) -> Result<Range, RecordsError> {
    let bounded = usize::from(at_least.is_some() || below.is_some());
    if equals.len() + bounded > index.fields.len() {
        return Err(RecordsError::Malformed(format!("index {} has {} fields", index.name, index.fields.len())));
    }
    let mut prefix = String::new();
    for value in equals {
        push(&mut prefix, value).map_err(|()| not_scalar())?;
    }
    let bound = |value: Option<&Value>| {
        let mut key = prefix.clone();
        match value {
            Some(value) => push(&mut key, value).map(|()| Some(key)).map_err(|()| not_scalar()),
            None => Ok(None),
        }
    };
    Ok(Range {
        from: bound(at_least)?.unwrap_or_else(|| prefix.clone()),
        to: bound(below)?.unwrap_or_else(|| format!("{prefix}{ABOVE}")),
    })
}

fn not_scalar() -> RecordsError {
    RecordsError::Malformed("a query compares with JSON scalars".to_owned())
}

fn push(key: &mut String, value: &Value) -> Result<(), ()> {
    match value {
        Value::Null => key.push('0'),
        Value::Bool(false) => key.push('1'),
        Value::Bool(true) => key.push('2'),
        Value::Number(number) => {
            key.push('3');
            push_number(key, number.as_f64().ok_or(())?);
        }
        Value::String(text) => {
            key.push('4');
            push_text(key, text);
        }
        Value::Array(_) | Value::Object(_) => return Err(()),
    }
    key.push(END);
    Ok(())
}

/// The bits of a double in an order that unsigned integers have: negative ones turned over, the others above them.
fn push_number(key: &mut String, number: f64) {
    // Minus zero equals zero and must have its key.
    let bits = (if number == 0.0 { 0.0 } else { number }).to_bits();
    let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    key.push_str(&format!("{ordered:016x}"));
}

fn push_text(key: &mut String, text: &str) {
    let kept = if text.len() <= KEPT { text } else { &text[..text.floor_char_boundary(KEPT)] };
    for character in kept.chars() {
        match character {
            control @ '\u{0}'..='\u{1f}' => key.extend([ESCAPE, char::from(b'0' + control as u8)]),
            other => key.push(other),
        }
    }
    if kept.len() < text.len() {
        key.push_str(&model::token::hex(&Sha256::digest(text.as_bytes())[..16]));
    }
}

#[cfg(test)]
mod tests;
