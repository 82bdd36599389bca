//! Rules about the weight of a page.

pub(super) mod load;
pub(super) mod transfer;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "performance.html_large",
        area: Area::Performance,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: Some(threshold!("bytes", html_bytes)),
        title: "The HTML is larger than crawlers read",
        explanation: "Googlebot reads the first 2 MB of an HTML file; what comes after does not exist for it.",
        advice: "Move data and styles out of the HTML and split long lists.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/googlebot",
        operation: "monitoring.page_weight.check",
        effort: Effort::High,
        confidence: 90,
        check: Check::Page(html_large),
    },
    Rule {
        id: "performance.elements_many",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("elements", elements)),
        title: "The page has very many elements",
        explanation: "Every element costs memory and time at each change; Lighthouse warns past 1,400.",
        advice: "Draw long lists in parts.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/dom-size",
        operation: "monitoring.page_weight.check",
        effort: Effort::High,
        confidence: 65,
        check: Check::Page(elements_many),
    },
    Rule {
        id: "performance.blocking",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("files", blocking)),
        title: "Many files hold up the first paint",
        explanation: "Nothing is drawn before every script and style sheet of the head has come.",
        advice: "Defer scripts and join or inline style sheets.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources",
        operation: "monitoring.psi.run",
        effort: Effort::Medium,
        confidence: 65,
        check: Check::Page(blocking),
    },
];

fn html_large(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = u64::from(site.limits.html_bytes);
    (page.html_bytes > limit)
        .then(|| Evidence::at("HTML", format!("{} bytes", page.html_bytes)).expected(format!("{limit} bytes or fewer")))
}

fn elements_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.elements;
    (page.elements > limit)
        .then(|| Evidence::at("elements", page.elements.to_string()).expected(format!("{limit} or fewer")))
}

fn blocking(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let files = page.resources.iter().filter(|it| it.blocking).collect::<Vec<_>>();
    let first = files.first()?;
    let limit = site.limits.blocking as usize;
    (files.len() > limit).then(|| {
        Evidence::at(first.kind.as_str(), &first.url)
            .expected(format!("{limit} or fewer in the head"))
            .count(files.len())
    })
}
