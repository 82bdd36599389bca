//! Rules about how a page declares its canonical address.

pub(super) mod series;
pub(super) mod target;

use kit::page::{Canonical, PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::fact::host;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "canonical.missing",
        area: Area::Canonical,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page names no canonical address",
        explanation: "Without one, every address with another parameter or slash is a page of its own until a search engine decides otherwise.",
        advice: "Add a canonical link to the page's own address.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(missing),
    },
    Rule {
        id: "canonical.multiple",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page names several canonical addresses",
        explanation: "When canonical links differ all of them are ignored (RFC 6596 knows one target).",
        advice: "Keep one.",
        reference: "https://www.rfc-editor.org/rfc/rfc6596",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Page(multiple),
    },
    Rule {
        id: "canonical.header_conflict",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Header and markup name different canonical addresses",
        explanation: "Two places, two answers; search engines drop both.",
        advice: "Send the canonical in one place only.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Page(header_conflict),
    },
    Rule {
        id: "canonical.relative",
        area: Area::Canonical,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical address is relative",
        explanation: "A relative address follows the page to any copy and test host, and then names the copy.",
        advice: "Write the whole address, with scheme and host.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(relative),
    },
    Rule {
        id: "canonical.misplaced",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical link stands in the body",
        explanation: "A canonical link counts in the head only; in the body it is ignored.",
        advice: "Move it into the head.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Page(misplaced),
    },
    Rule {
        id: "canonical.invalid",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical link holds no address",
        explanation: "A canonical that cannot be read is as good as none, and hides that there is none.",
        advice: "Write the page's own address.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Page(invalid),
    },
    Rule {
        id: "canonical.fragment",
        area: Area::Canonical,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical address has a fragment",
        explanation: "Search engines drop what follows the #; the canonical then names another address than was meant.",
        advice: "Leave the fragment out.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(fragment),
    },
    Rule {
        id: "canonical.insecure",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A secure page names an insecure canonical",
        explanation: "It asks search engines to show the http address although the page is served over https.",
        advice: "Write https in the canonical link.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.bulk_update",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Page(insecure),
    },
    Rule {
        id: "canonical.other_host",
        area: Area::Canonical,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The canonical address is on another host",
        explanation: "The page gives itself up for a page of another host; often a leftover of a move or a copied template.",
        advice: "Name the page's own address unless the copy is meant.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 75,
        check: Check::Page(other_host),
    },
];

const ELEMENT: &str = "<link rel=\"canonical\">";

/// The canonicals that count: those in the head.
fn declared(page: &PageFacts) -> impl Iterator<Item = &Canonical> {
    page.canonicals.iter().filter(|canonical| canonical.place == Place::Head)
}

/// The canonicals that count, of the head or of a header.
fn effective(page: &PageFacts) -> impl Iterator<Item = &Canonical> {
    page.canonicals.iter().filter(|canonical| canonical.place != Place::Body)
}

fn missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.canonicals.is_empty()).then(|| Evidence::absent(ELEMENT).expected(&page.final_url))
}

fn multiple(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let mut urls = declared(page).map(|it| it.url.as_ref().unwrap_or(&it.href)).collect::<Vec<_>>();
    urls.sort_unstable();
    urls.dedup();
    let value = urls.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ");
    (urls.len() > 1).then(|| Evidence::at(ELEMENT, value).expected("one").count(urls.len()))
}

fn header_conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let header = page.canonicals.iter().find(|it| it.place == Place::Header)?.url.as_ref()?;
    let head = declared(page).find_map(|it| it.url.as_ref())?;
    (header != head).then(|| Evidence::at("Link: rel=canonical", header).expected(head))
}

fn relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = effective(page).find(|it| it.url.is_some() && !it.href.trim().contains("://"))?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected(canonical.url.as_deref().unwrap_or_default()))
}

fn misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = page.canonicals.iter().find(|it| it.place == Place::Body)?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected("in the head"))
}

fn invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = effective(page).find(|it| it.url.is_none())?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected(&page.final_url))
}

fn fragment(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = effective(page).find(|it| it.href.contains('#'))?;
    let without = canonical.href.split('#').next().unwrap_or_default();
    Some(Evidence::at(ELEMENT, &canonical.href).expected(without))
}

fn insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let url = effective(page).filter_map(|it| it.url.as_ref()).find(|it| it.starts_with("http://"))?;
    page.final_url
        .starts_with("https://")
        .then(|| Evidence::at(ELEMENT, url).expected(url.replacen("http:", "https:", 1)))
}

fn other_host(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let own = host(&page.final_url)?;
    let url = effective(page).filter_map(|it| it.url.as_ref()).find(|it| host(it).is_some_and(|host| host != own))?;
    Some(Evidence::at(ELEMENT, url).expected(&page.final_url))
}
