//! The typed filter over a page's fields.

use std::cmp::Ordering;

use regex::Regex;
use sdk::prelude::*;
use serde_json::Value;

use crate::fields::{self, Kind};

/// A condition on one field; all conditions of a list must hold.
#[args]
pub(crate) struct Condition {
    /// The field, such as `status`, `title_length`, `indexability_reason` or `word_count`.
    pub(crate) field: Text<1, 40>,
    /// How the value is compared.
    pub(crate) op: Op,
    /// What it is compared with: text, number, or true and false, as the field holds. Not needed for `empty`.
    pub(crate) value: Option<Value>,
}

/// A comparison.
#[value]
pub(crate) enum Op {
    Eq,
    Ne,
    Gt,
    Lt,
    Contains,
    Regex,
    Empty,
}

/// Conditions that were checked and are ready to be asked.
pub(crate) struct Filter(Vec<(&'static str, Test)>);

enum Test {
    Equal(Value, bool),
    Order(f64, Ordering),
    Contains(String),
    Pattern(Regex),
    Empty(bool),
}

impl Filter {
    /// Checks conditions; 422 with the pointer of the one that cannot be asked.
    pub(crate) fn new(conditions: &[Condition]) -> Result<Self> {
        let ready = conditions.iter().enumerate().map(|(at, condition)| ready(at, condition));
        Ok(Self(ready.collect::<Result<_>>()?))
    }

    /// The fields that are asked about.
    pub(crate) fn fields(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// Whether one of the conditions is a regular expression.
    pub(crate) fn has_pattern(&self) -> bool {
        self.0.iter().any(|(_, test)| matches!(test, Test::Pattern(_)))
    }

    /// Whether a page with these values satisfies all conditions.
    pub(crate) fn holds<'a>(&self, value: impl Fn(&'static str) -> Option<&'a Value>) -> bool {
        self.0.iter().all(|(name, test)| test.holds(value(name)))
    }
}

fn ready(at: usize, condition: &Condition) -> Result<(&'static str, Test)> {
    let Some(field) = fields::find(condition.field.as_str()) else {
        let message = format!("there is no field {:.40}; the fields are {}", condition.field.as_str(), names());
        return Err(Fault::invalid(format!("/filter/{at}/field"), "unknown_field", message));
    };
    let wrong = |what: &str| {
        let message = format!("the field {} holds {}, so {what}", field.name, word(field.kind));
        Fault::invalid(format!("/filter/{at}/value"), "wrong_value", message)
    };
    let text = condition.value.as_ref().and_then(Value::as_str);
    let test = match condition.op {
        Op::Empty => match &condition.value {
            None => Test::Empty(true),
            Some(value) => Test::Empty(value.as_bool().ok_or_else(|| wrong("`empty` takes true, false or nothing"))?),
        },
        Op::Eq | Op::Ne => {
            let value = condition.value.clone().unwrap_or(Value::Null);
            let fits = match field.kind {
                Kind::Text => value.is_string(),
                Kind::Number => value.is_number(),
                Kind::Flag => value.is_boolean(),
            };
            if !fits {
                return Err(wrong("it is compared with the same"));
            }
            Test::Equal(value, condition.op == Op::Eq)
        }
        Op::Gt | Op::Lt => {
            let number = condition.value.as_ref().and_then(Value::as_f64).filter(|_| field.kind == Kind::Number);
            let number = number.ok_or_else(|| wrong("`gt` and `lt` compare numbers"))?;
            Test::Order(number, if condition.op == Op::Gt { Ordering::Greater } else { Ordering::Less })
        }
        Op::Contains => {
            let text =
                text.filter(|_| field.kind == Kind::Text).ok_or_else(|| wrong("`contains` looks for text in text"))?;
            Test::Contains(text.to_lowercase())
        }
        Op::Regex => {
            let text = text
                .filter(|_| field.kind == Kind::Text)
                .ok_or_else(|| wrong("`regex` looks for a pattern in text"))?;
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
    Ok((field.name, test))
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
pub(crate) fn order(a: Option<&Value>, b: Option<&Value>) -> Ordering {
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
pub(crate) fn sorted(a: Option<&Value>, b: Option<&Value>, greatest_first: bool) -> Ordering {
    let order = order(a, b);
    if greatest_first && a.is_some() == b.is_some() { order.reverse() } else { order }
}

/// All names, for messages.
pub(crate) fn names() -> String {
    let names: Vec<&str> = fields::FIELDS.iter().map(|field| field.name).collect();
    kit::text::clip(&names.join(" "), 400).to_owned()
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Number => "a number",
        Kind::Flag => "true or false",
    }
}
