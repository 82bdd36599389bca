//! The properties that parts of rich results need and want, type by type, and how an item is asked.
//!
//! Which properties are needed: Google Search Central, as `@adobe/structured-data-validator` 1.7.1 reads it; the tests
//! compare the errors with that program's on 150 items.

use serde_json::{Map, Value};

use super::special;
use crate::check::{Found, Severity, escaped, literal};
use crate::extract::types;
use crate::vocabulary;

/// What a value must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Anything but nothing.
    Any,
    /// A text.
    Text,
    /// A number, or a text that is one.
    Number,
    /// A day or a moment.
    Date,
    /// An address, or a list of them; not one that holds its data itself.
    Address,
    /// Three capital letters.
    Currency,
    /// A duration of ISO 8601.
    Duration,
    /// An object or a list.
    Node,
}

/// One demand. A property may be a path, `item.name`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Needed.
    Need(&'static str, Form),
    /// One of these is needed.
    NeedOne(&'static [(&'static str, Form)]),
    /// Better with it.
    Want(&'static str, Form),
    /// Better with one of these.
    WantOne(&'static [(&'static str, Form)]),
    /// Needed where the item stands by itself.
    NeedAlone(&'static str),
    /// One of these is needed where the item stands by itself.
    NeedOneAlone(&'static [(&'static str, Form)]),
}

/// Where a node stands in its item.
pub(crate) struct Place<'a> {
    pub(crate) pointer: String,
    /// The types of the nodes around it, the outermost first.
    pub(crate) around: Vec<&'a str>,
    /// The property that it is a value of; empty for the item itself.
    pub(crate) property: &'a str,
}

/// Asks every node of a tree.
pub(crate) fn check(item: &Map<String, Value>) -> Vec<Found> {
    let mut out = Vec::new();
    each(item, &mut |named, item, place| {
        for name in named {
            let (known, rules) = rules_of(name);
            out.extend(rules.iter().filter_map(|rule| asked(rule, item, place)));
            special::check(known, item, place, &mut out);
        }
    });
    out
}

