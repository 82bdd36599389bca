//! A robots.txt line by line, as crawlers read it.
//!
//! Source: RFC 9309 section 2.2 and, where it is silent, Google's parser (github.com/google/robotstxt).

use std::borrow::Cow;

use super::{LONGEST_LINE, MOST_BYTES};

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// `User-agent`.
    Agent,
    /// `Allow`.
    Allow,
    /// `Disallow`.
    Disallow,
    /// `Crawl-delay`; Google takes no notice of it.
    Delay,
    /// `Sitemap`.
    Sitemap,
    /// A field that nobody takes notice of.
    Other,
}

/// One line.
#[derive(Debug)]
pub struct Line<'a> {
    /// From 1.
    pub number: u32,
    /// Whether it is longer than what is read of one.
    pub long: bool,
    /// As much as is read, without what is no UTF-8.
    whole: Cow<'a, str>,
}

/// The lines of a file, as far as it is read. A carriage return ends a line too; with a line feed after it, both end it.
pub fn lines(file: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let mut rest = Some(&file[..file.len().min(MOST_BYTES)]);
    let mut number = 0;
    std::iter::from_fn(move || {
        let file = rest?;
        number += 1;
        let end = file.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        rest = end.map(|at| if file[at..].starts_with(b"\r\n") { &file[at + 2..] } else { &file[at + 1..] });
        let line = end.map_or(file, |at| &file[..at]);
        let whole = String::from_utf8_lossy(&line[..line.len().min(LONGEST_LINE)]);
        Some(Line { number, long: line.len() > LONGEST_LINE, whole })
    })
}

impl Line<'_> {
    /// Without its comment and the space around it.
    #[must_use]
    pub fn text(&self) -> &str {
        self.whole.split('#').next().unwrap_or_default().trim()
    }

    /// The name of its field as written, and the value: at the colon or, without one, at the white space between exactly
    /// two words.
    #[must_use]
    pub fn field(&self) -> Option<(&str, &str)> {
        let text = self.text();
        if let Some((name, value)) = text.split_once(':') {
            let name = name.trim();
            return (!name.is_empty()).then_some((name, value.trim()));
        }
        let mut words = text.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(name), Some(value), None) => Some((name, value)),
            _ => None,
        }
    }
}

impl Key {
    /// What a field of this name is about: misspellings that Google's parser takes are taken too, and whatever follows a
    /// known word.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        if begins(&["user-agent", "useragent", "user agent"]) {
            Self::Agent
        } else if begins(&["allow"]) {
            Self::Allow
        } else if begins(&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]) {
            Self::Disallow
        } else if begins(&["sitemap", "site-map"]) {
            Self::Sitemap
        } else if matches!(name.as_str(), "crawl-delay" | "crawldelay") {
            Self::Delay
        } else {
            Self::Other
        }
    }
}
