//! The lines of a disavow file, read as Google does.

use std::collections::BTreeMap;

use crate::link::{bare, host};

/// Bounds of a file: bytes, lines with blank ones and comments, and characters of an address.
pub(crate) const MAX_BYTES: usize = 2 << 20;
pub(crate) const MAX_LINES: usize = 100_000;
pub(crate) const MAX_ADDRESS: usize = 2_048;

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// All links from a domain and what is below it.
    Domain(String),
    /// Links from one page.
    Page(String),
}

impl Entry {
    /// The line that says it.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Domain(domain) => format!("domain:{domain}"),
            Self::Page(url) => url.clone(),
        }
    }
}

/// Why a line is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    EmptyDomain,
    DomainWithScheme,
    DomainWithPath,
    DomainWithWildcard,
    NotADomain,
    PublicSuffix,
    NotAnAddress,
    AddressTooLong,
    PathWildcard,
    SeveralOnALine,
}

impl Wrong {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::EmptyDomain => "empty_domain",
            Self::DomainWithScheme => "domain_with_scheme",
            Self::DomainWithPath => "domain_with_path",
            Self::DomainWithWildcard => "domain_with_wildcard",
            Self::NotADomain => "not_a_domain",
            Self::PublicSuffix => "public_suffix",
            Self::NotAnAddress => "not_an_address",
            Self::AddressTooLong => "address_too_long",
            Self::PathWildcard => "path_wildcard",
            Self::SeveralOnALine => "several_on_a_line",
        }
    }

    pub(crate) const fn advice(self) -> &'static str {
        match self {
            Self::EmptyDomain => "write the domain behind `domain:`",
            Self::DomainWithScheme => "write the domain alone, without http:// or https://",
            Self::DomainWithPath => "a domain has no path; write the address of the page without `domain:`",
            Self::DomainWithWildcard => "`domain:` covers everything below a domain already; leave the * out",
            Self::NotADomain => "this is no domain name",
            Self::PublicSuffix => "this ending belongs to everybody who has a name below it; write the domain itself",
            Self::NotAnAddress => "write `domain:` before a domain, or a whole address with http:// or https://",
            Self::AddressTooLong => "an address has at most 2,048 characters",
            Self::PathWildcard => "a part of a website cannot be covered; write each page, or the domain",
            Self::SeveralOnALine => "one entry a line",
        }
    }
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// Nothing, or a comment.
    Blank,
    Entry(Entry),
    Wrong(Wrong),
}

/// Reads a line.
pub(crate) fn line(text: &str) -> Line {
    let text = text.trim().trim_start_matches('\u{feff}');
    if text.is_empty() || text.starts_with('#') {
        return Line::Blank;
    }
    if text.split_whitespace().count() > 1 {
        return Line::Wrong(Wrong::SeveralOnALine);
    }
    let lower = text.to_lowercase();
    match lower.strip_prefix("domain:") {
        Some(domain) => domain_of(domain).map_or_else(Line::Wrong, |it| Line::Entry(Entry::Domain(it))),
        None => page_of(text).map_or_else(Line::Wrong, |it| Line::Entry(Entry::Page(it))),
    }
}

/// A domain as it stands behind `domain:`.
pub(crate) fn domain_of(text: &str) -> Result<String, Wrong> {
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() {
        return Err(Wrong::EmptyDomain);
    }
    if text.contains("://") {
        return Err(Wrong::DomainWithScheme);
    }
    if text.contains('*') {
        return Err(Wrong::DomainWithWildcard);
    }
    if text.contains(['/', '?', '#', ':', '@']) {
        return Err(Wrong::DomainWithPath);
    }
    let parsed = kit::url::Url::parse(&format!("http://{text}/")).map_err(|_| Wrong::NotADomain)?;
    let name = parsed.host_str().unwrap_or_default().to_owned();
    if !name.contains('.') {
        return Err(Wrong::NotADomain);
    }
    let is_address = name.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    if !is_address && kit::url::registrable_domain(&name).is_none() {
        return Err(Wrong::PublicSuffix);
    }
    Ok(name)
}

fn page_of(text: &str) -> Result<String, Wrong> {
    if text.chars().count() > MAX_ADDRESS {
        return Err(Wrong::AddressTooLong);
    }
    let lower = text.to_lowercase();
    if !lower.starts_with("http://") && !lower.starts_with("https://") {
        return Err(Wrong::NotAnAddress);
    }
    if text.contains('*') {
        return Err(Wrong::PathWildcard);
    }
    let parsed = kit::url::Url::parse(text).map_err(|_| Wrong::NotAnAddress)?;
    if parsed.host_str().is_none_or(|it| !it.contains('.')) {
        return Err(Wrong::NotAnAddress);
    }
    Ok(text.to_owned())
}

/// The entries of a file that others cover, and by which: a page under a listed domain, a domain under another one, and one that
/// stands twice. By position.
pub(crate) fn redundant(entries: &[(u64, Entry)]) -> Vec<(u64, String, String)> {
    let mut domains: BTreeMap<&str, u64> = BTreeMap::new();
    let mut pages: BTreeMap<String, u64> = BTreeMap::new();
    let mut out = Vec::new();
    for (line, entry) in entries {
        match entry {
            Entry::Domain(domain) => {
                if let Some(before) = domains.get(domain.as_str()) {
                    out.push((*line, entry.line(), format!("line {before} says the same")));
                } else {
                    domains.insert(domain, *line);
                }
            }
            Entry::Page(url) => {
                let plain = bare(url).to_owned();
                if let Some(before) = pages.get(&plain) {
                    out.push((*line, entry.line(), format!("line {before} says the same")));
                } else {
                    pages.insert(plain, *line);
                }
            }
        }
    }
    for (line, entry) in entries {
        let (name, above_only) = match entry {
            Entry::Domain(domain) => (domain.as_str(), true),
            Entry::Page(url) => (host(url), false),
        };
        let mut parent = if above_only { above(name) } else { Some(name) };
        while let Some(domain) = parent {
            if let Some(by) = domains.get(domain.to_lowercase().as_str()) {
                out.push((*line, entry.line(), format!("domain:{domain} of line {by} covers it")));
                break;
            }
            parent = above(domain);
        }
    }
    out.sort();
    out.dedup_by_key(|it| it.0);
    out
}

/// The name above a name.
fn above(name: &str) -> Option<&str> {
    name.split_once('.').map(|it| it.1).filter(|it| it.contains('.'))
}
