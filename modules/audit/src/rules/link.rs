//! Rules about the links that one page has.

pub(super) mod form;

use kit::page::{Link, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "links.none",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page links to no other page of the site",
        explanation: "Visitors and crawlers who arrive here can only go back.",
        advice: "Link to the pages a reader wants next.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.suggestion.for_page",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Page(none),
    },
    Rule {
        id: "links.too_many",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("links", links)),
        title: "The page has a great many links",
        explanation: "Each link gets a smaller share of attention and authority.",
        advice: "Move long lists to pages of their own.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.graph.simulate",
        effort: Effort::Medium,
        confidence: 55,
        check: Check::Page(too_many),
    },
    Rule {
        id: "links.uncrawlable",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Some links hold no address",
        explanation: "Crawlers follow a link only by its href; a script behind it is not followed.",
        advice: "Put the address into the href and let the script take over the click.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "onpage.link.check",
        effort: Effort::Medium,
        confidence: 80,
        check: Check::Page(uncrawlable),
    },
    Rule {
        id: "links.empty_anchor",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Some links have no text",
        explanation: "A link without a text tells neither readers nor crawlers where it leads (WCAG 2.2, 2.4.4).",
        advice: "Give the link a text, its picture an alt, or the link an aria-label.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context",
        operation: "onpage.link.check",
        effort: Effort::Medium,
        confidence: 85,
        check: Check::Page(empty_anchor),
    },
    Rule {
        id: "links.generic_anchor",
        area: Area::Links,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Some links say only 'click here'",
        explanation: "The words of a link describe its target; generic ones describe nothing.",
        advice: "Name the target in the link.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "links.anchor.report",
        effort: Effort::Medium,
        confidence: 85,
        check: Check::Links(generic_anchor),
    },
    Rule {
        id: "links.nofollow_internal",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Links to the own site are nofollow",
        explanation: "A nofollow inside the site throws authority away instead of sending it elsewhere.",
        advice: "Remove nofollow from links to your own pages.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",
        operation: "links.leak.report",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(nofollow_internal),
    },
    Rule {
        id: "links.insecure",
        area: Area::Links,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A secure page links to insecure pages of the site",
        explanation: "Each such link goes through a redirect and can be read and changed on the way.",
        advice: "Write https in the links.",
        reference: "https://web.dev/articles/enable-https",
        operation: "cms.link.replace",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(insecure),
    },
    Rule {
        id: "links.local",
        area: Area::Links,
        severity: Severity::Error,
        scope: Scope::Page,
        threshold: None,
        title: "The page links to a machine of its makers",
        explanation: "Addresses such as localhost or 192.168.0.5 work on the desk of the developer only.",
        advice: "Replace the address by the public one.",
        reference: "https://www.rfc-editor.org/rfc/rfc6761",
        operation: "cms.link.replace",
        effort: Effort::Low,
        confidence: 97,
        check: Check::Page(local),
    },
];

fn none(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.link_counts.internal == 0 && !page.truncated)
        .then(|| Evidence::at("<a href>", "0 internal links").expected("at least one"))
}

fn too_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let all = page.link_counts.internal + page.link_counts.external;
    let limit = site.limits.links;
    (all > limit).then(|| Evidence::at("<a href>", links(all)).expected(format!("{limit} or fewer")))
}

/// A number of links of one sort, with the first of them as it is written.
fn some(page: &PageFacts, count: u32, expected: &str, name: &str) -> Option<Evidence> {
    let first = page.markup.first(name).map_or_else(|| "<a href>".to_owned(), str::to_owned);
    (count > 0).then(|| Evidence::at(first, links(count)).expected(expected).count(count as usize))
}

fn links(count: u32) -> String {
    format!("{count} {}", if count == 1 { "link" } else { "links" })
}

fn uncrawlable(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.uncrawlable, "an http or https address", "uncrawlable")
}

fn empty_anchor(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.empty_anchor, "a text", "empty_anchor")
}

/// Whether the text of a link says anything of its target.
#[must_use]
pub(crate) fn says_something(anchor: &str) -> bool {
    !anchor.trim().is_empty() && !kit::anchor::is_generic(anchor)
}

fn generic_anchor(links: &[Link]) -> Option<Evidence> {
    let generic =
        |link: &&Link| !link.url.is_empty() && !link.anchor.trim().is_empty() && !says_something(&link.anchor);
    let count = links.iter().filter(generic).count();
    let first = links.iter().find(generic)?;
    Some(
        Evidence::at(format!("<a href>{}</a>", first.anchor), &first.href)
            .expected("a text that names the target")
            .count(count),
    )
}

fn nofollow_internal(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.internal_nofollow, "no nofollow", "internal_nofollow")
}

fn insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.insecure, "https", "insecure")
}

fn local(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.local, "a public address", "local")
}
