//! Rules about pages of a series and their AMP versions.

use kit::page::{PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "amp.canonical_missing",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "An AMP page names no canonical",
        explanation: "Without it the AMP page and the page it stands for are two pages to a search engine.",
        advice: "Link to the page itself, or to its usual version, with rel=canonical.",
        reference: "https://amp.dev/documentation/guides-and-tutorials/learn/spec/amphtml",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(amp_canonical),
    },
    Rule {
        id: "pagination.self",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A page of a series names itself as the one beside it",
        explanation: "rel=next or rel=prev lead to the page itself, so the series never ends.",
        advice: "Name the page before and the page after; leave out what is not there.",
        reference: "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(own_neighbour),
    },
    Rule {
        id: "pagination.same",
        area: Area::Canonical,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page before and the page after are the same",
        explanation: "One of rel=next and rel=prev is wrong, and the series has no order.",
        advice: "Correct the one that is wrong.",
        reference: "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(same_neighbours),
    },
];

fn amp_canonical(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let named = page.canonicals.iter().any(|it| it.place != Place::Body);
    (page.markup.amp && !named).then(|| Evidence::absent("<link rel=\"canonical\">").expected("the page it stands for"))
}

fn neighbours(page: &PageFacts) -> impl Iterator<Item = (&'static str, &str)> {
    let next = page.next.as_deref().map(|url| ("<link rel=\"next\">", url));
    let prev = page.prev.as_deref().map(|url| ("<link rel=\"prev\">", url));
    next.into_iter().chain(prev)
}

fn own_neighbour(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, url) = neighbours(page).find(|(_, url)| *url == page.final_url)?;
    Some(Evidence::at(element, url).expected("another page of the series"))
}

fn same_neighbours(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (next, prev) = (page.next.as_deref()?, page.prev.as_deref()?);
    (next == prev && next != page.final_url)
        .then(|| Evidence::at("<link rel=\"prev\">", prev).expected("another page than the next one"))
}
