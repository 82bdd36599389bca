//! One page of a crawl, whole.

pub(crate) mod content;
pub(crate) mod finding;
mod glance;
pub(crate) mod listing;
mod selection;
mod shelves;

use kit::crawled::{Found, page_id};
use kit::page::{Hop, Indexability, PageFacts};
use sdk::prelude::*;

use crate::run;
use crate::stored::{Page as Crawled, Run};

/// Redirects followed when a chain is shown.
const MOST_HOPS: usize = 10;

#[args]
pub(crate) struct Get {
    /// The crawl; without it the latest that has pages.
    run_ref: Option<Id<Run>>,
    /// The address; it is normalised as the crawl does.
    url: Url,
}

/// Everything recorded about one address.
#[value]
pub(crate) struct Whole {
    /// The crawl.
    run_ref: Id<Run>,
    /// What was recorded; links are listed by crawl.link.list.
    page: sdk::Whole<PageFacts>,
    /// Links from a starting address.
    depth: u32,
    /// How it became known.
    found: Found,
    /// The page it was first found on.
    referrer: Option<String>,
    /// Whether a sitemap names it.
    in_sitemap: bool,
    /// When it was fetched.
    fetched_at: Moment,
    /// The redirects that begin here and the address they end at, each as recorded by the crawl.
    chain: Vec<Hop>,
    /// The head in one look.
    head: Head,
    /// Whether it may be indexed, and what decides it.
    indexability: Indexability,
    /// How many links of the crawl lead here.
    inlinks: u64,
}

/// The elements of a head that search engines read first.
#[value]
pub(crate) struct Head {
    /// The first title.
    title: Option<String>,
    /// The first description.
    description: Option<String>,
    /// The canonical that counts.
    canonical: Option<String>,
    /// Robots directives of markup and header.
    robots: Vec<String>,
    /// The language of the page.
    lang: Option<String>,
}

/// Returns everything recorded about one crawled URL: response chain, headers, head, headings, hashes, indexability.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["what did the crawl find on this page", "why is this url not indexable", "show headings and canonical of a page"],
    examples = [{ "url": "https://shop.example/" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Whole> {
    let run = run::given(cx, args.run_ref.as_ref())?;
    let url = run::normal(&args.url);
    let page = cx.records::<Crawled>().find(&Id::new(page_id(run.id.as_str(), &url)));
    let page = page.ok_or_else(|| {
        Fault::not_found("page_not_found", "this crawl has no such address; crawl.page.list shows those it has")
            .at("/url")
    })?;
    let page = page.into_inner().0;
    let inlinks = cx.records::<crate::stored::Linked>().by("run_target").equals(&run.id).equals(&url).count();
    let facts = page.facts;
    let head = Head {
        title: facts.titles.first().cloned(),
        description: facts.descriptions.first().cloned(),
        canonical: facts
            .canonicals
            .iter()
            .find(|one| one.place != kit::page::Place::Body)
            .and_then(|one| one.url.clone()),
        robots: facts.meta_robots.iter().chain(&facts.x_robots_tag).cloned().collect(),
        lang: facts.lang.clone(),
    };
    Ok(Whole {
        chain: chain(cx, run.id.as_str(), &facts),
        run_ref: run.id,
        depth: page.depth,
        found: page.found,
        referrer: page.referrer,
        in_sitemap: page.in_sitemap,
        fetched_at: Moment::from_millis(page.fetched_ms),
        head,
        indexability: facts.indexability,
        inlinks,
        page: sdk::Whole(facts),
    })
}

/// Follows recorded redirects to their end, a circle or an address that was not fetched.
pub(crate) fn chain(cx: &Cx, run: &str, facts: &PageFacts) -> Vec<Hop> {
    let mut hops: Vec<Hop> = Vec::new();
    let (mut url, mut status, mut next) = (facts.url.clone(), facts.status, facts.redirect_to.clone());
    while let Some(target) = next {
        hops.push(Hop { url: url.clone(), status, location: target.clone() });
        if hops.len() >= MOST_HOPS || hops.iter().any(|hop| hop.url == target) {
            break;
        }
        let Some(page) = cx.records::<Crawled>().find(&Id::new(page_id(run, &target))) else { break };
        (url, status, next) = (target, page.0.status, page.it.0.facts.redirect_to);
        if next.is_none() {
            hops.push(Hop { url: url.clone(), status, location: String::new() });
        }
    }
    hops
}
