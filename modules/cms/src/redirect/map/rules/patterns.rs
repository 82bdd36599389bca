//! Patterns that stand for many redirects: written only when every known address that one matches goes exactly where it sends it.

use std::collections::HashMap;

use kit::url::decoded;

use super::{Rule, quoted};

/// A pattern stands for at least so many.
const FEWEST: usize = 5;
/// Patterns that are tried, those for the most addresses first.
const TRIED: usize = 300;
/// Endings of old addresses.
const ENDINGS: [&str; 7] = [".html", ".htm", ".php", ".aspx", ".asp", ".jsp", "/"];
/// Endings of new addresses.
const NEW_ENDINGS: [&str; 3] = [".html", "/", ""];

/// What old addresses have before the part that stays.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Before {
    /// These letters.
    Fixed(String),
    /// These letters, then a year and so many numbers of two digits, each with its slash.
    Dated(String, usize),
}

/// A pattern of old addresses with what it makes of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pattern {
    before: Before,
    end: &'static str,
    /// Whether what stays is one part of the path.
    one: bool,
    to_before: String,
    to_end: &'static str,
    /// Addresses that it stands for.
    pub(crate) stands_for: usize,
}

impl Pattern {
    /// What stays of a path, if the pattern matches it.
    fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = match &self.before {
            Before::Fixed(before) => path.strip_prefix(before.as_str())?,
            Before::Dated(before, numbers) => undated(path.strip_prefix(before.as_str())?, *numbers)?,
        };
        let rest = rest.strip_suffix(self.end)?;
        let fits = !self.one || !rest.contains('/');
        Some(rest).filter(|it| fits && !it.is_empty())
    }

    /// Where it sends a path.
    fn target(&self, path: &str) -> Option<String> {
        Some(format!("{}{}{}", self.to_before, self.rest(path)?, self.to_end))
    }

    /// The pattern of a path from its beginning to its end, with one group; `any` is the class of the letters of a part.
    pub(super) fn source(&self, one: &str, any: &str, literal: impl Fn(&str) -> String) -> String {
        let before = match &self.before {
            Before::Fixed(before) => quoted(&literal(before)),
            Before::Dated(before, numbers) => {
                format!("{}[0-9]{{4}}/{}", quoted(&literal(before)), "[0-9]{2}/".repeat(*numbers))
            }
        };
        let class = if self.one { one } else { any };
        format!("{before}{class}{}", quoted(self.end))
    }

    /// The target, with what a server calls the group.
    pub(super) fn to(&self, group: &str) -> String {
        format!("{}{group}{}", self.to_before, self.to_end)
    }

    /// The pattern of paths, for people.
    pub(crate) fn shown(&self) -> String {
        format!("^{}$", self.source("([^/]+)", "(.+)", str::to_owned))
    }

    /// The target, for people.
    pub(crate) fn shown_target(&self) -> String {
        self.to("$1")
    }

    /// Whether a file of redirects can say it: a fixed beginning, and all that comes after.
    pub(super) fn splat(&self) -> Option<&str> {
        match &self.before {
            Before::Fixed(before) if self.end.is_empty() && self.to_end.is_empty() && !self.one => Some(before),
            _ => None,
        }
    }
}

/// What follows a year and so many numbers of two digits.
fn undated(path: &str, numbers: usize) -> Option<&str> {
    let mut rest = digits(path, 4)?;
    for _ in 0..numbers {
        rest = digits(rest, 2)?;
    }
    Some(rest)
}

fn digits(path: &str, count: usize) -> Option<&str> {
    let (number, rest) = path.split_once('/')?;
    (number.len() == count && number.bytes().all(|it| it.is_ascii_digit())).then_some(rest)
}

/// The patterns that are safe; what they stand for is taken out of the rules.
pub(super) fn safe(
    rules: &mut Vec<Rule>,
    known: &[(String, Option<String>)],
    targets: &HashMap<String, String>,
) -> Vec<Pattern> {
    let mut groups: HashMap<Pattern, Vec<usize>> = HashMap::new();
    for (at, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.query.is_none() && !rule.narrow) {
        for pattern in shapes(rule) {
            groups.entry(pattern).or_default().push(at);
        }
    }
    let mut groups: Vec<(Pattern, Vec<usize>)> = groups.into_iter().filter(|it| it.1.len() >= FEWEST).collect();
    groups.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    groups.truncate(TRIED);
    let mut covered = vec![false; rules.len()];
    let mut patterns = Vec::new();
    for (mut pattern, all) in groups {
        let open: Vec<usize> = all.into_iter().filter(|at| !covered[*at]).collect();
        if open.len() < FEWEST {
            continue;
        }
        pattern.one = open.iter().all(|at| {
            let rest = pattern.rest(&rules[*at].path);
            rest.is_some_and(|rest| !rest.contains('/'))
        });
        let harmless = known.iter().all(|(path, query)| match pattern.target(path) {
            None => true,
            Some(to) => query.is_none() && targets.get(path) == Some(&to),
        });
        if harmless {
            pattern.stands_for = open.len();
            open.into_iter().for_each(|at| covered[at] = true);
            patterns.push(pattern);
        }
    }
    let mut at = 0;
    rules.retain(|_| {
        at += 1;
        !covered[at - 1]
    });
    patterns
}

/// The patterns that a redirect fits: for each folder of its path, what comes after stays.
fn shapes(rule: &Rule) -> Vec<Pattern> {
    let mut all = Vec::new();
    for (slash, _) in rule.path.match_indices('/') {
        let (before, rest) = rule.path.split_at(slash + 1);
        if let Some(pattern) = shape(rule, Before::Fixed(before.to_owned()), rest) {
            all.push(pattern);
        }
        for numbers in [2, 1] {
            if let Some(rest) = undated(rest, numbers)
                && let Some(pattern) = shape(rule, Before::Dated(before.to_owned(), numbers), rest)
            {
                all.push(pattern);
                break;
            }
        }
    }
    all
}

fn shape(rule: &Rule, before: Before, rest: &str) -> Option<Pattern> {
    let end = ENDINGS.into_iter().find(|end| rest.ends_with(end)).unwrap_or_default();
    let stays = rest.strip_suffix(end).filter(|it| !it.is_empty())?;
    let to_end = NEW_ENDINGS.into_iter().find(|end| rule.to.strip_suffix(end).is_some_and(|it| it.ends_with(stays)))?;
    let to_before = rule.to.strip_suffix(to_end)?.strip_suffix(stays)?;
    // A part of the path stays, not a part of a word, and a host never.
    let whole = to_before.ends_with('/') && to_before.matches('/').count() >= 3;
    // What a server writes in other letters than these must be plain in them.
    let odd = |c: char| c.is_control() || "?#%\"\\$&{}`\u{fffd}".contains(c);
    let plain = !decoded(to_before).contains(odd);
    (whole && plain).then(|| Pattern {
        before,
        end,
        one: false,
        to_before: to_before.to_owned(),
        to_end,
        stands_for: 0,
    })
}
