//! The operation `indexing.url.inspect`.

use kit::page::Place;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use super::chain::{self, Block};
use crate::google;
use crate::inspection::Coverage;
use site::Site;

#[args]
pub(crate) struct Inspect {
    /// The website, as listed.
    site_id: Id<Site>,
    /// A page of it.
    url: Url,
}

/// What the page itself declares.
#[value]
pub(crate) struct Declared {
    /// 0 without an answer.
    status: u16,
    final_url: String,
    /// The canonical that it names; none without one.
    canonical: Option<String>,
    /// Whether it may be indexed.
    indexable: Option<bool>,
    /// What stands against it first.
    first_block: Option<Block>,
}

/// Something that Google and the page say differently.
#[value]
pub(crate) struct Disagreement {
    /// `canonical`, `indexable`, `robots`, `fetch` or `freshness`.
    about: String,
    google: String,
    page: String,
    /// What it most likely means.
    meaning: String,
}

/// What Google says of a page, beside what the page says.
#[value]
pub(crate) struct Inspected {
    google: Coverage,
    page: Declared,
    disagreements: Vec<Disagreement>,
    /// The property that was asked.
    property: String,
    inspected_at: Moment,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Calls Search Console URL Inspection for one URL and compares Google's canonical, crawl time and verdict with what the page itself declares.
///
/// It counts against Google's 2,000 inspections a day for a property. Nothing is stored: `indexing.inspection.run` keeps
/// what it asks.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 6),
    needs = ["web", "store", "connection:google_search_console"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_search_console.inspection POST /v1/urlInspection/index:inspect query",
    ],
    phrasings = [
        "what does google say about this page",
        "inspect this URL in search console",
        "which canonical did google choose",
        "when did google last crawl this page",
    ],
    examples = [{ "site_id": "4503599627370496", "url": "https://shop.example/lamps" }]
)]
pub(crate) fn inspect(cx: &Cx, args: Inspect) -> Result<Inspected> {
    let site = site::get(cx, &args.site_id)?;
    let url = kit::url::normalize(args.url.as_str()).unwrap_or_else(|| args.url.as_str().to_owned());
    if !site.has(&url) {
        let message = format!("the address is not one of this website, which is at {}", site.origin);
        return Err(Fault::invalid("/url", "url_not_of_site", message));
    }
    let reached = google::property(cx, &site)?;
    if !search::covers(&reached.property, &url) {
        let message = format!("the property {} does not cover the address", reached.property);
        return Err(Fault::invalid("/url", "url_not_of_property", message));
    }
    let said = google::coverage(cx.connections().send(&google::inspection(&reached, &url)))?;
    let walked = chain::walk(cx, &args.url, "Googlebot")?;
    let first_block = walked.chain.iter().find(|it| it.passed == Some(false)).map(|it| it.step);
    let canonicals = walked.facts.iter().flat_map(|it| &it.canonicals).filter(|it| it.place != Place::Body);
    let page = Declared {
        status: walked.status,
        final_url: walked.final_url.clone(),
        canonical: canonicals.filter_map(|it| it.url.clone()).next(),
        indexable: walked.verdict(),
        first_block,
    };
    let disagreements = compare(&said, &page, &url, cx.now());
    let mut next = Vec::new();
    if page.indexable == Some(false) {
        next.push(Fix::on("indexing.url.check", &url).because("shows what keeps the page out of the index"));
    }
    if page.indexable == Some(true) && !said.is_indexed() {
        next.push(
            Fix::new("indexing.priority.list", json!({ "site_id": site.id }))
                .because("shows which pages to get indexed first, and how"),
        );
    }
    Ok(Inspected {
        google: said,
        page,
        disagreements,
        property: reached.property,
        inspected_at: cx.now(),
        next,
        degraded: walked.degraded,
    })
}

/// How old a crawl of Google may be before what it says may be outdated: 30 days.
const OLD: u64 = 30 * 86_400_000;

fn compare(said: &Coverage, page: &Declared, url: &str, now: Moment) -> Vec<Disagreement> {
    let mut out = Vec::new();
    let mut tell = |about: &str, google: &str, page: &str, meaning: &str| {
        out.push(Disagreement {
            about: about.to_owned(),
            google: google.to_owned(),
            page: page.to_owned(),
            meaning: meaning.to_owned(),
        });
    };
    let normal = |it: &str| kit::url::normalize(it).unwrap_or_else(|| it.to_owned());
    let own = page.canonical.as_deref().map_or_else(|| url.to_owned(), normal);
    if let Some(chosen) = said.google_canonical.as_deref().map(normal).filter(|it| *it != own) {
        let meaning =
            "Google holds another page for the original: make the texts differ, or name that page as canonical";
        tell("canonical", &chosen, &own, meaning);
    }
    if let Some(seen) = said.user_canonical.as_deref().map(normal).filter(|it| page.canonical.is_some() && *it != own) {
        let meaning = "the canonical was changed since Google crawled the page";
        tell("canonical", &format!("saw {seen}"), &own, meaning);
    }
    let block = page.first_block.and_then(|it| serde_json::to_value(it).ok());
    let block = block.as_ref().and_then(|it| it.as_str()).unwrap_or("nothing").to_owned();
    match (said.is_indexed(), page.indexable) {
        (true, Some(false)) => {
            tell(
                "indexable",
                &said.coverage,
                &format!("blocked by {block}"),
                "Google will most likely drop it at its next crawl",
            );
        }
        (false, Some(true)) if said.indexing.starts_with("BLOCKED") => {
            tell(
                "indexable",
                &said.indexing,
                "nothing stands against it",
                "the block was lifted since Google crawled the page",
            );
        }
        _ => {}
    }
    if said.robots == "DISALLOWED" && page.indexable.is_some() && page.first_block != Some(Block::Robots) {
        tell(
            "robots",
            "forbidden by robots.txt",
            "allowed now",
            "robots.txt was changed since Google crawled the page",
        );
    }
    let failed = !matches!(said.fetch.as_str(), "SUCCESSFUL" | "" | "PAGE_FETCH_STATE_UNSPECIFIED");
    if failed && (200..300).contains(&page.status) {
        let answers = format!("status {}", page.status);
        tell("fetch", &said.fetch, &answers, "the page failed when Google came, and answers now");
    }
    if let Some(at) = said.last_crawled_at.filter(|it| now.since(*it) > OLD) {
        tell("freshness", &format!("crawled {at}"), "now", "what Google says may be outdated");
    }
    out
}