/// Shows every node that has a type, with its types and its place; a variant that is sold elsewhere is asked there.
pub(super) fn each<'a>(
    item: &'a Map<String, Value>,
    visit: &mut impl FnMut(&[&'a str], &'a Map<String, Value>, &Place<'a>),
) {
    node(item, &Place { pointer: String::new(), around: Vec::new(), property: "" }, visit);
}

fn node<'a>(
    item: &'a Map<String, Value>,
    place: &Place<'a>,
    visit: &mut impl FnMut(&[&'a str], &'a Map<String, Value>, &Place<'a>),
) {
    let named = types(item);
    if named.is_empty() || special::is_elsewhere(item, place) {
        return;
    }
    visit(&named, item, place);
    let kind = named.first().copied().unwrap_or_default();
    for (property, value) in item.iter().filter(|(name, _)| !name.starts_with('@')) {
        let around: Vec<&str> = place.around.iter().copied().chain([kind]).collect();
        let at = format!("{}/{}", place.pointer, escaped(property));
        match value {
            Value::Object(inner) => node(inner, &Place { pointer: at, around, property }, visit),
            Value::Array(all) => {
                for (number, one) in all.iter().enumerate() {
                    if let Value::Object(inner) = one {
                        let pointer = format!("{at}/{number}");
                        node(inner, &Place { pointer, around: around.clone(), property }, visit);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether one of these types is this one, or below it.
pub(super) fn is_below(named: &[&str], kind: &str) -> bool {
    named.iter().any(|name| vocabulary::get().lineage(name).contains(&kind))
}

/// The rules of a type, or of the nearest above it that has some, with that type's name.
fn rules_of(name: &str) -> (&'static str, &'static [Rule]) {
    let lineage = vocabulary::get().lineage(name);
    let found = lineage.iter().find_map(|it| super::table::rules(it).map(|rules| (*it, rules)));
    found.unwrap_or(("", &[]))
}

fn asked(rule: &Rule, item: &Map<String, Value>, place: &Place<'_>) -> Option<Found> {
    let alone = place.around.is_empty();
    match rule {
        Rule::Need(name, form) => one(Severity::Error, name, *form, item, place),
        Rule::Want(name, form) => one(Severity::Warning, name, *form, item, place),
        Rule::NeedAlone(name) if alone => one(Severity::Error, name, Form::Any, item, place),
        Rule::NeedOne(names) => any(Severity::Error, names, item, place),
        Rule::WantOne(names) => any(Severity::Warning, names, item, place),
        Rule::NeedOneAlone(names) if alone => any(Severity::Error, names, item, place),
        Rule::NeedAlone(_) | Rule::NeedOneAlone(_) => None,
    }
}

/// A finding when a property is missing or of another form.
pub(super) fn one(
    severity: Severity,
    name: &str,
    form: Form,
    item: &Map<String, Value>,
    place: &Place<'_>,
) -> Option<Found> {
    let wrong = fault(name, form, item)?;
    let (code, message) = match wrong {
        Fault::Missing if severity == Severity::Error => ("missing_required", format!("{name} is needed")),
        Fault::Missing => ("missing_recommended", format!("{name} is recommended")),
        Fault::Malformed => ("malformed_value", format!("{name} has to be {}", words(form))),
    };
    Some(Found { severity, code, pointer: place.pointer.clone(), properties: vec![name.to_owned()], message })
}

/// A finding when none of several properties is there and well formed.
pub(super) fn any(
    severity: Severity,
    names: &[(&str, Form)],
    item: &Map<String, Value>,
    place: &Place<'_>,
) -> Option<Found> {
    if names.iter().any(|(name, form)| fault(name, *form, item).is_none()) {
        return None;
    }
    let properties: Vec<String> = names.iter().map(|(name, _)| (*name).to_owned()).collect();
    let is_malformed = |(name, form): &&(&str, Form)| matches!(fault(name, *form, item), Some(Fault::Malformed));
    // What is there and cannot be read is not missing.
    let (code, message) = match names.iter().find(is_malformed) {
        Some((name, form)) => ("malformed_value", format!("{name} has to be {}", words(*form))),
        None if severity == Severity::Error => {
            ("missing_required", format!("one of {} is needed", properties.join(", ")))
        }
        None => ("missing_recommended", format!("one of {} is recommended", properties.join(", "))),
    };
    Some(Found { severity, code, pointer: place.pointer.clone(), properties, message })
}

enum Fault {
    Missing,
    Malformed,
}

fn fault(name: &str, form: Form, item: &Map<String, Value>) -> Option<Fault> {
    match reached(item, name) {
        None => Some(Fault::Missing),
        Some(value) => (!fits(&value, form)).then_some(Fault::Malformed),
    }
}

/// The value at a path, through objects and the first object of lists; none when it is empty.
pub(crate) fn reached(item: &Map<String, Value>, path: &str) -> Option<Value> {
    let mut parts = path.split('.');
    let mut at = item.get(parts.next()?)?;
    for part in parts {
        let inner = match at {
            Value::Array(all) => all.iter().find_map(Value::as_object)?,
            other => other.as_object()?,
        };
        at = inner.get(part)?;
    }
    let says = !at.is_null() && at.as_str() != Some("");
    says.then(|| at.clone())
}

fn fits(value: &Value, form: Form) -> bool {
    match form {
        Form::Any => true,
        Form::Text => value.is_string(),
        Form::Number => value.is_number() || value.as_str().is_some_and(|it| literal::is_number(it.trim())),
        Form::Date => value.is_number() || value.as_str().is_some_and(is_day),
        Form::Address => {
            let several = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            several.iter().all(|it| it.as_str().is_some_and(|it| !it.starts_with("data:")))
        }
        Form::Currency => {
            value.as_str().is_some_and(|it| it.len() == 3 && it.bytes().all(|it| it.is_ascii_uppercase()))
        }
        Form::Duration => value.as_str().is_some_and(literal::is_duration),
        Form::Node => value.is_object() || value.is_array(),
    }
}

/// A day or moment, in ISO 8601 or as people write one.
fn is_day(text: &str) -> bool {
    literal::is_date(text) || literal::is_date_time(text) || kit::dates::parse(text).is_some()
}

fn words(form: Form) -> &'static str {
    match form {
        Form::Any => "something",
        Form::Text => "a text",
        Form::Number => "a number with a point before its decimals, such as 4.5",
        Form::Date => "a date",
        Form::Address => "an address",
        Form::Currency => "a currency such as EUR",
        Form::Duration => "a duration such as PT30M",
        Form::Node => "an object or a list of them",
    }
}
