//! Families of addresses that keep a crawler busy without giving it anything new.
//!
//! Addresses are grouped by the template of their path (digits, dates and long hexadecimal words are placeholders) and by
//! their parameters; a family is told from a large but honest part of a site by how much its contents differ.

mod parameters;
mod paths;

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::url::path_and_query;

/// Addresses of a family below which nothing is said of it.
pub const FEWEST: usize = 8;
/// Sample addresses of a family.
pub const SAMPLES: usize = 5;
/// Families and parameters in a report.
pub const MOST: usize = 100;
/// Contents that differ, for each address, below which a family repeats itself.
const COLLAPSED: f64 = 0.2;

/// An address, with a hash of its text when it was fetched and has one.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The address, normalised.
    pub url: &'a str,
    /// Its text.
    pub content: Option<u64>,
}

/// What makes a family a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Days, months or years go on and on.
    Calendar,
    /// A parameter names the visit.
    Session,
    /// A parameter says where a visitor came from, and the page is the same.
    Tracking,
    /// A parameter puts the same things in another order or shape.
    Sorting,
    /// Filters are combined with each other.
    Facets,
    /// The same folders follow each other again and again, as links relative to a wrong place make them.
    RepeatedSegments,
    /// Many addresses, few different contents.
    SameContent,
}

/// A trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trap {
    /// The family: a path with `{n}`, `{date}` and `{hex}` for what varies, and names of parameters.
    pub pattern: String,
    /// Addresses of it that are known.
    pub urls: u64,
    /// Of these, fetched with a text.
    pub fetched: u64,
    /// Different texts among them.
    pub distinct: u64,
    /// Why it is one.
    pub reason: Reason,
    /// A few of them.
    pub sample: Vec<String>,
    /// Patterns as `crawl.run.start` takes them in `exclude`, which keep the family out.
    pub exclude: Vec<String>,
}

/// What a parameter does to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Addresses that differ in it alone have different texts.
    Changes,
    /// They have the same text.
    Nothing,
    /// No two fetched addresses differ in it alone.
    Unknown,
}

/// A parameter of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it does.
    pub effect: Effect,
    /// Different values.
    pub distinct: u64,
    /// Addresses that have it.
    pub urls: u64,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The largest first.
    pub traps: Vec<Trap>,
    /// The most used first.
    pub parameters: Vec<Parameter>,
}

/// Looks for traps among the addresses of one site.
#[must_use]
pub fn detect(seen: &[Seen<'_>]) -> Report {
    let parsed: Vec<Address<'_>> = seen.iter().map(Address::of).collect();
    let (parameters, mut traps) = parameters::look(&parsed);
    paths::look(&parsed, &mut traps);
    traps.sort_by(|a, b| b.urls.cmp(&a.urls).then_with(|| a.pattern.cmp(&b.pattern)));
    traps.truncate(MOST);
    Report { traps, parameters }
}

/// The family of an address: its path with `{n}`, `{date}` and `{hex}` for what varies, and the names of its parameters in
/// alphabetical order, as the patterns of [`Trap`] are written.
#[must_use]
pub fn family(url: &str) -> String {
    let address = Address::of(&Seen { url, content: None });
    let segments: Vec<&str> = address.path.split('/').filter(|segment| !segment.is_empty()).collect();
    let mut out = paths::template(&segments).0;
    if address.path.ends_with('/') || out.is_empty() {
        out.push('/');
    }
    let mut names: Vec<&str> = address.parameters.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() {
        out.push('?');
        out.push_str(&names.join("&"));
    }
    out
}

/// An address in its parts.
struct Address<'a> {
    url: &'a str,
    path: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
    content: Option<u64>,
}

impl<'a> Address<'a> {
    fn of(seen: &Seen<'a>) -> Self {
        let rest = path_and_query(seen.url);
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let parameters = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).collect();
        Self { url: seen.url, path, parameters, content: seen.content }
    }
}

/// A family while it is counted.
#[derive(Default)]
struct Family<'a> {
    urls: u64,
    fetched: u64,
    contents: HashSet<u64>,
    sample: Vec<&'a str>,
}

impl<'a> Family<'a> {
    fn add(&mut self, address: &Address<'a>) {
        self.urls += 1;
        if let Some(content) = address.content {
            self.fetched += 1;
            self.contents.insert(content);
        }
        if self.sample.len() < SAMPLES {
            self.sample.push(address.url);
        }
    }

    /// Different contents for each fetched address; 1 when none was fetched.
    #[expect(clippy::cast_precision_loss, reason = "counts of addresses are far below 2^52")]
    fn variety(&self) -> f64 {
        if self.fetched == 0 { 1.0 } else { self.contents.len() as f64 / self.fetched as f64 }
    }

    fn is_collapsed(&self) -> bool {
        self.fetched as usize >= FEWEST && self.variety() < COLLAPSED
    }

    fn trap(&self, pattern: String, reason: Reason, exclude: Vec<String>) -> Trap {
        Trap {
            pattern,
            urls: self.urls,
            fetched: self.fetched,
            distinct: self.contents.len() as u64,
            reason,
            sample: self.sample.iter().map(|url| (*url).to_owned()).collect(),
            exclude: exclude.into_iter().filter(|it| (2..=300).contains(&it.chars().count())).take(20).collect(),
        }
    }
}

type Families<'a, K> = BTreeMap<K, Family<'a>>;

/// Whether a value is a year from 1900 to 2199.
fn is_year(text: &str) -> bool {
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20") || text.starts_with("21")) && is_number(text)
}

/// Whether a value is a month or a day: `2031-05`, `2031-05-07`, `20310507`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '_', '.']).collect();
    match parts.as_slice() {
        [whole] => whole.len() == 8 && is_number(whole) && is_year(whole.get(..4).unwrap_or_default()),
        [year, rest @ ..] => {
            is_year(year) && rest.len() <= 2 && rest.iter().all(|part| part.len() <= 2 && is_number(part))
        }
        [] => false,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a value looks made by a machine: 16 or more letters and digits with both among them.
fn is_token(text: &str) -> bool {
    text.len() >= 16
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests;
