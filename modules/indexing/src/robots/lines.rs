//! A robots.txt line by line, so that rules can be shown and faulted where they stand.
//!
//! What may be fetched is said by `kit::robots` alone; this says on which line that is written.

use kit::robots::group::{self, Grouping, holding, patterns};
use kit::robots::line::{Key, lines};
use kit::robots::{MOST_BYTES, matches, normal};
use kit::url::path_and_query;
use sdk::prelude::*;

/// One line with something on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) key: Key,
    /// The field's name as written.
    pub(crate) name: String,
    pub(crate) value: String,
    /// Without its comment.
    pub(crate) text: String,
}

/// A file, line by line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written {
    pub(crate) lines: Vec<Line>,
    /// Lines that are neither a field nor a comment nor empty, with their text.
    pub(crate) broken: Vec<(u32, String)>,
    /// Lines that are longer than what is read of one.
    pub(crate) long: Vec<u32>,
    /// Whether the file begins with a byte order mark.
    pub(crate) bom: bool,
    /// Whether it has bytes that are not UTF-8.
    pub(crate) not_utf8: bool,
}

/// Rules for some crawlers.
#[value]
pub(crate) struct Group {
    /// The values of its `User-agent` lines.
    pub(crate) agents: Vec<String>,
    /// In their order.
    pub(crate) rules: Vec<RuleLine>,
    /// `Crawl-delay`, as written; Google takes no notice of it.
    pub(crate) crawl_delay: Option<String>,
}

/// One rule.
#[value]
pub(crate) struct RuleLine {
    /// From 1.
    pub(crate) line: u32,
    /// `Allow` or `Disallow`.
    pub(crate) allow: bool,
    /// The path pattern as written.
    pub(crate) path: String,
}

/// The rule that decides.
pub(crate) struct Deciding {
    pub(crate) line: u32,
    pub(crate) allow: bool,
    pub(crate) rule: String,
}

impl From<&group::Written> for RuleLine {
    fn from(rule: &group::Written) -> Self {
        Self { line: rule.line, allow: rule.allow, path: rule.path.clone() }
    }
}

impl Written {
    /// Reads what crawlers read of a file.
    pub(crate) fn read(file: &[u8]) -> Self {
        // A character that the end of what is read cuts is none that the file has wrong.
        let is_wrong = |error: std::str::Utf8Error| error.error_len().is_some() || file.len() <= MOST_BYTES;
        let mut out = Self {
            bom: file.starts_with(b"\xEF\xBB\xBF"),
            not_utf8: std::str::from_utf8(&file[..file.len().min(MOST_BYTES)]).is_err_and(is_wrong),
            ..Self::default()
        };
        for line in lines(file) {
            if line.long {
                out.long.push(line.number);
            }
            match line.field() {
                Some((name, value)) => out.lines.push(Line {
                    number: line.number,
                    key: Key::of(name),
                    name: name.to_owned(),
                    value: value.to_owned(),
                    text: line.text().to_owned(),
                }),
                None if line.text().is_empty() => {}
                None => out.broken.push((line.number, kit::text::clip(line.text(), 200).to_owned())),
            }
        }
        out
    }

    fn grouped(&self) -> Vec<group::Group> {
        let mut grouping = Grouping::default();
        self.lines.iter().for_each(|line| grouping.add(line.number, line.key, &line.value));
        grouping.groups()
    }

    /// The groups, in the order of the file.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let shown = |it: group::Group| Group {
            rules: it.rules.iter().map(RuleLine::from).collect(),
            agents: it.agents,
            crawl_delay: it.crawl_delay,
        };
        self.grouped().into_iter().map(shown).collect()
    }

    /// The `Sitemap` lines.
    pub(crate) fn sitemaps(&self) -> impl Iterator<Item = (u32, &str)> {
        let lines = self.lines.iter().filter(|line| line.key == Key::Sitemap && !line.value.is_empty());
        lines.map(|line| (line.number, line.value.as_str()))
    }

    /// The rules that hold for a crawler.
    pub(crate) fn rules_for(&self, agent: &str) -> Vec<RuleLine> {
        holding(&self.grouped(), agent).flat_map(|it| &it.rules).map(RuleLine::from).collect()
    }

    /// The rule that decides about an address: the longest that fits, one that allows before one of equal length.
    pub(crate) fn deciding(&self, agent: &str, url: &str) -> Option<Deciding> {
        let path = path_and_query(url);
        let path = normal(if path.is_empty() { "/" } else { path });
        let mut best: Option<((usize, bool), RuleLine)> = None;
        for rule in self.rules_for(agent) {
            let fitting =
                patterns(rule.allow, &rule.path).into_iter().filter(|it| !it.is_empty() && matches(it, &path));
            let Some(length) = fitting.map(|it| it.len()).max() else { continue };
            if best.as_ref().is_none_or(|(known, _)| (length, rule.allow) >= *known) {
                best = Some(((length, rule.allow), rule));
            }
        }
        let (_, rule) = best?;
        let text = self.lines.iter().find(|line| line.number == rule.line).map(|line| line.text.clone());
        Some(Deciding { line: rule.line, allow: rule.allow, rule: text.unwrap_or_default() })
    }
}
