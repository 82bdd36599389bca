//! Lines that a regular expression with named groups describes.

use std::borrow::Cow;

use regex::bytes::{Regex, RegexBuilder};

use super::line::{Field, Found, Read, Reason};
use super::time::Clock;

/// Bytes that the compiled expression may take.
const COMPILED: usize = 1 << 20;

/// Names of groups, and what they hold.
const GROUPS: [(&str, Field); 30] = [
    ("address", Field::Address),
    ("ip", Field::Address),
    ("client", Field::Address),
    ("client_ip", Field::Address),
    ("remote_addr", Field::Address),
    ("forwarded_for", Field::Forwarded),
    ("host", Field::Host),
    ("vhost", Field::Host),
    ("time", Field::Time),
    ("datetime", Field::Time),
    ("timestamp", Field::Time),
    ("date", Field::Date),
    ("clock", Field::Clock),
    ("request", Field::Request),
    ("method", Field::Method),
    ("target", Field::Target),
    ("url", Field::Target),
    ("uri", Field::Target),
    ("path", Field::Path),
    ("query", Field::Query),
    ("status", Field::Status),
    ("bytes", Field::Bytes),
    ("size", Field::Bytes),
    ("seconds", Field::Seconds),
    ("milliseconds", Field::Milliseconds),
    ("microseconds", Field::Microseconds),
    ("user_agent", Field::Agent),
    ("useragent", Field::Agent),
    ("agent", Field::Agent),
    ("referrer", Field::Referrer),
];

/// An expression.
#[derive(Debug, Clone)]
pub(crate) struct Expression {
    expression: Regex,
    groups: Vec<(usize, Field)>,
}

impl Expression {
    /// Compiles it; the words of what is wrong with it.
    pub(crate) fn new(pattern: &str) -> Result<Self, String> {
        let expression = RegexBuilder::new(pattern).unicode(false).size_limit(COMPILED).build();
        let expression = expression.map_err(|error| format!("the expression does not read: {error}"))?;
        let named = expression.capture_names().enumerate().filter_map(|(at, name)| Some((at, name?)));
        let groups: Vec<(usize, Field)> = named.map(|(at, name)| (at, group(name))).collect();
        Ok(Self { expression, groups })
    }

    /// Which fields it has.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        self.groups.iter().map(|(_, field)| *field)
    }

    /// Reads a line.
    pub(crate) fn read<'a>(&self, line: &'a [u8], clock: &mut Clock) -> Read<'a> {
        let Some(captures) = self.expression.captures(line) else { return Read::Rejected(Reason::OtherForm) };
        let mut found = Found::default();
        for (at, field) in &self.groups {
            if let Some(value) = captures.get(*at)
                && !found.take(*field, Cow::Borrowed(value.as_bytes()))
            {
                return Read::Rejected(Reason::OtherForm);
            }
        }
        found.read(clock)
    }
}

fn group(name: &str) -> Field {
    GROUPS.iter().find(|(it, _)| *it == name).map_or(Field::Other, |(_, field)| *field)
}
