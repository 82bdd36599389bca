//! A robots.txt line by line, so that rules can be shown and faulted where they stand.
//!
//! What may be fetched is said by `kit::robots` alone; this says on which line that is written.

use kit::robots::{LONGEST_LINE, MOST_BYTES, matches};
use kit::url::path_and_query;
use sdk::prelude::*;

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Agent,
    Allow,
    Disallow,
    Delay,
    Sitemap,
    /// A field that Google takes no notice of.
    Other,
}

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

impl Written {
    /// Reads what crawlers read of a file.
    pub(crate) fn read(file: &[u8]) -> Self {
        let bom = file.starts_with(b"\xEF\xBB\xBF");
        let file = if bom { &file[3..] } else { file };
        let file = &file[..file.len().min(MOST_BYTES)];
        let mut out = Self { bom, not_utf8: std::str::from_utf8(file).is_err(), ..Self::default() };
        for (number, line) in numbered(file) {
            if line.len() > LONGEST_LINE {
                out.long.push(number);
            }
            let whole = String::from_utf8_lossy(&line[..line.len().min(LONGEST_LINE)]);
            let text = whole.split('#').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            match field(text) {
                Some((name, value)) => out.lines.push(Line {
                    number,
                    key: key_of(name),
                    name: name.to_owned(),
                    value: value.to_owned(),
                    text: text.to_owned(),
                }),
                None => out.broken.push((number, kit::text::clip(text, 200).to_owned())),
            }
        }
        out
    }

    /// The groups, in the order of the file. A `User-agent` line after a rule begins a new one.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let mut out: Vec<Group> = Vec::new();
        let mut open = false;
        for line in &self.lines {
            match line.key {
                Key::Agent => {
                    if !open {
                        out.push(Group { agents: Vec::new(), rules: Vec::new(), crawl_delay: None });
                        open = true;
                    }
                    if let Some(group) = out.last_mut() {
                        group.agents.push(line.value.clone());
                    }
                }
                Key::Allow | Key::Disallow => {
                    open = false;
                    if let Some(group) = out.last_mut() {
                        let allow = line.key == Key::Allow;
                        group.rules.push(RuleLine { line: line.number, allow, path: line.value.clone() });
                    }
                }
                Key::Delay => {
                    if let Some(group) = out.last_mut() {
                        group.crawl_delay.get_or_insert_with(|| line.value.clone());
                    }
                }
                Key::Sitemap | Key::Other => {}
            }
        }
        out
    }

    /// The `Sitemap` lines.
    pub(crate) fn sitemaps(&self) -> impl Iterator<Item = (u32, &str)> {
        let lines = self.lines.iter().filter(|line| line.key == Key::Sitemap && !line.value.is_empty());
        lines.map(|line| (line.number, line.value.as_str()))
    }

    /// The rules that hold for a crawler: those of the groups that name it, else those for `*`.
    pub(crate) fn rules_for(&self, agent: &str) -> Vec<RuleLine> {
        let groups = self.groups();
        let token = product_token(agent).to_ascii_lowercase();
        let names = |group: &Group| {
            group.agents.iter().any(|it| !token.is_empty() && product_token(it).eq_ignore_ascii_case(&token))
        };
        let everyone = |group: &Group| group.agents.iter().any(|it| is_everyone(it));
        let named = groups.iter().any(names);
        let chosen = groups.into_iter().filter(|it| if named { names(it) } else { everyone(it) });
        chosen.flat_map(|it| it.rules).collect()
    }

    /// The rule that decides about an address: the longest that fits, one that allows before one of equal length.
    pub(crate) fn deciding(&self, agent: &str, url: &str) -> Option<Deciding> {
        let path = path_and_query(url);
        let path = normal(if path.is_empty() { "/" } else { path });
        let mut best: Option<((usize, bool), RuleLine)> = None;
        for rule in self.rules_for(agent) {
            let rank = patterns(&rule).into_iter().filter(|it| !it.is_empty() && matches(it, &path)).map(|it| it.len());
            let Some(length) = rank.max() else { continue };
            if best.as_ref().is_none_or(|(known, _)| (length, rule.allow) >= *known) {
                best = Some(((length, rule.allow), rule));
            }
        }
        let (_, rule) = best?;
        let text = self.lines.iter().find(|line| line.number == rule.line).map(|line| line.text.clone());
        Some(Deciding { line: rule.line, allow: rule.allow, rule: text.unwrap_or_default() })
    }
}

/// The patterns of a rule in the spelling in which they are compared; `Allow: /a/index.html` also allows `/a/`, as
/// Google's parser has it.
pub(crate) fn patterns(rule: &RuleLine) -> Vec<String> {
    let pattern = normal(&rule.path);
    let index = pattern.rfind('/').filter(|at| rule.allow && pattern[*at..].starts_with("/index.htm"));
    let mut out: Vec<String> = index.map(|at| format!("{}$", &pattern[..=at])).into_iter().collect();
    out.push(pattern);
    out
}

/// Percent-encoding in normal form, as `kit::robots` compares it.
fn normal(text: &str) -> String {
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
    kit::robots::address::recode(&ascii, &mut out);
    out
}

/// Lines with their numbers; a carriage return ends one too, and one before a line feed belongs to it.
fn numbered(file: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = Some(file);
    let mut number = 0;
    std::iter::from_fn(move || {
        let file = rest?;
        number += 1;
        let end = file.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        rest = end.map(|at| if file[at..].starts_with(b"\r\n") { &file[at + 2..] } else { &file[at + 1..] });
        Some((number, end.map_or(file, |at| &file[..at])))
    })
}

/// A field and its value: at the colon or, without one, at the white space between exactly two words.
fn field(text: &str) -> Option<(&str, &str)> {
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

/// Google's parser takes these misspellings, and whatever follows a known word.
fn key_of(name: &str) -> Key {
    let name = name.to_ascii_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    if begins(&["user-agent", "useragent", "user agent"]) {
        Key::Agent
    } else if begins(&["allow"]) {
        Key::Allow
    } else if begins(&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]) {
        Key::Disallow
    } else if begins(&["sitemap", "site-map"]) {
        Key::Sitemap
    } else if matches!(name.as_str(), "crawl-delay" | "crawldelay") {
        Key::Delay
    } else {
        Key::Other
    }
}

/// `*` alone or followed by white space.
pub(crate) fn is_everyone(value: &str) -> bool {
    value.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The letters, hyphens and underscores that a value begins with (RFC 9309 section 2.2.1).
pub(crate) fn product_token(value: &str) -> &str {
    let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').unwrap_or(value.len());
    &value[..end]
}
