//! Groups of rules, and those of them that hold for a crawler (RFC 9309 section 2.2.1).

use super::crawler::{is_everyone, names_of, product_token};
use super::line::Key;
use super::normal;

/// Rules for some crawlers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// The values of its `User-agent` lines.
    pub agents: Vec<String>,
    /// In their order.
    pub rules: Vec<Written>,
    /// `Crawl-delay`, as written.
    pub crawl_delay: Option<String>,
}

/// A rule as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// From 1.
    pub line: u32,
    /// `Allow` or `Disallow`.
    pub allow: bool,
    /// The path pattern as written.
    pub path: String,
}

/// Puts lines together to groups.
#[derive(Debug, Default)]
pub struct Grouping {
    groups: Vec<Group>,
    /// Whether the last line was a `User-agent`, or one that does not end the list of them.
    naming: bool,
}

impl Grouping {
    /// Takes the next line. A `User-agent` after a rule begins a new group; rules before any belong to nobody.
    pub fn add(&mut self, number: u32, key: Key, value: &str) {
        match key {
            Key::Agent => {
                if !self.naming {
                    self.groups.push(Group::default());
                    self.naming = true;
                }
                if let Some(group) = self.groups.last_mut() {
                    group.agents.push(value.to_owned());
                }
            }
            Key::Allow | Key::Disallow => {
                self.naming = false;
                if let Some(group) = self.groups.last_mut() {
                    group.rules.push(Written { line: number, allow: key == Key::Allow, path: value.to_owned() });
                }
            }
            // Not a rule of the RFC, so it does not end the list of agents.
            Key::Delay => {
                if let Some(group) = self.groups.last_mut() {
                    group.crawl_delay.get_or_insert_with(|| value.to_owned());
                }
            }
            Key::Sitemap | Key::Other => {}
        }
    }

    /// The groups in the order of the file.
    #[must_use]
    pub fn groups(self) -> Vec<Group> {
        self.groups
    }
}

/// The groups that hold for a crawler: all that name it; else all for the crawler that it follows; else all for `*`.
pub fn holding<'a>(groups: &'a [Group], agent: &str) -> impl Iterator<Item = &'a Group> + use<'a> {
    let names = names_of(agent);
    let is_named =
        |group: &Group, token: &str| group.agents.iter().any(|it| product_token(it).eq_ignore_ascii_case(token));
    let named = names.tokens.into_iter().flatten().find(|token| groups.iter().any(|group| is_named(group, token)));
    let holds = |group: &&Group| match named {
        Some(token) => is_named(group, token),
        None => names.heeds_everyone && group.agents.iter().any(|it| is_everyone(it)),
    };
    groups.iter().filter(holds).collect::<Vec<_>>().into_iter()
}

/// The patterns of a rule in the spelling in which they are compared; `Allow: /folder/index.html` also allows
/// `/folder/`, as Google's parser has it.
#[must_use]
pub fn patterns(allow: bool, path: &str) -> Vec<String> {
    let pattern = normal(path);
    let index = pattern.rfind('/').filter(|at| allow && pattern[*at..].starts_with("/index.htm"));
    let mut out: Vec<String> = index.map(|at| format!("{}$", &pattern[..=at])).into_iter().collect();
    out.push(pattern);
    out
}
