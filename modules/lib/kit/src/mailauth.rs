//! Mail authentication: what a domain's records say of who may send in its name, and what a receiver makes of it.
//!
//! Nothing here asks anybody: questions go through a [`Resolver`], so that one code answers for live domains, for zones that
//! are about to be changed, and for tests.

pub mod dkim;
pub mod dmarc;
pub mod spf;
pub mod transport;

use std::net::IpAddr;

/// No answer came, or one that says nothing (RFC 7208, 2.6.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAnswer;

/// What a name has of one kind; empty when there is no such name, or nothing of that kind.
pub type Said<T> = Result<Vec<T>, NoAnswer>;

/// Answers questions about names. Aliases are followed by it.
pub trait Resolver {
    /// The texts of a name, the parts of each joined.
    fn txt(&mut self, name: &str) -> Said<Vec<u8>>;
    /// Its addresses of one family.
    fn addresses(&mut self, name: &str, six: bool) -> Said<IpAddr>;
    /// Its mail exchangers with their preference, in the order of preference.
    fn exchangers(&mut self, name: &str) -> Said<(u16, String)>;
    /// The names of an address.
    fn names(&mut self, address: IpAddr) -> Said<String>;
}

/// Whether a name can be asked for: two labels or more, each of 1 to 63 bytes, 253 in all; a last dot may stand.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let labels = || name.split('.');
    name.len() <= 253 && labels().count() >= 2 && labels().all(|label| (1..=63).contains(&label.len()))
}

/// The texts that begin with a version, of those that are readable.
fn versioned(texts: Vec<Vec<u8>>, version: &str) -> Vec<String> {
    let readable = texts.into_iter().filter_map(|text| String::from_utf8(text).ok());
    readable.filter(|text| has_version(text, version)).collect()
}

/// Whether a tag list begins with `v=<version>`, white space around the signs aside (RFC 6376, 3.2).
fn has_version(text: &str, version: &str) -> bool {
    let first = text.split(';').next().unwrap_or_default();
    first.split_once('=').is_some_and(|(tag, value)| tag.trim() == "v" && value.trim() == version)
}

/// The tags of a list with their values, in order (RFC 6376, 3.2); what has no sign between them is left out.
fn tags(text: &str) -> Vec<(String, String)> {
    let parts = text.split(';').filter_map(|part| part.split_once('='));
    parts.map(|(tag, value)| (tag.trim().to_ascii_lowercase(), value.trim().to_owned())).collect()
}
