//! Whether an item keeps to schema.org: types, properties, and the values they take.
//!
//! schema.org calls its domains and ranges expectations ("conformance", <https://schema.org/docs/datamodel.html>): what does
//! not fit them is a warning, and what cannot be read as the data type or the enumeration at all is an error.

pub(crate) mod currency;
pub(crate) mod literal;

use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::extract::{context, types};
use crate::vocabulary::{self, Property};

/// How bad a finding is.
#[value]
pub(crate) enum Severity {
    /// It cannot be read as what it should be, or a feature is lost.
    Error,
    /// It should be otherwise.
    Warning,
}

/// One finding in an item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    /// The node at fault within its item: property names and places in lists, `/offers/0`.
    pub(crate) pointer: String,
    /// The properties meant, at that node.
    pub(crate) properties: Vec<String>,
    pub(crate) message: String,
}

/// Checks a tree against the vocabulary.
pub(crate) fn check(item: &Map<String, Value>) -> Vec<Found> {
    let mut checker = Checker { out: Vec::new() };
    checker.node(item, String::new());
    checker.out
}

struct Checker {
    out: Vec<Found>,
}

impl Checker {
    fn say(&mut self, severity: Severity, code: &'static str, pointer: &str, property: &str, message: String) {
        let properties = vec![property.to_owned()];
        self.out.push(Found { severity, code, pointer: pointer.to_owned(), properties, message });
    }

    fn node(&mut self, node: &Map<String, Value>, pointer: String) {
        let all = vocabulary::get();
        let named = types(node);
        for name in named.iter().filter(|it| all.kind(it).is_none() && !it.contains("://")) {
            let near = all.nearest(name).map(|it| format!("; is {it} meant")).unwrap_or_default();
            let message = format!("schema.org has no type {name:.80}{near}");
            self.say(Severity::Error, "unknown_type", &pointer, "@type", message);
        }
        let known: Vec<&str> = named.iter().copied().filter(|it| all.kind(it).is_some()).collect();
        if named.is_empty() && node.keys().any(|it| !it.starts_with('@')) {
            let message = "the item has no type, so that nothing says what its properties are of".to_owned();
            self.say(Severity::Warning, "no_type", &pointer, "@type", message);
        }
        for (name, value) in node.iter().filter(|(name, _)| !name.starts_with('@') && !name.contains("://")) {
            let at = format!("{pointer}/{}", escaped(name));
            match all.property(name) {
                None => {
                    let message = format!("schema.org has no property {name:.80}");
                    self.say(Severity::Warning, "unknown_property", &pointer, name, message);
                }
                Some(property) => {
                    if !known.is_empty() && !known.iter().any(|it| all.has(it, property)) {
                        let message =
                            format!("{name} is not for {}; it is for {}", known.join(", "), some(&property.domains));
                        self.say(Severity::Warning, "property_not_of_type", &pointer, name, message);
                    }
                    if property.superseded {
                        let message = format!("{name} was superseded by another property");
                        self.say(Severity::Warning, "superseded_property", &pointer, name, message);
                    }
                    // What an action asks for is a specification or a short text of one (schema.org, "Potential actions").
                    if !name.ends_with("-input") && !name.ends_with("-output") {
                        self.said(name, property, value, &pointer);
                    }
                }
            }
            self.inner(value, &at);
        }
    }

    fn inner(&mut self, value: &Value, at: &str) {
        match value {
            Value::Object(inner) => self.node(inner, at.to_owned()),
            Value::Array(all) => {
                for (place, one) in all.iter().enumerate() {
                    if let Value::Object(inner) = one {
                        self.node(inner, format!("{at}/{place}"));
                    }
                }
            }
            _ => {}
        }
    }

    fn said(&mut self, name: &str, property: &Property, value: &Value, pointer: &str) {
        let several = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for one in several {
            match one {
                Value::Object(inner) => self.object(name, property, inner, pointer),
                Value::Null | Value::Array(_) => {}
                literal => self.literal(name, property, literal, pointer),
            }
        }
    }

    fn object(&mut self, name: &str, property: &Property, inner: &Map<String, Value>, pointer: &str) {
        let all = vocabulary::get();
        let known: Vec<&str> = types(inner).into_iter().filter(|it| all.kind(it).is_some()).collect();
        // A role stands between a property and its value (https://schema.org/Role).
        let fits = |it: &&str| all.is_a(it, "Role") || property.ranges.iter().any(|range| all.is_a(it, range));
        if !known.is_empty() && !known.iter().any(fits) {
            let message = format!("{name} takes {}, not {}", some(&property.ranges), known.join(", "));
            self.say(Severity::Warning, "value_of_other_type", pointer, name, message);
        }
    }

    fn literal(&mut self, name: &str, property: &Property, value: &Value, pointer: &str) {
        let text = match value {
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
        if text.is_empty() {
            let message = format!("{name} is empty");
            return self.say(Severity::Warning, "empty_value", pointer, name, message);
        }
        let currency = matches!(name, "priceCurrency" | "currency" | "salaryCurrency");
        if currency && !currency::is_known(&text) {
            let message = format!("{name} is a currency of ISO 4217 such as EUR, not {text:.40}");
            return self.say(Severity::Error, "not_a_currency", pointer, name, message);
        }
        let all = vocabulary::get();
        let enumerations: Vec<&str> =
            property.ranges.iter().copied().filter(|it| all.is_a(it, "Enumeration")).collect();
        let only_data = property.ranges.iter().filter(|it| all.kind(it).is_some_and(|(_, kind)| kind.is_data));
        let data: Vec<&str> = only_data.copied().collect();
        if data.iter().any(|range| literal::fits(range, value, &text)) {
            return;
        }
        let bare = context::bare(&text);
        if enumerations
            .iter()
            .any(|it| all.members(it).contains(&bare) || all.kind(bare).is_some_and(|_| all.is_a(bare, it)))
        {
            return;
        }
        let closed = enumerations.iter().find(|it| !all.members(it).is_empty());
        if let Some(closed) = closed
            && data.is_empty()
        {
            let message = format!("{name} is one of {}, not {text:.60}", some(all.members(closed)));
            return self.say(Severity::Error, "not_in_enumeration", pointer, name, message);
        }
        // The types that are written as one text in ISO 8601 or with a unit.
        if property.ranges.contains(&"Duration") && literal::is_duration(&text) {
            return;
        }
        if let Some(form) = data.iter().find_map(|range| literal::form(range)) {
            let message = format!("{name} is {form}, not {text:.60}");
            return self.say(Severity::Error, "malformed_value", pointer, name, message);
        }
        if property.ranges == ["Duration"] || property.ranges == ["Duration", "QuantitativeValue"] {
            let message = format!("{name} is a duration of ISO 8601 such as PT1H30M, not {text:.60}");
            return self.say(Severity::Error, "malformed_value", pointer, name, message);
        }
        let names_another = literal::is_url(&text) || text.starts_with("_:") || text.starts_with('#');
        if data.is_empty() && !names_another {
            let message = format!("{name} takes {}; a plain text is understood by guessing", some(&property.ranges));
            self.say(Severity::Warning, "text_for_type", pointer, name, message);
        }
    }
}

/// The first few of a list of names.
fn some(names: &[&str]) -> String {
    let shown = names.iter().take(8).copied().collect::<Vec<_>>().join(", ");
    if names.len() > 8 { format!("{shown} and {} more", names.len() - 8) } else { shown }
}

/// A name within a JSON pointer (RFC 6901).
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
