//! Robots.txt, read and matched as RFC 9309 says and as Google's parser behaves where the RFC is silent. The
//! host obeys it with this code, and modules explain it with the same.
//!
//! One difference to Google's parser, in the RFC's favour: percent-encoded unreserved characters are decoded before
//! comparison (RFC 9309 section 2.2.2), so `/%62%61%7A` and `/baz` are the same path.

use serde::{Deserialize, Serialize};

pub mod address;
pub mod crawler;
pub mod group;
pub mod line;
mod parse;
mod wildcard;

pub use wildcard::matches;

/// The product token of the crawler, to be looked for in `User-agent` lines.
pub const AGENT: &str = "EspalierBot";

/// At most this much of a file is read (RFC 9309 section 2.5 asks for at least this).
pub const MOST_BYTES: usize = 500 * 1024;
/// Longer lines are cut, as Google's parser does (2,083 characters times 8, and one for the end).
pub const LONGEST_LINE: usize = 16_663;
/// The most sitemaps kept.
const MOST_SITEMAPS: usize = 500;

/// What a robots.txt says to one crawler.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Robots {
    /// Whether everything is forbidden because the file could not be had.
    pub unreachable: bool,
    /// The rules that hold: those of all groups for this crawler, or else for the one that it follows, or else for `*`.
    pub rules: Vec<Rule>,
    /// `Crawl-delay` of the same groups, in milliseconds.
    pub crawl_delay_ms: Option<u64>,
    /// `Sitemap` lines of the whole file, as written.
    pub sitemaps: Vec<String>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// `Allow` or `Disallow`.
    pub allow: bool,
    /// The path pattern, percent-encoding normalised.
    pub pattern: String,
}

impl Robots {
    /// A site without rules.
    #[must_use]
    pub fn allow_all() -> Self {
        Self::default()
    }

    /// A site whose rules could not be had.
    #[must_use]
    pub fn forbid_all() -> Self {
        Self { unreachable: true, ..Self::default() }
    }

    /// Reads a file for the crawler with this product token.
    #[must_use]
    pub fn parse(file: &[u8], agent: &str) -> Self {
        parse::parse(file, agent)
    }

    /// What the answer to a request for robots.txt means (RFC 9309 section 2.3.1): 2xx are rules; 4xx is no rules;
    /// no answer, 5xx, and 429 (as Google documents it) forbid everything. Redirects are followed before.
    #[must_use]
    pub fn of_answer(status: u16, body: &[u8], agent: &str) -> Self {
        match status {
            200..=299 => Self::parse(body, agent),
            429 => Self::forbid_all(),
            300..=499 => Self::allow_all(),
            _ => Self::forbid_all(),
        }
    }

    /// Whether the address may be fetched. robots.txt itself always may (RFC 9309 section 2.2.2).
    #[must_use]
    pub fn allows(&self, url: &str) -> bool {
        let path = address::path_and_query(url);
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        if path == "/robots.txt" {
            return true;
        }
        if self.unreachable {
            return false;
        }
        self.deciding(&normal(&path)).is_none_or(|rule| rule.allow)
    }

    /// The rule that decides: the longest pattern that matches, an allowing one before a forbidding one of equal length.
    fn deciding(&self, path: &str) -> Option<&Rule> {
        self.rules
            .iter()
            .filter(|rule| !rule.pattern.is_empty() && matches(&rule.pattern, path))
            .max_by_key(|rule| (rule.pattern.len(), rule.allow))
    }
}

/// Percent-encoding in normal form: bytes outside ASCII encoded, unreserved characters decoded, digits in upper case.
#[must_use]
pub fn normal(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                ascii.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    let mut out = String::with_capacity(ascii.len());
    address::recode(&ascii, &mut out);
    out
}

#[cfg(test)]
mod tests;
