//! The rules of the countries, read once from a table.

use std::sync::OnceLock;

const TABLE: &str = include_str!("metadata.tsv");

/// A pattern, and the lengths that a number of it has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rule {
    pub(crate) lengths: Vec<usize>,
    pub(crate) pattern: &'static str,
}

/// How numbers are written.
#[derive(Debug, Clone)]
pub(crate) struct Format {
    pub(crate) pattern: &'static str,
    /// With groups as `\1`.
    pub(crate) format: &'static str,
    /// What the number begins with.
    pub(crate) leading: &'static str,
    /// What stands in the place of the first group within the country.
    pub(crate) prefix: &'static str,
}

/// A country.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) id: &'static str,
    pub(crate) code: &'static str,
    /// What its numbers begin with, where several countries share a code.
    pub(crate) leading: &'static str,
    /// What is dialled before an international number.
    pub(crate) international: &'static str,
    /// What is dialled before a national number.
    pub(crate) prefix: &'static str,
    /// What becomes of a number with such a prefix.
    pub(crate) transform: &'static str,
    pub(crate) general: Rule,
    /// Lines, mobiles, free numbers and so on.
    pub(crate) kinds: Vec<Rule>,
    pub(crate) formats: Vec<Format>,
    pub(crate) formats_abroad: Vec<Format>,
}

fn rule(parts: &[&'static str]) -> Rule {
    let lengths = parts.first().into_iter().flat_map(|it| it.split(',')).filter_map(|it| it.parse().ok());
    Rule { lengths: lengths.collect(), pattern: parts.get(1).copied().unwrap_or_default() }
}

fn read() -> Vec<Region> {
    let mut all: Vec<Region> = Vec::new();
    for line in TABLE.lines() {
        let parts: Vec<&'static str> = line.split('\t').collect();
        let part = |at: usize| parts.get(at).copied().unwrap_or_default();
        let format = || Format { pattern: part(1), format: part(2), leading: part(3), prefix: part(4) };
        match (parts[0], all.last_mut()) {
            ("R", _) => all.push(Region {
                id: part(1),
                code: part(2),
                leading: part(3),
                international: part(4),
                prefix: part(5),
                transform: part(6),
                general: Rule::default(),
                kinds: Vec::new(),
                formats: Vec::new(),
                formats_abroad: Vec::new(),
            }),
            ("G", Some(region)) => region.general = rule(&parts[1..]),
            ("T", Some(region)) => region.kinds.push(rule(&parts[1..])),
            ("F", Some(region)) => region.formats.push(format()),
            ("I", Some(region)) if part(2) != "NA" => region.formats_abroad.push(format()),
            _ => {}
        }
    }
    all
}

fn all() -> &'static [Region] {
    static ALL: OnceLock<Vec<Region>> = OnceLock::new();
    ALL.get_or_init(read)
}

/// A country by its two letters.
pub(crate) fn region(id: &str) -> Option<&'static Region> {
    all().iter().find(|it| it.id.eq_ignore_ascii_case(id))
}

/// The countries of a code, the main one first.
pub(crate) fn of_code(code: &str) -> Vec<&'static Region> {
    all().iter().filter(|it| it.code == code).collect()
}
