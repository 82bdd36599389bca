//! From the bytes of a robots.txt to the rules for one crawler.

use super::group::{Grouping, holding, patterns};
use super::line::{Key, lines};
use super::{MOST_SITEMAPS, Robots, Rule};

pub(super) fn parse(file: &[u8], agent: &str) -> Robots {
    let (mut grouping, mut out) = (Grouping::default(), Robots::default());
    for line in lines(file) {
        let Some((name, value)) = line.field() else { continue };
        let key = Key::of(name);
        if key == Key::Sitemap && out.sitemaps.len() < MOST_SITEMAPS && !value.is_empty() {
            out.sitemaps.push(value.to_owned());
        }
        grouping.add(line.number, key, value);
    }
    for group in holding(&grouping.groups(), agent) {
        for rule in &group.rules {
            let patterns = patterns(rule.allow, &rule.path).into_iter();
            out.rules.extend(patterns.map(|pattern| Rule { allow: rule.allow, pattern }));
        }
        out.crawl_delay_ms = out.crawl_delay_ms.or_else(|| seconds(group.crawl_delay.as_deref()?));
    }
    out
}

/// Seconds, fractions too, as milliseconds; at most an hour.
fn seconds(value: &str) -> Option<u64> {
    let seconds: f64 = value.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0 and one hour")]
    seconds.is_finite().then(|| (seconds.clamp(0.0, 3_600.0) * 1_000.0) as u64)
}
