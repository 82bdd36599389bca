//! The operation `search_console.striking_distance.list`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::{Cut, Measurement, SearchType, parts};
use site::Site;

use crate::brand::Brand;
use crate::given::Given;
use site::pages::{Contains, Crawl};

/// Positions that are within reach of the first ones.
const REACH: std::ops::Range<f64> = 3.5..20.5;
/// Links to a page below which more of them are proposed.
const FEW_LINKS: usize = 3;

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// Only queries with at least this many impressions on their page.
    #[default(50)]
    min_impressions: Count<1, 1_000_000>,
    /// The position that clicks are computed for.
    #[default(3)]
    target_position: Count<1, 5>,
    /// Queries that name the brand too.
    #[default(false)]
    include_brand: bool,
}

/// A query that could be clicked more.
#[value]
pub(crate) struct Query {
    query: String,
    /// The page that is clicked most for it, else shown most.
    page: String,
    /// The mean position of that page for the query.
    position: f64,
    impressions: u64,
    clicks: u64,
    /// Clicks that the target position would bring beside those of now, in a period of the same length.
    potential_clicks: f64,
    /// What the page lacks for the query: `not_in_title`, `not_in_headings`, `not_in_text`, `few_inlinks`, `not_crawled`.
    #[own]
    gaps: Vec<String>,
    /// What examines the page for the query.
    fix: Option<Fix>,
}

/// Queries within reach.
#[page]
pub(crate) struct Queries {
    /// Those with the most clicks to gain first.
    rows: Vec<Query>,
    /// Queries in all.
    total: u64,
    /// Clicks to gain in all.
    potential_clicks: f64,
    /// The click rates by position that clicks are computed with.
    #[own]
    curve: String,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists queries at positions 4-20 with the clicks a move to a chosen position would bring, the page, and on-page gaps found for it.
///
/// A query that is clicked more than its position explains keeps that: its potential is the click rate at the target less the
/// larger of its own and the expected one.
#[operation(
    read,
    scope = "seo:analyze",
    cost = list,
    needs = ["store"],
    phrasings = [
        "keywords on page two that I could push up",
        "striking distance keywords",
        "queries just below the first search results",
        "which queries could bring more clicks with a better ranking",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "target_position": 1, "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Queries> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Details, period)?;
    let mut by_query: BTreeMap<String, BTreeMap<String, Search>> = BTreeMap::new();
    let mut keys = 0;
    let read = given.figures.sums(Cut::Details, period, b"", |key, sum| {
        let (page, query) = parts(key);
        if keys <= crate::given::MAX_GROUPS {
            by_query.entry(query.to_owned()).or_default().entry(page.to_owned()).or_default().add(&sum);
        }
        keys += 1;
    });
    read.map_err(Given::unread)?;
    crate::given::within_bounds(keys)?;
    let (curve, curve_name) = given.curve(period);
    let brand = Brand::of(&given.site);
    let target = curve.at(as_number(u64::from(args.target_position)));
    let least = u64::from(args.min_impressions);
    let mut rows: Vec<(f64, String, String, Search)> = Vec::new();
    for (query, pages) in by_query {
        let best =
            pages.into_iter().max_by_key(|(page, it)| (it.clicks, it.impressions, std::cmp::Reverse(page.clone())));
        let Some((page, figures)) = best else { continue };
        let Some(position) = figures.position().filter(|it| REACH.contains(it)) else { continue };
        if figures.impressions < least || (!args.include_brand && brand.has(&query)) {
            continue;
        }
        let now = figures.click_rate().unwrap_or(0.0).max(curve.at(position));
        let potential = as_number(figures.impressions) * (target - now).max(0.0);
        if potential > 0.0 {
            rows.push((potential, query, page, figures));
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let total = rows.len() as u64;
    let all: f64 = rows.iter().map(|it| it.0).sum();
    let page = args.window(rows)?;
    let crawl = Crawl::newest(cx, &given.site.id);
    if crawl.is_none() {
        let why = "no crawl of the website has ended, so its pages are not known";
        let arguments = json!({ "site_id": given.site.id });
        given.degraded.push(Degraded::new("gaps", why).supplied_by("crawl.run.start", arguments));
    }
    let shown = page.items.into_iter().map(|(potential, query, url, figures)| Query {
        gaps: crawl.as_ref().map(|crawl| gaps(crawl, &url, &query)).unwrap_or_default(),
        position: round(figures.position().unwrap_or(0.0), 2),
        impressions: figures.impressions,
        clicks: figures.clicks,
        potential_clicks: round(potential, 1),
        fix: site::examine(&url, Some(&query)),
        query,
        page: url,
    });
    let rows = shown.collect();
    Ok(Queries {
        rows,
        next_cursor: page.next,
        total,
        potential_clicks: round(all, 1),
        curve: curve_name.to_owned(),
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// What a page lacks for a query.
fn gaps(crawl: &Crawl<'_>, url: &str, query: &str) -> Vec<String> {
    let Some(page) = crawl.page(url) else { return vec!["not_crawled".to_owned()] };
    let lacks = |text: &str| !matches!(crawl.contains(text, query, &page.language), Contains::Exact | Contains::All);
    let mut gaps = Vec::new();
    for (name, missing) in [
        ("not_in_title", lacks(page.title.as_deref().unwrap_or_default())),
        ("not_in_headings", lacks(&page.headings)),
        ("not_in_text", lacks(&page.plain)),
        ("few_inlinks", crawl.inlinks(url, FEW_LINKS) < FEW_LINKS),
    ] {
        if missing {
            gaps.push(name.to_owned());
        }
    }
    gaps
}
