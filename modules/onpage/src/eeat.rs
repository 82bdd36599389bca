//! The operation `onpage.eeat.check`: what a page shows of who stands behind it.

mod evidence;

use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live;
use crate::siblings;
use evidence::Evidence;
pub(crate) use evidence::Signal;
use site::Site;
use site::live::Seen;

#[args]
pub(crate) struct Check {
    url: Url,
    /// The website it belongs to, when it is one of yours.
    site_id: Option<Id<Site>>,
}

#[value]
pub(crate) struct Checked {
    evidence: Vec<Evidence>,
    /// From 0 to 100: the points of what was found, of all.
    score: u32,
    /// What was not found, the most points first.
    missing: Vec<Lacking>,
    page: Seen,
    degraded: Vec<Degraded>,
}

#[value]
struct Lacking {
    signal: Signal,
    points: u32,
    advice: String,
    /// The call that mends it or shows more.
    fix: Fix,
}

/// Collects trust evidence on a page: named author with profile, dates, reviewer, sources cited, contact, about and policy
/// links, ownership disclosure, each found or missing with its position.
///
/// The score counts what readers and machines can see on this page; it is no ranking factor of any search engine.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "does this page show expertise and trust",
        "E-E-A-T check of a page",
        "is the author named on this article",
        "does my page link to contact and privacy",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let site = siblings::website(cx, args.site_id.as_ref())?;
    let page = live::page(cx, &args.url, "/url")?;
    let evidence = evidence::collect(&page);
    let score = evidence.iter().filter(|it| it.found).map(|it| it.signal.points()).sum();
    let mut degraded = Vec::new();
    if site.is_none() {
        degraded.push(Degraded::new(
            "authors",
            "no site_id was given; with one, what is missing is tied to the website's authors",
        ));
    }
    let url = page.facts.final_url.as_str();
    let site_id = args.site_id.as_ref();
    let mut missing: Vec<Lacking> = evidence
        .iter()
        .filter(|it| !it.found)
        .map(|it| Lacking {
            signal: it.signal,
            points: it.signal.points(),
            advice: it.signal.advice().to_owned(),
            fix: fix(it.signal, url, site_id),
        })
        .collect();
    missing.sort_by_key(|it| u32::MAX - it.points);
    Ok(Checked { evidence, score, missing, page: page.seen(), degraded })
}

fn fix(signal: Signal, url: &str, site: Option<&Id<Site>>) -> Fix {
    match (signal, site) {
        (Signal::Author | Signal::AuthorProfile | Signal::Reviewer, Some(site)) => {
            Fix::new("authors.byline.audit", json!({ "site_id": site }))
        }
        (Signal::AuthorMarkup | Signal::Published | Signal::Modified, _) => {
            Fix::new("schema.markup.generate", json!({ "url": url, "type": "Article" }))
        }
        (Signal::PublisherMarkup, Some(site)) => Fix::new("schema.organization.generate", json!({ "site_id": site })),
        (Signal::Sources, Some(site)) => Fix::new("content.refresh.plan", json!({ "site_id": site, "url": url }))
            .if_served()
            .unwrap_or_else(|| Fix::on("onpage.link.check", url)),
        _ => Fix::on("onpage.link.check", url),
    }
}

#[cfg(test)]
mod tests;
