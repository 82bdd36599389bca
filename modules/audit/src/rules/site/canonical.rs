//! Rules about what a canonical link leads to.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

const REFERENCE: &str = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "canonical.target_error",
        area: Area::Canonical,
        severity: Severity::Error,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical address does not answer",
        explanation: "The page says that another address counts, and that address is an error; neither may be kept.",
        advice: "Point the canonical link at a page that answers 200, usually the page itself.",
        reference: REFERENCE,
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Site(to_error),
    },
    Rule {
        id: "canonical.target_redirects",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical address redirects",
        explanation: "A canonical link names the address to show; one that redirects contradicts itself and is often ignored.",
        advice: "Name the address at the end of the redirect.",
        reference: REFERENCE,
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Site(to_redirect),
    },
    Rule {
        id: "canonical.target_not_indexable",
        area: Area::Canonical,
        severity: Severity::Error,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical page may not be indexed",
        explanation: "The page steps back in favour of one that is kept out of the index, so none of the two can be found.",
        advice: "Remove the noindex from the target, or make this page its own canonical.",
        reference: REFERENCE,
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Site(to_noindex),
    },
    Rule {
        id: "canonical.chain",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical page names yet another canonical",
        explanation: "A canonical link is a hint; a chain of hints is often dropped as a whole.",
        advice: "Name the last page of the chain in all of them.",
        reference: REFERENCE,
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Site(chain),
    },
    Rule {
        id: "canonical.to_home",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: Some(threshold!("pages", canonicals_home)),
        title: "Inner pages name the home page as their canonical",
        explanation: "The pages say that the home page should be shown in their place, and drop out of the index; templates do this by mistake.",
        advice: "Let each page name its own address.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.bulk_update",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Site(to_home),
    },
];

fn to_home(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let home = format!("{}/", site.origin);
    // The home page with a query, or under the name of its file, is the home page.
    let inner = |entry: &&Entry| {
        let path = kit::url::path_and_query(&entry.url);
        entry.page && !path.starts_with("/?") && !path.starts_with("/index.") && path != "/"
    };
    let found: Vec<&Entry> =
        index.own().filter(inner).filter(|entry| entry.canonical.as_ref() == Some(&home)).collect();
    if found.len() < site.limits.canonicals_home as usize {
        return Vec::new();
    }
    let evidence =
        |entry: &Entry| Evidence::at("<link rel=\"canonical\">", &home).expected(&entry.url).count(found.len());
    found.iter().map(|entry| Finding { url: entry.url.clone(), evidence: evidence(entry) }).collect()
}

fn to_error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| target.fails().then(|| format!("an address that answers 200, not {}", target.state())))
}

fn to_redirect(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| target.redirects().then(|| target.location.clone()).flatten())
}

fn to_noindex(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| {
        ((target.page && target.noindex) || target.blocked)
            .then(|| format!("an indexable page, not {}", target.state()))
    })
}

fn chain(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| {
        let further = target.canonical.as_ref().filter(|it| target.page && **it != target.url)?;
        Some(further.clone())
    })
}

/// Each page whose canonical is another known address that `judge` finds wrong; what it says is what was expected.
fn each(index: &SiteIndex, judge: impl Fn(&Entry) -> Option<String>) -> Vec<Finding> {
    index
        .own()
        .filter(|entry| entry.page)
        .filter_map(|entry| {
            let canonical = entry.canonical.as_ref().filter(|it| **it != entry.url)?;
            let expected = judge(index.get(canonical)?)?;
            let evidence = Evidence::at("<link rel=\"canonical\">", canonical).expected(expected);
            Some(Finding { url: entry.url.clone(), evidence })
        })
        .collect()
}
