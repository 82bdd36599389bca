//! From the bytes of a robots.txt to the rules for one crawler.

use super::{LONGEST_LINE, MOST_BYTES, MOST_SITEMAPS, Robots, Rule, normal};

/// What a line is about.
enum Key {
    Agent,
    Allow,
    Disallow,
    Delay,
    Sitemap,
    Unknown,
}

pub(super) fn parse(file: &[u8], agent: &str) -> Robots {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let file = &file[..file.len().min(MOST_BYTES)];
    let (mut own, mut others) = (Robots::default(), Robots::default());
    let mut sitemaps = Vec::new();
    let (mut for_us, mut for_all, mut rules_began, mut named) = (false, false, true, false);
    for line in file.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = String::from_utf8_lossy(&line[..line.len().min(LONGEST_LINE)]);
        let Some((key, value)) = key_and_value(&line) else { continue };
        match key_of(key) {
            Key::Agent => {
                if rules_began {
                    (for_us, for_all, rules_began) = (false, false, false);
                }
                if is_everyone(value) {
                    for_all = true;
                } else if product_token(value).eq_ignore_ascii_case(product_token(agent))
                    && !product_token(value).is_empty()
                {
                    (for_us, named) = (true, true);
                }
            }
            key @ (Key::Allow | Key::Disallow) => {
                rules_began = true;
                let allow = matches!(key, Key::Allow);
                for (applies, robots) in [(for_us, &mut own), (for_all, &mut others)] {
                    if applies {
                        add(&mut robots.rules, allow, value);
                    }
                }
            }
            Key::Delay => {
                // Not a rule of the RFC, so it does not end the list of agents.
                let delay = seconds(value);
                for (applies, robots) in [(for_us, &mut own), (for_all, &mut others)] {
                    if applies && robots.crawl_delay_ms.is_none() {
                        robots.crawl_delay_ms = delay;
                    }
                }
            }
            Key::Sitemap => {
                if sitemaps.len() < MOST_SITEMAPS && !value.is_empty() {
                    sitemaps.push(value.to_owned());
                }
            }
            Key::Unknown => {}
        }
    }
    let chosen = if named { own } else { others };
    Robots { sitemaps, ..chosen }
}

/// Splits a line at its colon, or, without one, at the white space between exactly two words, as Google's parser does.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let line = line.split('#').next().unwrap_or_default().trim();
    if let Some((key, value)) = line.split_once(':') {
        let key = key.trim();
        return (!key.is_empty()).then_some((key, value.trim()));
    }
    let mut words = line.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(key), Some(value), None) => Some((key, value)),
        _ => None,
    }
}

/// Misspellings that Google's parser takes are taken too, and what follows a known word, as there.
fn key_of(key: &str) -> Key {
    let key = key.to_ascii_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| key.starts_with(word));
    if begins(&["user-agent", "useragent", "user agent"]) {
        Key::Agent
    } else if begins(&["allow"]) {
        Key::Allow
    } else if begins(&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]) {
        Key::Disallow
    } else if begins(&["sitemap", "site-map"]) {
        Key::Sitemap
    } else if matches!(key.as_str(), "crawl-delay" | "crawldelay") {
        Key::Delay
    } else {
        Key::Unknown
    }
}

/// `*` alone or followed by white space.
fn is_everyone(value: &str) -> bool {
    value.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The letters, hyphens and underscores that a value begins with (RFC 9309 section 2.2.1).
fn product_token(value: &str) -> &str {
    let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').unwrap_or(value.len());
    &value[..end]
}

/// A rule; `Allow: /folder/index.html` also allows `/folder/`, as Google's parser has it.
fn add(rules: &mut Vec<Rule>, allow: bool, value: &str) {
    let pattern = normal(value);
    if allow
        && let Some(at) = pattern.rfind('/')
        && (pattern[at..].starts_with("/index.htm"))
    {
        rules.push(Rule { allow, pattern: format!("{}$", &pattern[..=at]) });
    }
    rules.push(Rule { allow, pattern });
}

/// Seconds, fractions too, as milliseconds; at most an hour.
fn seconds(value: &str) -> Option<u64> {
    let seconds: f64 = value.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0 and one hour")]
    seconds.is_finite().then(|| (seconds.clamp(0.0, 3_600.0) * 1_000.0) as u64)
}
