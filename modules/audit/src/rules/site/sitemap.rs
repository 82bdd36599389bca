//! The rules that hold a sitemap against what the crawl saw.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

const REFERENCE: &str = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap";

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "sitemap.error",
        area: Area::Sitemap,
        severity: Severity::Warning,
        scope: Scope::Address,
        threshold: None,
        title: "The sitemap lists an address that fails",
        explanation: "A sitemap is a promise; one that often leads nowhere is read less.",
        advice: "Make the sitemap from pages that answer 200.",
        reference: "https://www.sitemaps.org/protocol.html",
        operation: "indexing.sitemap.generate",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Site(error),
    },
    Rule {
        id: "sitemap.redirect",
        area: Area::Sitemap,
        severity: Severity::Notice,
        scope: Scope::Address,
        threshold: None,
        title: "The sitemap lists an address that redirects",
        explanation: "A sitemap should name the addresses to be shown, not the ones that lead to them.",
        advice: "List the address at the end of the redirect.",
        reference: REFERENCE,
        operation: "indexing.sitemap.generate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Site(redirect),
    },
    Rule {
        id: "sitemap.not_indexable",
        area: Area::Sitemap,
        severity: Severity::Warning,
        scope: Scope::Address,
        threshold: None,
        title: "The sitemap lists a page that may not be indexed",
        explanation: "One file asks for the page to be indexed and the page itself, its canonical or robots.txt forbids it.",
        advice: "Take the page off the sitemap, or lift what forbids it.",
        reference: REFERENCE,
        operation: "indexing.sitemap.generate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Site(not_indexable),
    },
    Rule {
        id: "sitemap.missing",
        area: Area::Sitemap,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "An indexable page is not in the sitemap",
        explanation: "Search engines learn of new and changed pages from the sitemap first.",
        advice: "Make the sitemap from all indexable pages.",
        reference: REFERENCE,
        operation: "indexing.sitemap.generate",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Site(missing),
    },
];

fn error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    listed(index, Entry::fails, "a page that answers 200")
}

fn redirect(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    listed(index, Entry::redirects, "the address at the end of the redirect")
}

fn not_indexable(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    listed(index, |entry| entry.blocked || (entry.page && !entry.indexable), "an indexable page")
}

fn listed(index: &SiteIndex, wrong: impl Fn(&Entry) -> bool, expected: &str) -> Vec<Finding> {
    index
        .own()
        .filter(|entry| entry.in_sitemap && wrong(entry))
        .map(|entry| {
            let value = match entry.canonical.as_ref().filter(|it| entry.page && **it != entry.url) {
                Some(canonical) => format!("{}, canonical {canonical}", entry.state()),
                None => entry.state(),
            };
            Finding { url: entry.url.clone(), evidence: Evidence::at("sitemap <loc>", value).expected(expected) }
        })
        .collect()
}

fn missing(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    if !index.has_sitemap() {
        return Vec::new();
    }
    index
        .indexable()
        .filter(|entry| !entry.in_sitemap)
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::absent("sitemap <loc>").expected(&entry.url),
        })
        .collect()
}
