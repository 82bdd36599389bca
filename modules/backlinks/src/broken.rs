//! The operation `backlinks.broken.list`.

use std::collections::{BTreeMap, BTreeSet};

use addresses::Known as Crawled;
use kit::phrases::Rarity;
use kit::renames::{Known, Standing};
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, Next, json};
use site::Site;

use crate::given::Given;
use crate::link::bare;
use crate::listing::rating;

/// Pages of a crawl that replacements are looked for among.
const CANDIDATES: usize = 20_000;
/// Linking pages that a target is shown with.
const SAMPLES: usize = 3;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
}

/// What is wrong with a page that others link to.
#[value]
pub(crate) enum Problem {
    /// It answers 404 or 410.
    Gone,
    /// It answers 500 to 599, or not at all.
    Failing,
    /// It leads to another page, or to none that may be found.
    Redirects,
    /// It asks not to be indexed, or robots.txt forbids it.
    NotIndexable,
    /// Its canonical is another page.
    Canonicalised,
    /// The newest crawl does not know it.
    NotCrawled,
}

/// A page that others link to.
#[value]
pub(crate) struct Target {
    url: String,
    problem: Problem,
    /// Its status in the crawl; null where the crawl does not know it.
    status: Option<u16>,
    links: u64,
    followed_links: u64,
    domains: u64,
    /// The highest rating that a tool gives one of them, 0 to 100.
    best_rating: Option<u8>,
    sources: Vec<String>,
    /// The page that most likely took its place.
    replacement: Option<String>,
    /// How sure that is, 0 to 1.
    confidence: Option<f64>,
    fix: Option<Fix>,
}

/// Links that lead to nothing.
#[page]
pub(crate) struct Broken {
    /// Those with the most domains first.
    targets: Vec<Target>,
    total: u64,
    /// Links and domains that are lost by them, together.
    links: u64,
    domains: u64,
    crawl: Basis,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

#[derive(Default)]
struct Sum {
    links: u64,
    followed: u64,
    domains: BTreeSet<String>,
    rating: Option<u8>,
    sources: Vec<String>,
    url: String,
}

/// Lists backlinks pointing at missing, redirected-away or non-indexable pages with the best replacement and value at stake.
///
/// What a page is comes from the newest crawl. A page that the crawl does not know may be gone, or nothing links to it any more:
/// crawl.url.batch_check looks. Redirects count where they lead to a page that cannot be found in searches.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["backlinks to 404 pages", "broken backlinks", "reclaim lost link equity"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Broken> {
    let given = Given::of(cx, &args.site_id)?;
    let run = site::required(cx, &given.site.id)?;
    let pages = addresses::of(cx, &run.id);
    let by_url: BTreeMap<&str, &Crawled> = pages.all.iter().map(|it| (bare(&it.url), it)).collect();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    given.links.each(|link| {
        if link.target.is_empty() || link.is_lost() {
            return;
        }
        let it = sums.entry(bare(&link.target).to_owned()).or_default();
        if it.url.is_empty() {
            it.url.clone_from(&link.target);
        }
        it.links += 1;
        it.followed += u64::from(link.is_followed());
        it.rating = it.rating.max(rating(&link));
        if !it.domains.contains(link.domain()) {
            it.domains.insert(link.domain().to_owned());
        }
        if it.sources.len() < SAMPLES {
            it.sources.push(link.source);
        }
    })?;
    let mut found: Vec<(Problem, Option<u16>, Sum)> = Vec::new();
    for (key, sum) in sums {
        let page = by_url.get(key.as_str()).copied();
        if let Some(problem) = problem(page, &by_url) {
            found.push((problem, page.map(|it| it.status), sum));
        }
    }
    found.sort_by(|a, b| {
        let weight = |it: &Sum| (it.domains.len(), it.followed, it.links);
        weight(&b.2).cmp(&weight(&a.2)).then_with(|| a.2.url.cmp(&b.2.url))
    });
    let total = found.len() as u64;
    let links = found.iter().map(|it| it.2.links).sum();
    let domains = found.iter().flat_map(|it| &it.2.domains).collect::<BTreeSet<_>>().len() as u64;
    let unknown: Vec<String> =
        found.iter().filter(|it| matches!(it.0, Problem::NotCrawled)).map(|it| it.2.url.clone()).take(500).collect();
    let page = args.window(found)?;
    let indexable: Vec<Known> = pages
        .all
        .iter()
        .filter(|it| it.is_indexable())
        .take(CANDIDATES)
        .map(|it| Known { url: it.url.clone(), name: Vec::new() })
        .collect();
    let rarity = Rarity::default();
    let standing = Standing::new(&indexable, &rarity);
    let targets = page.items.into_iter().map(|(problem, status, sum)| {
        let lost = Known { url: sum.url.clone(), name: Vec::new() };
        let likely = standing.replacement(&lost).filter(|it| it.confidence >= 0.3);
        let replacement = likely.map(|it| indexable[it.page as usize].url.clone());
        Target {
            fix: fix(problem, &given.site.id, &sum.url, replacement.as_deref()),
            confidence: likely.map(|it| kit::statistics::round(it.confidence, 3)),
            replacement,
            problem,
            status: status.filter(|it| *it > 0),
            links: sum.links,
            followed_links: sum.followed,
            domains: sum.domains.len() as u64,
            best_rating: sum.rating,
            sources: sum.sources,
            url: sum.url,
        }
    });
    let targets = targets.collect();
    let mut degraded = given.degraded.clone();
    degraded.extend(pages.degraded.clone());
    let mut next = Vec::new();
    if !unknown.is_empty() {
        let check = json!({ "site_id": given.site.id, "urls": unknown });
        next.push(Next::new("crawl.url.batch_check", check, "looks at the linked pages that the crawl does not know"));
    }
    Ok(Broken {
        targets,
        next_cursor: page.next,
        total,
        links,
        domains,
        crawl: site::basis(cx, &run),
        basis: given.basis.clone(),
        degraded,
        next,
    })
}

/// What is wrong with a page; none where search engines may show it.
fn problem(page: Option<&Crawled>, by_url: &BTreeMap<&str, &Crawled>) -> Option<Problem> {
    let Some(page) = page else { return Some(Problem::NotCrawled) };
    match page.reason.as_str() {
        "ok" | "not_document" => None,
        "redirect" | "meta_refresh" => {
            let to = page.redirect_to.as_deref().and_then(kit::url::normalize);
            let end = to.and_then(|it| by_url.get(bare(&it)).copied());
            if end.is_some_and(Crawled::is_indexable) { None } else { Some(Problem::Redirects) }
        }
        "canonicalised" => Some(Problem::Canonicalised),
        "noindex" | "noindex_header" | "robots_blocked" => Some(Problem::NotIndexable),
        _ if page.is_gone() => Some(Problem::Gone),
        _ => Some(Problem::Failing),
    }
}

fn fix(problem: Problem, site: &Id<Site>, url: &str, replacement: Option<&str>) -> Option<Fix> {
    match (problem, replacement) {
        (Problem::Gone | Problem::Redirects, Some(to)) => {
            let redirects = json!([{ "from": url, "to": to, "code": 301 }]);
            Fix::new("cms.redirect.upsert", json!({ "site_id": site, "redirects": redirects })).if_served()
        }
        (Problem::NotCrawled, _) => {
            Fix::new("crawl.url.batch_check", json!({ "site_id": site, "urls": [url] })).if_served()
        }
        _ => Fix::on("indexing.url.check", url).if_served(),
    }
}
