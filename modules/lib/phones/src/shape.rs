//! Patterns of numbers, each compiled once.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::{Regex, Replacer as _};

/// A pattern in which every digit is one of ten: those of other scripts are none of a number.
fn compiled<T>(pattern: &str, ask: impl FnOnce(&Regex) -> T) -> Option<T> {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Option<Regex>>> = RefCell::new(HashMap::new());
    }
    KNOWN.with_borrow_mut(|known| {
        if !known.contains_key(pattern) {
            known.insert(pattern.to_owned(), Regex::new(&pattern.replace("\\d", "[0-9]")).ok());
        }
        known.get(pattern).and_then(Option::as_ref).map(ask)
    })
}

/// Whether a pattern fits the whole number.
pub(crate) fn whole(pattern: &str, number: &str) -> bool {
    !pattern.is_empty() && compiled(&format!("^(?:{pattern})$"), |it| it.is_match(number)).unwrap_or(false)
}

/// How long the beginning is that a pattern fits.
pub(crate) fn prefix(pattern: &str, number: &str) -> Option<usize> {
    prefix_with_group(pattern, number).map(|it| it.0)
}

/// The same, and whether the last group of the pattern took part.
pub(crate) fn prefix_with_group(pattern: &str, number: &str) -> Option<(usize, bool)> {
    if pattern.is_empty() {
        return None;
    }
    let ask = |it: &Regex| {
        let found = it.captures(number)?;
        let last = it.captures_len() - 1;
        Some((found.get(0)?.end(), last > 0 && found.get(last).is_some()))
    };
    compiled(&format!("^(?:{pattern})"), ask)?
}

fn expanded(template: &str) -> String {
    // `\1` is written `${1}` here.
    let mut out = String::new();
    let mut rest = template.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some(digit) if digit.is_ascii_digit() => out.push_str(&format!("${{{digit}}}")),
                Some(other) => out.push(other),
                None => {}
            },
            '$' => out.push_str("$$"),
            c => out.push(c),
        }
    }
    out
}

/// The number with its beginning replaced.
pub(crate) fn replaced(pattern: &str, template: &str, number: &str) -> Option<String> {
    compiled(&format!("^(?:{pattern})"), |it| it.replacen(number, 1, expanded(template).as_str()).into_owned())
}

/// A template with the groups of a number.
pub(crate) fn filled(pattern: &str, template: &str, number: &str) -> Option<String> {
    compiled(&format!("^(?:{pattern})$"), |it| {
        let found = it.captures(number)?;
        let mut out = String::new();
        expanded(template).as_str().replace_append(&found, &mut out);
        Some(out)
    })?
}
