//! What a fault takes from a page in search: everything, a part, or nothing.

use crate::rule::{Area, Rule, Severity};

/// What a fault of a rule takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stake {
    /// The page is not in the results at all, or another stands there in its place.
    Presence,
    /// The page is there, and stands or looks worse than it could.
    Standing,
    /// Nothing in search: headers that guard visitors. They have a report of their own (`audit.security.report`), and neither
    /// the score nor the order of opportunities counts them.
    Hygiene,
}

/// Rules whose fault keeps a page out of the results (Google Search Essentials, "Technical requirements": it is not blocked,
/// it answers 200, it has content that can be indexed).
const PRESENCE: &[&str] = &[
    "canonical.other_host",
    "canonical.target_error",
    "canonical.target_not_indexable",
    "canonical.to_home",
    "content.empty_shell",
    "indexability.blocked",
    "indexability.expired",
    "indexability.meta_refresh",
    "indexability.noindex",
    "redirect.loop",
    "redirect.to_error",
    "response.client_error",
    "response.empty",
    "response.no_answer",
    "response.server_error",
    "response.soft_404",
    "robots.unreachable",
];
/// Rules of the area `security` that search engines or browsers act on: a warning before the page, or parts that do not load.
const SEEN_BY_SEARCH: &[&str] = &[
    "security.hostile_host",
    "security.insecure_form",
    "security.insecure_page",
    "security.insecure_script",
    "security.mixed_content",
];
/// Rules that find one fault of the whole website, whatever address it is told at.
const OF_THE_SITE: &[&str] =
    &["robots.crawl_delay", "robots.missing", "robots.unreachable", "sitemap.none", "sitemap.unnamed"];

impl Stake {
    /// What a rule's fault takes.
    #[must_use]
    pub fn of(rule: &Rule) -> Self {
        if PRESENCE.contains(&rule.id) {
            Self::Presence
        } else if rule.area == Area::Security && !SEEN_BY_SEARCH.contains(&rule.id) {
            Self::Hygiene
        } else {
            Self::Standing
        }
    }
}

/// The part of a page's worth that a fault takes, from 0 to 1.
#[must_use]
pub fn loss(rule: &Rule) -> f64 {
    match (Stake::of(rule), rule.severity) {
        (Stake::Hygiene, _) => 0.0,
        (Stake::Presence, Severity::Error) => 1.0,
        (Stake::Presence, Severity::Warning) => 0.8,
        (Stake::Presence, Severity::Notice) => 0.4,
        (Stake::Standing, Severity::Error) => 0.35,
        (Stake::Standing, Severity::Warning) => 0.12,
        (Stake::Standing, Severity::Notice) => 0.03,
    }
}

/// Whether a rule's fault is one of the whole website.
#[must_use]
pub fn is_of_the_site(rule: &Rule) -> bool {
    OF_THE_SITE.contains(&rule.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn every_name_in_the_lists_is_a_rule() {
        for id in PRESENCE.iter().chain(SEEN_BY_SEARCH).chain(OF_THE_SITE) {
            assert!(rules::find(id).is_some(), "{id}");
        }
    }

    #[test]
    fn headers_that_guard_visitors_take_nothing_from_search() {
        for id in ["security.version_told", "security.hsts_missing", "security.csp_missing", "security.referrer_open"] {
            assert_eq!(Stake::of(rules::find(id).unwrap()), Stake::Hygiene, "{id}");
        }
        assert_eq!(loss(rules::find("security.csp_missing").unwrap()), 0.0);
        assert!(loss(rules::find("security.mixed_content").unwrap()) > 0.0);
    }
}
