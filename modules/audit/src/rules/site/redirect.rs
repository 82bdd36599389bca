//! Rules about where redirects lead when they are followed through the whole crawl.

use crate::evidence::Evidence;
use crate::index::{Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "redirect.chain" Response Warning Address Low 98 Site(chain);
    title "A redirect leads to another redirect";
    why "Every hop costs a visitor a round trip and a crawler a fetch; long chains are given up.";
    fix "cms.redirect.upsert" "Point the first address straight at the last one.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";

    "redirect.loop" Response Error Address Low 99 Site(circle);
    title "A redirect leads back to itself";
    why "No browser and no crawler can reach the page (RFC 9110 section 15.4 asks clients to detect and stop such cycles).";
    fix "cms.redirect.upsert" "Remove one of the redirects of the circle.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-15.4";

    "redirect.to_error" Response Error Address Low 98 Site(to_error);
    title "A redirect leads to an error";
    why "The visitor asks for one address and is sent to a page that is not there; what links gave to the first is lost.";
    fix "cms.redirect.upsert" "Redirect to a page that answers, or let the address answer 410.";
    see "https://developers.google.com/search/docs/crawling-indexing/http-network-errors";
}

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
