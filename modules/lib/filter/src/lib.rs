//! The typed filter and the sort order of lists, alike in every module: conditions on named fields, checked before anything
//! is read.

use std::cmp::Ordering;

use regex::Regex;
use sdk::prelude::*;
use serde_json::Value;

/// The longest list of `in`.
const MAX_VALUES: usize = 100;

/// The values that a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Numbers.
    Number,
    /// True and false.
    Flag,
}

/// A field that can be asked: its name and its kind of values.
pub type Field = (&'static str, Kind);

/// A field, and whether its greatest value comes first.
pub type Sort = (&'static str, bool);

/// A condition on one field; all conditions of a list must hold.
#[args]
pub struct Condition {
    /// The field, by its name; the refusal of an unknown one lists all.
    pub field: Text<1, 40>,
    /// How the value is compared.
    pub op: Op,
    /// What it is compared with: text, number, or true and false, as the field holds; a list of them for `in`. Not needed for
    /// `empty`.
    pub value: Option<Value>,
}

/// A comparison.
#[value]
pub enum Op {
    /// The value is this.
    Eq,
    /// The value is not this.
    Ne,
    /// The number is greater.
    Gt,
    /// The number is smaller.
    Lt,
    /// The text has this in it, in any case.
    Contains,
    /// The text matches this pattern.
    Regex,
    /// There is no value; with `false`, there is one.
    Empty,
    /// The value is one of these.
    In,
}

/// Conditions that were checked and are ready to be asked.
pub struct Filter(Vec<(&'static str, Test)>);

enum Test {
    Equal(Value, bool),
    Order(f64, Ordering),
    Contains(String),
    Pattern(Regex),
    Empty(bool),
    Among(Vec<Value>),
}

impl Filter {
    /// Checks the conditions of the argument `filter` against the fields that there are.
    ///
    /// # Errors
    /// 422 `unknown_field`, `wrong_value` or `wrong_pattern` with the pointer of the condition that cannot be asked.
    pub fn new(conditions: &[Condition], fields: &[Field]) -> Result<Self> {
        let ready = conditions.iter().enumerate().map(|(at, condition)| ready(at, condition, fields));
        Ok(Self(ready.collect::<Result<_>>()?))
    }

    /// Whether there is no condition.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields that are asked about.
    #[must_use]
    pub fn fields(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// Whether one of the conditions is a regular expression.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        self.0.iter().any(|(_, test)| matches!(test, Test::Pattern(_)))
    }

    /// Whether a row with these values satisfies all conditions.
    pub fn holds<'a>(&self, value: impl Fn(&'static str) -> Option<&'a Value>) -> bool {
        self.0.iter().all(|(name, test)| test.holds(value(name)))
    }
}

/// The field of this name.
///
/// # Errors
/// 422 `unknown_field` at the pointer, with the names that there are.
pub fn field(name: &str, fields: &[Field], pointer: &str) -> Result<Field> {
    fields.iter().find(|(known, _)| *known == name).copied().ok_or_else(|| {
        let message = format!("there is no field {name:.40}; the fields are {}", names(fields));
        Fault::invalid(pointer, "unknown_field", message)
    })
}

/// The order that the argument `sort` asks for: a field, with `-` before it for the greatest first.
///
/// # Errors
/// 422 `unknown_field` at `/sort`.
pub fn sort_of(text: &str, fields: &[Field]) -> Result<Sort> {
    let (name, greatest_first) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
    Ok((field(name, fields, "/sort")?.0, greatest_first))
}

fn ready(at: usize, condition: &Condition, fields: &[Field]) -> Result<(&'static str, Test)> {
    let (name, kind) = field(condition.field.as_str(), fields, &format!("/filter/{at}/field"))?;
    let wrong = |what: &str| {
        let message = format!("the field {name} holds {}, so {what}", word(kind));
        Fault::invalid(format!("/filter/{at}/value"), "wrong_value", message)
    };
    let fits = |value: &Value| match kind {
        Kind::Text => value.is_string(),
        Kind::Number => value.is_number(),
        Kind::Flag => value.is_boolean(),
    };
    let text = condition.value.as_ref().and_then(Value::as_str);
    let test = match condition.op {
        Op::Empty => match &condition.value {
            None => Test::Empty(true),
            Some(value) => Test::Empty(value.as_bool().ok_or_else(|| wrong("`empty` takes true, false or nothing"))?),
        },
        Op::Eq | Op::Ne => {
            let value = condition.value.clone().unwrap_or(Value::Null);
            if !fits(&value) {
                return Err(wrong("it is compared with the same"));
            }
            Test::Equal(value, condition.op == Op::Eq)
        }
        Op::In => {
            let values = condition.value.as_ref().and_then(Value::as_array);
            let values = values.filter(|all| (1..=MAX_VALUES).contains(&all.len()) && all.iter().all(fits));
            Test::Among(values.ok_or_else(|| wrong("`in` takes a list of 1 to 100 of the same"))?.clone())
        }
        Op::Gt | Op::Lt => {
            let number = condition.value.as_ref().and_then(Value::as_f64).filter(|_| kind == Kind::Number);
            let number = number.ok_or_else(|| wrong("`gt` and `lt` compare numbers"))?;
            Test::Order(number, if condition.op == Op::Gt { Ordering::Greater } else { Ordering::Less })
        }
        Op::Contains => {
            let text = text.filter(|_| kind == Kind::Text).ok_or_else(|| wrong("`contains` looks for text in text"))?;
            Test::Contains(text.to_lowercase())
        }
        Op::Regex => {
            let text =
                text.filter(|_| kind == Kind::Text).ok_or_else(|| wrong("`regex` looks for a pattern in text"))?;
            let fault = |_| {
                Fault::invalid(
                    format!("/filter/{at}/value"),
                    "wrong_pattern",
                    "this is not a regular expression of RE2's kind",
                )
            };
            Test::Pattern(regex::RegexBuilder::new(text).size_limit(1 << 20).build().map_err(fault)?)
        }
    };
    Ok((name, test))
}

impl Test {
    fn holds(&self, value: Option<&Value>) -> bool {
        match self {
            Test::Empty(wanted) => is_empty(value) == *wanted,
            Test::Equal(other, wanted) => is_equal(value, other) == *wanted,
            Test::Order(number, wanted) => value
                .and_then(Value::as_f64)
                .and_then(|value| value.partial_cmp(number))
                .is_some_and(|order| order == *wanted),
            Test::Contains(part) => {
                value.and_then(Value::as_str).is_some_and(|text| text.to_lowercase().contains(part))
            }
            Test::Among(values) => values.iter().any(|other| is_equal(value, other)),
            Test::Pattern(pattern) => pattern.is_match(value.and_then(Value::as_str).unwrap_or_default()),
        }
    }
}

/// A missing value, an empty text, zero and false.
fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Number(number)) => number.as_f64() == Some(0.0),
        Some(Value::Bool(flag)) => !flag,
        Some(_) => false,
    }
}

fn is_equal(value: Option<&Value>, other: &Value) -> bool {
    match (value, other) {
        (Some(Value::Number(a)), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Some(a), b) => a == b,
        (None, b) => is_empty(Some(b)),
    }
}

/// Orders two values of one field; missing ones come last.
#[must_use]
pub fn order(a: Option<&Value>, b: Option<&Value>) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(Value::Number(a)), Some(Value::Number(b))) => {
            a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal)
        }
        (Some(Value::Bool(a)), Some(Value::Bool(b))) => a.cmp(b),
        (Some(a), Some(b)) => a.as_str().cmp(&b.as_str()),
    }
}

/// Orders two values of one field, either way; missing ones stay last.
#[must_use]
pub fn sorted(a: Option<&Value>, b: Option<&Value>, greatest_first: bool) -> Ordering {
    let order = order(a, b);
    if greatest_first && a.is_some() == b.is_some() { order.reverse() } else { order }
}

/// All names, for messages.
fn names(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    kit::text::clip(&names.join(" "), 400).to_owned()
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Number => "a number",
        Kind::Flag => "true or false",
    }
}

#[cfg(test)]
mod tests;
