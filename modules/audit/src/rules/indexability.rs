//! Rules about what keeps a page out of the index.

pub(super) mod directive;
pub(super) mod unmeant;

use kit::page::{PageFacts, Reason};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "indexability.noindex",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page forbids its indexing",
        explanation: "A noindex keeps the page out of results altogether; on pages that should be found it is the worst of faults.",
        advice: "Remove the directive if the page should be found; leave it if it should not, and stop linking to it from a sitemap.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/block-indexing",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 70,
        check: Check::Page(noindex),
    },
    Rule {
        id: "indexability.blocked",
        area: Area::Indexability,
        severity: Severity::Notice,
        scope: Scope::Address,
        threshold: None,
        title: "robots.txt keeps crawlers out",
        explanation: "The address is linked but may not be fetched (RFC 9309); it can still appear in results, without its text.",
        advice: "Allow the address in robots.txt, or let crawlers in and say noindex.",
        reference: "https://www.rfc-editor.org/rfc/rfc9309",
        operation: "indexing.robots.compose",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(blocked),
    },
    Rule {
        id: "indexability.conflict",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Robots directives contradict each other",
        explanation: "Of two directives that contradict each other the stricter one counts, which is seldom the one that was meant.",
        advice: "Keep one set of directives, in one place.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(conflict),
    },
    Rule {
        id: "indexability.nofollow",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page asks not to follow its links",
        explanation: "A nofollow for the whole page cuts everything it links to off from the page's authority.",
        advice: "Remove the directive; mark single links where it is meant.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(nofollow),
    },
    Rule {
        id: "indexability.meta_refresh",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page moves its visitors by a meta refresh",
        explanation: "A redirect in the markup is slower than one by status, breaks the back button, and older readers miss it.",
        advice: "Redirect with status 301 or 308.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(meta_refresh),
    },
    Rule {
        id: "indexability.robots_misplaced",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A robots element stands outside the head",
        explanation: "Directives belong into the head; in the body some crawlers obey them and others do not.",
        advice: "Move the element into the head, before anything that ends it.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(robots_misplaced),
    },
    Rule {
        id: "indexability.head_cut",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The head ends before its elements",
        explanation: "An element that does not belong into the head ends it; the metadata after it falls into the body and is ignored.",
        advice: "Move the element named here below the last element of the head.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(head_cut),
    },
    Rule {
        id: "indexability.noindex_canonical",
        area: Area::Indexability,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "noindex and a canonical on one page",
        explanation: "One says forget this page, the other says count it for that page; search engines must guess which is meant.",
        advice: "Keep the canonical for duplicates, noindex for pages that should not be found.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(noindex_canonical),
    },
];

/// Every directive of the page with where it stands.
fn directives(page: &PageFacts) -> impl Iterator<Item = (&'static str, &str)> {
    let meta = page.meta_robots.iter().map(|it| ("<meta name=\"robots\">", it.as_str()));
    let header = page.x_robots_tag.iter().map(|it| ("X-Robots-Tag", it.as_str()));
    meta.chain(header)
}

fn noindex(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, directive) = directives(page).find(|(_, it)| matches!(*it, "noindex" | "none"))?;
    Some(Evidence::at(element, directive).expected("no noindex, if the page should be found"))
}

fn blocked(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.indexability.reason == Reason::RobotsBlocked)
        .then(|| Evidence::at("robots.txt", "disallowed").expected("allowed, or not linked"))
}

fn conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let pairs = [("index", "noindex"), ("follow", "nofollow"), ("all", "none"), ("all", "noindex"), ("index", "none")];
    let has = |name: &str| directives(page).any(|(_, it)| it == name);
    let (permit, forbid) = pairs.into_iter().find(|(permit, forbid)| has(permit) && has(forbid))?;
    Some(Evidence::at("robots directives", format!("{permit}, {forbid}")).expected("one of the two"))
}

fn nofollow(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // `none` is noindex and nofollow; the page is then reported as noindex.
    let (element, directive) = directives(page).find(|(_, it)| *it == "nofollow")?;
    Some(Evidence::at(element, directive).expected("follow, which is the default"))
}

fn meta_refresh(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let refresh = page.meta_refresh.as_ref()?;
    let url = refresh.url.as_ref()?;
    let value = format!("{}; url={url}", refresh.seconds);
    Some(Evidence::at("<meta http-equiv=\"refresh\">", value).expected("a redirect by status"))
}

fn robots_misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let element = page.head_end.misplaced.iter().find(|it| *it == "meta:robots")?;
    Some(Evidence::at(element, "in the body").expected("in the head"))
}

fn head_cut(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let closed_by = page.head_end.closed_by.as_deref().filter(|_| !page.head_end.misplaced.is_empty())?;
    let lost = page.head_end.misplaced.join(", ");
    Some(
        Evidence::at(format!("<{closed_by}>"), lost)
            .expected("all of them in the head")
            .count(page.head_end.misplaced.len()),
    )
}

fn noindex_canonical(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    noindex(page, site)?;
    let canonical = page.canonicals.iter().filter_map(|it| it.url.as_ref()).find(|it| **it != page.final_url)?;
    Some(Evidence::at("<link rel=\"canonical\">", canonical).expected("a canonical or a noindex, not both"))
}
