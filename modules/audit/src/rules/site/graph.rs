//! Rules about who links to a page, and in what way.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "links.only_nofollow",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: None,
        title: "Every link to the page is nofollow",
        explanation: "The site itself tells search engines not to go there, so the page is found late and holds no authority.",
        advice: "Take nofollow off links inside the site.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",
        operation: "links.leak.report",
        effort: Effort::Low,
        confidence: 88,
        check: Check::Site(only_nofollow),
    },
    Rule {
        id: "links.only_from_hidden",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: None,
        title: "Only pages that are not indexed link to the page",
        explanation: "Links on pages that search engines drop are followed for a while at most.",
        advice: "Link to the page from one that can be indexed.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.suggestion.for_page",
        effort: Effort::Medium,
        confidence: 80,
        check: Check::Site(only_from_hidden),
    },
    Rule {
        id: "links.only_unnamed",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "No link to the page says what it is about",
        explanation: "All links to it are empty or say \"read more\"; search engines learn what a page is about from the words that lead to it.",
        advice: "Let at least one link name the page.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.anchor.report",
        effort: Effort::Low,
        confidence: 72,
        check: Check::Site(only_unnamed),
    },
];

fn each(index: &SiteIndex, element: &str, expected: &str, wrong: impl Fn(&Entry) -> bool) -> Vec<Finding> {
    // What a crawl that did not end has not seen may be the link that counts.
    if !index.is_complete() {
        return Vec::new();
    }
    let found = index.indexable().filter(|entry| entry.inlinks > 0 && wrong(entry));
    found
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at(element, format!("0 of {}", entry.inlinks)).expected(expected),
        })
        .collect()
}

fn only_nofollow(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, "pages with a link that may be followed", "at least one", |it| it.followed == 0)
}

fn only_from_hidden(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let home = format!("{}/", site.origin);
    each(index, "indexable pages that link here", "at least one", |it| {
        it.found == 0 && it.followed > 0 && it.url != home
    })
}

fn only_unnamed(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let home = format!("{}/", site.origin);
    each(index, "links that name the page", "at least one", |it| it.named == 0 && it.followed > 0 && it.url != home)
}
