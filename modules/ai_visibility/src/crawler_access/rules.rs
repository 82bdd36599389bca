//! The line of a robots.txt that decides for a robot, and lines about the use of content.

use kit::robots::group::{Grouping, holding, patterns};
use kit::robots::line::{Key, lines};
use kit::robots::{matches, normal};
use kit::url::path_and_query;

use super::Signal;

/// The rule that decides.
pub(super) struct Deciding {
    pub(super) line: u32,
    /// As it is written.
    pub(super) rule: String,
}

impl Deciding {
    /// Of a robot and an address: the longest pattern that fits, `Allow` of two that are as long (RFC 9309 section 2.2.2).
    pub(super) fn of(file: &[u8], agent: &str, url: &str) -> Option<Self> {
        let mut grouping = Grouping::default();
        for line in lines(file) {
            if let Some((name, value)) = line.field() {
                grouping.add(line.number, Key::of(name), value);
            }
        }
        let groups = grouping.groups();
        let path = normal(path_and_query(url));
        let mut best: Option<(usize, bool, u32, String)> = None;
        for rule in holding(&groups, agent).flat_map(|group| &group.rules) {
            for pattern in patterns(rule.allow, &rule.path) {
                let is_better = |it: &(usize, bool, u32, String)| (pattern.len(), rule.allow) > (it.0, it.1);
                if !pattern.is_empty() && matches(&pattern, &path) && best.as_ref().is_none_or(is_better) {
                    let word = if rule.allow { "Allow" } else { "Disallow" };
                    best = Some((pattern.len(), rule.allow, rule.line, format!("{word}: {}", rule.path)));
                }
            }
        }
        best.map(|(_, _, line, rule)| Self { line, rule })
    }
}

/// `Content-Signal` and `Content-Usage` lines, as they are written.
pub(super) fn signals(file: &[u8]) -> Vec<Signal> {
    let mut out = Vec::new();
    for line in lines(file) {
        let Some((name, value)) = line.field() else { continue };
        let field = match name.to_ascii_lowercase().as_str() {
            "content-signal" => "Content-Signal",
            "content-usage" => "Content-Usage",
            _ => continue,
        };
        let value = kit::text::clip(value, 300).to_owned();
        out.push(Signal { field: field.to_owned(), value, line: line.number });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_of_the_groups_that_hold_decides() {
        let file = b"User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /private\nAllow: /private/open\n";
        let of = |agent: &str, url: &str| Deciding::of(file, agent, url).map(|it| (it.line, it.rule));
        assert_eq!(of("ClaudeBot", "https://a.example/x"), Some((2, "Disallow: /".to_owned())));
        assert_eq!(of("GPTBot", "https://a.example/x"), None);
        assert_eq!(of("GPTBot", "https://a.example/private/open/1"), Some((6, "Allow: /private/open".to_owned())));
    }

    #[test]
    fn lines_about_the_use_of_content_are_told_as_they_are_written() {
        let found = signals(b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n");
        assert_eq!((found.len(), found[0].line, found[0].value.as_str()), (1, 2, "search=yes, ai-train=no"));
    }
}
