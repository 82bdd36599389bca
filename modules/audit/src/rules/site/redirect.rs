//! Rules about where redirects lead when they are followed through the whole crawl.

use crate::evidence::Evidence;
use crate::index::{Finding, SiteIndex};
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "redirect.chain",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Address,
        threshold: None,
        title: "A redirect leads to another redirect",
        explanation: "Every hop costs a visitor a round trip and a crawler a fetch; long chains are given up.",
        advice: "Point the first address straight at the last one.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 98,
        check: Check::Site(chain),
    },
    Rule {
        id: "redirect.loop",
        area: Area::Response,
        severity: Severity::Error,
        scope: Scope::Address,
        threshold: None,
        title: "A redirect leads back to itself",
        explanation: "No browser and no crawler can reach the page (RFC 9110 section 15.4 asks clients to detect and stop such cycles).",
        advice: "Remove one of the redirects of the circle.",
        reference: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 99,
        check: Check::Site(circle),
    },
    Rule {
        id: "redirect.to_error",
        area: Area::Response,
        severity: Severity::Error,
        scope: Scope::Address,
        threshold: None,
        title: "A redirect leads to an error",
        explanation: "The visitor asks for one address and is sent to a page that is not there; what links gave to the first is lost.",
        advice: "Redirect to a page that answers, or let the address answer 410.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 98,
        check: Check::Site(to_error),
    },
];

fn chain(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |chain| {
        (!chain.circular && chain.hops.len() > 1)
            .then(|| Evidence::at("Location", chain.hops.join(" -> ")).expected("one hop").count(chain.hops.len()))
    })
}

fn circle(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |chain| chain.circular.then(|| Evidence::at("Location", chain.hops.join(" -> ")).expected("a page")))
}

fn to_error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |chain| {
        let last = chain.last.filter(|last| last.fails())?;
        Some(Evidence::at("Location", &last.url).expected(format!("a page that answers 200, not {}", last.state())))
    })
}

fn each(index: &SiteIndex, judge: impl Fn(&crate::index::Chain<'_>) -> Option<Evidence>) -> Vec<Finding> {
    index
        .own()
        .filter(|entry| entry.redirects())
        .filter_map(|entry| Some(Finding { url: entry.url.clone(), evidence: judge(&index.chain(entry))? }))
        .collect()
}
