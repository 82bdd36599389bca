//! Redirects as the rules of a server: single ones, and patterns where they are safe.

mod apache;
mod caddy;
mod lists;
mod nginx;
mod patterns;

use std::collections::{BTreeSet, HashMap};

use kit::url::{Url, bare_host, decoded, path_and_query};
use sdk::prelude::*;

pub(crate) use lists::csv;
pub(crate) use patterns::Pattern;

/// What rules are written for.
#[value]

pub(crate) enum Format {
    /// Two `map` blocks and the lines of a server.
    Nginx,
    /// Lines of a virtual host or of `.htaccess`.
    Apache,
    /// Lines of a site block.
    Caddy,
    /// A `_redirects` file.
    Netlify,
    /// The CSV of bulk redirects.
    Cloudflare,
    /// All rows of the map with their confidence.
    Csv,
}

/// An address that is redirected.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    /// Its host, with the port.
    host: String,
    /// Its path, percent-encoded.
    path: String,
    query: Option<String>,
    /// Where it leads.
    to: String,
    /// Whether the path alone says too little: other known addresses have it too, with a query or in other letters.
    narrow: bool,
}

impl Rule {
    /// About the bytes of its line.
    pub(crate) fn size(&self) -> usize {
        self.path.len() + self.query.as_ref().map_or(0, String::len) + self.to.len() + 60
    }

    /// The path as people write it; none when it does not read, or holds what configurations take for something else.
    fn plain(&self) -> Option<String> {
        let plain = decoded(&self.path);
        let odd = |c: char| c.is_control() || matches!(c, '"' | '\\' | '{' | '}' | '`' | '$' | '\u{fffd}');
        (!plain.contains(odd)).then_some(plain)
    }

    /// The address as a client sends it.
    fn address(&self) -> String {
        self.query.as_ref().map_or_else(|| self.path.clone(), |query| format!("{}?{query}", self.path))
    }
}

/// What is to be written.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Addresses that no pattern covers.
    pub(crate) exact: Vec<Rule>,
    pub(crate) patterns: Vec<Pattern>,
    /// Addresses that differ from another one in the host alone and lead elsewhere: the first of them is written.
    pub(crate) conflicts: usize,
    /// Addresses that differ from their target in the scheme or `www.` alone: the whole host is to be redirected.
    pub(crate) itself: usize,
    /// Whether the old and the new website have a host in common.
    pub(crate) same_host: bool,
}

/// Rules as text.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// Rules in it.
    pub(crate) count: usize,
    /// Addresses that this format has no rule for.
    pub(crate) left_out: usize,
}

/// Host, path and query of an address.
fn split(url: &str) -> (String, String, Option<String>) {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
    let all = path_and_query(url);
    let (path, query) = all.split_once('?').map_or((all, None), |(path, query)| (path, Some(query.to_owned())));
    (host, if path.is_empty() { "/".to_owned() } else { path.to_owned() }, query)
}

impl Plan {
    /// The redirects of `moved`, pairs of old and new addresses. `known` are all addresses that the map knows of: those of the
    /// old website, also without a target, and those of the new one. With `patterns` some are written as one.
    pub(crate) fn of(moved: &[(String, String)], known: &[String], patterns: bool) -> Self {
        let hosts: BTreeSet<String> = moved.iter().map(|(from, _)| split(from).0).collect();
        // Addresses of other hosts never meet these rules.
        let known: Vec<(String, Option<String>)> = known
            .iter()
            .map(|url| split(url))
            .filter(|(host, _, _)| hosts.contains(host))
            .map(|(_, path, query)| (path, query))
            .collect();
        let mut plan = Self::default();
        let mut targets: HashMap<String, String> = HashMap::with_capacity(moved.len());
        let mut rules: Vec<Rule> = Vec::with_capacity(moved.len());
        for (from, to) in moved {
            if is_itself(from, to) {
                plan.itself += 1;
                continue;
            }
            let (host, path, query) = split(from);
            plan.same_host |= hosts.contains(&split(to).0);
            let rule = Rule { host, path, query, to: target(to), narrow: false };
            match targets.get(&rule.address()) {
                Some(known) => plan.conflicts += usize::from(*known != rule.to),
                None => {
                    targets.insert(rule.address(), rule.to.clone());
                    rules.push(rule);
                }
            }
        }
        narrow(&mut rules, &known, &targets);
        if patterns {
            plan.patterns = patterns::safe(&mut rules, &known, &targets);
        }
        plan.exact = rules;
        plan
    }

    /// The same for a format whose only pattern is a splat: the others are written one by one.
    pub(crate) fn with_splats_alone(moved: &[(String, String)], known: &[String]) -> Self {
        let all = Self::of(moved, known, true);
        if all.patterns.iter().all(|it| it.splat().is_some()) { all } else { Self::of(moved, known, false) }
    }

    /// As text, in the format of a server; the number of a part tells its names apart from those of the others.
    pub(crate) fn write(&self, format: Format, part: Option<u64>) -> Written {
        match format {
            Format::Nginx => nginx::write(self, part),
            Format::Apache => apache::write(self),
            Format::Caddy => caddy::write(self, part),
            Format::Netlify => lists::netlify(self),
            Format::Cloudflare => lists::cloudflare(self),
            Format::Csv => Written::default(),
        }
    }
}

/// Marks the rules whose path alone would catch other known addresses.
fn narrow(rules: &mut [Rule], known: &[(String, Option<String>)], targets: &HashMap<String, String>) {
    // Where the addresses of a path go, in any letters and with any query; none: nowhere.
    let mut by_path: HashMap<String, BTreeSet<Option<&str>>> = HashMap::with_capacity(known.len());
    for (path, query) in known {
        let address = query.as_ref().map_or_else(|| path.clone(), |query| format!("{path}?{query}"));
        let goes = targets.get(&address).map(String::as_str);
        by_path.entry(decoded(path).to_lowercase()).or_default().insert(goes);
    }
    for rule in rules {
        let all = by_path.get(&decoded(&rule.path).to_lowercase());
        rule.narrow = all.is_some_and(|all| all.iter().any(|goes| *goes != Some(rule.to.as_str())));
    }
}

/// Whether an address and its target are one place but for the scheme or `www.`: a rule for it would lead in a circle.
fn is_itself(from: &str, to: &str) -> bool {
    let parsed = Url::parse(from).ok().zip(Url::parse(to).ok());
    let same = parsed.is_some_and(|(from, to)| bare_host(&from) == bare_host(&to));
    same && path_and_query(from) == path_and_query(to)
}

/// A target without signs that configurations take for something else.
fn target(to: &str) -> String {
    let mut out = String::with_capacity(to.len());
    for c in to.chars() {
        match c {
            '$' | '{' | '}' | '"' | '\\' | '`' | ' ' => out.push_str(&format!("%{:02X}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}

/// A text as a pattern that matches nothing else (PCRE and RE2).
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '\\' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests;
