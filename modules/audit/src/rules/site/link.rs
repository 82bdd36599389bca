//! Rules about links that need the whole site to be judged.

use std::collections::BTreeMap;

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "links.broken_internal",
        area: Area::Links,
        severity: Severity::Error,
        scope: Scope::Page,
        threshold: None,
        title: "The page links to an error on its own site",
        explanation: "Visitors and crawlers follow the link and find nothing.",
        advice: "Correct the link, or redirect its target.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "cms.link.replace",
        effort: Effort::Low,
        confidence: 98,
        check: Check::Site(broken_internal),
    },
    Rule {
        id: "links.broken_external",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page links to an error on another site",
        explanation: "A dead source makes the page look uncared for and leaves the reader alone.",
        advice: "Replace the link by a living source, or remove it.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "cms.link.replace",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Site(broken_external),
    },
    Rule {
        id: "links.to_redirect",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page links to a redirect",
        explanation: "Each click takes a detour, and a crawler spends a fetch on it.",
        advice: "Link to the address at the end of the redirect.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        operation: "cms.link.replace",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Site(to_redirect),
    },
    Rule {
        id: "links.orphan",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: None,
        title: "No page of the site links here",
        explanation: "Pages that only a sitemap knows are found late, crawled seldom and hold no authority.",
        advice: "Link to the page from a page about the same subject.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.suggestion.for_page",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Site(orphan),
    },
    Rule {
        id: "links.few_inlinks",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: Some(threshold!("links", inlinks)),
        title: "Hardly any page links here",
        explanation: "Internal links say which pages matter; a page with one link says that it does not.",
        advice: "Add links from related pages.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.suggestion.for_page",
        effort: Effort::Medium,
        confidence: 60,
        check: Check::Site(few_inlinks),
    },
    Rule {
        id: "links.deep",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: Some(threshold!("clicks", depth)),
        title: "The page is many clicks from the home page",
        explanation: "Deep pages are crawled later and less often, and people seldom get there.",
        advice: "Link to it, or to its section, from a page nearer to the home page.",
        reference: "https://developers.google.com/search/docs/specialty/ecommerce/help-google-understand-your-ecommerce-site-structure",
        operation: "links.depth.report",
        effort: Effort::Medium,
        confidence: 65,
        check: Check::Site(deep),
    },
];

fn broken_internal(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    sources(index, |target| !target.external && target.fails(), |target| format!("a page, not {}", target.state()))
}

fn broken_external(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    sources(index, |target| target.external && target.fails(), |target| format!("a page, not {}", target.state()))
}

fn to_redirect(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    sources(
        index,
        |target| !target.external && target.redirects(),
        |target| index.chain(target).hops.last().map_or_else(String::new, |last| (*last).to_owned()),
    )
}

/// Each page that links to a target of this sort; the first such link is the proof.
fn sources(index: &SiteIndex, wrong: impl Fn(&Entry) -> bool, expected: impl Fn(&Entry) -> String) -> Vec<Finding> {
    let mut pages: BTreeMap<&str, (Evidence, usize)> = BTreeMap::new();
    for target in index.suspects().filter(|target| wrong(target)) {
        for source in index.sources(&target.url) {
            let found = pages.entry(&source.from).or_insert_with(|| {
                let element = format!("<a href>{}</a>", source.anchor);
                (Evidence::at(element, &target.url).expected(expected(target)), 0)
            });
            found.1 += 1;
        }
    }
    pages
        .into_iter()
        .map(|(url, (evidence, count))| Finding { url: url.to_owned(), evidence: evidence.count(count) })
        .collect()
}

fn orphan(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    if !index.is_complete() {
        return Vec::new();
    }
    index
        .indexable()
        .filter(|entry| entry.inlinks == 0 && !is_home(entry, site))
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at("internal links to the page", "0").expected("at least one"),
        })
        .collect()
}

fn few_inlinks(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    if !index.is_complete() {
        return Vec::new();
    }
    index
        .indexable()
        .filter(|entry| entry.inlinks > 0 && entry.inlinks < site.limits.inlinks && !is_home(entry, site))
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at("internal links to the page", entry.inlinks.to_string())
                .expected(format!("{} or more", site.limits.inlinks)),
        })
        .collect()
}

fn deep(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    index
        .indexable()
        .filter_map(|entry| {
            let depth = entry.depth.filter(|depth| *depth > site.limits.depth)?;
            let evidence = Evidence::at("clicks from the home page", depth.to_string())
                .expected(format!("{} or fewer", site.limits.depth));
            Some(Finding { url: entry.url.clone(), evidence })
        })
        .collect()
}

fn is_home(entry: &Entry, site: &SiteContext) -> bool {
    entry.url.strip_prefix(site.origin.as_str()).is_some_and(|rest| rest.is_empty() || rest == "/")
}
