//! The operation `rankings.serp.compare`.

use std::collections::BTreeMap;

use kit::statistics::{rank_biased_overlap, round};
use sdk::Degraded;
use sdk::prelude::*;
use serps::{Feature, normal_address, registrable};

use crate::check::PERSISTENCE;
use crate::snapshot::{self, Snapshot};
use crate::stored::Serp;

#[args]
pub(crate) struct Compare {
    /// The first page: a `snapshot_ref` of rankings.serp.get, rankings.serp.live, rankings.position.list or
    /// rankings.position.history.get.
    a: Id<Serp>,
    /// The second page.
    b: Id<Serp>,
}

/// A side of the comparison.
#[value]
pub(crate) struct Side {
    keyword: String,
    date: Day,
    market: String,
    /// Organic results on it.
    results: u32,
}

/// A result of both pages on another place.
#[value]
pub(crate) struct Moved {
    url: String,
    from_position: u32,
    to_position: u32,
    /// Places gained; negative for lost ones.
    places: i64,
}

/// A result of one page.
#[value]
pub(crate) struct Alone {
    url: String,
    position: u32,
}

/// An element of one page alone.
#[value]
pub(crate) struct FeatureChange {
    feature: Feature,
    /// `appeared` or `gone`.
    #[own]
    change: String,
}

/// What differs between two result pages.
#[value]
pub(crate) struct Comparison {
    /// The rank-biased overlap of addresses (p = 0.9), 0 to 1; null when one page has no organic results.
    rbo: Option<f64>,
    /// The same of registrable domains.
    rbo_domains: Option<f64>,
    /// Places that are compared: as many as the shorter page was asked for.
    compared_depth: u32,
    sides: Vec<Side>,
    /// Those that gained or lost the most places first.
    moved: Vec<Moved>,
    /// Results of the second page alone.
    entered: Vec<Alone>,
    /// Results of the first page alone.
    left: Vec<Alone>,
    /// Results on the same place of both.
    unchanged_results: u32,
    features_changed: Vec<FeatureChange>,
    degraded: Vec<Degraded>,
}

/// Compares two result pages (dates, places or devices) with rank-biased overlap, entries, exits and feature changes.
///
/// Addresses are the same page without scheme, `www.`, fragment and tracking parameters. The overlap weighs the top most: the first
/// ten places have 86 % of it (Webber, Moffat and Zobel 2010).
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["compare two search result pages", "how did the serp change", "mobile versus desktop results", "did the results change after the update"],
    examples = [{ "a": "tracker_01:0123456789abcdef01234567:2026-09-01", "b": "tracker_01:0123456789abcdef01234567:2026-10-01" }]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Comparison> {
    let (a, b) = (snapshot::find(cx, &args.a, "/a")?, snapshot::find(cx, &args.b, "/b")?);
    let depth = a.depth.min(b.depth);
    let (one, two) = (places(&a, depth), places(&b, depth));
    let by_address = |of: &[(String, &str, u32)]| of.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    let domains = |of: &[(String, &str, u32)]| of.iter().filter_map(|it| registrable(it.1)).collect::<Vec<_>>();
    let overlap = |one: Vec<String>, two: Vec<String>| {
        let known = !one.is_empty() && !two.is_empty();
        known.then(|| round(rank_biased_overlap(&one, &two, PERSISTENCE), 6))
    };
    let before: BTreeMap<&str, u32> = one.iter().map(|it| (it.0.as_str(), it.2)).collect();
    let after: BTreeMap<&str, u32> = two.iter().map(|it| (it.0.as_str(), it.2)).collect();
    let mut moved: Vec<Moved> = Vec::new();
    let mut unchanged_results = 0;
    for (address, url, to_position) in &two {
        match before.get(address.as_str()) {
            Some(from) if from == to_position => unchanged_results += 1,
            Some(from) => moved.push(Moved {
                url: (*url).to_owned(),
                from_position: *from,
                to_position: *to_position,
                places: i64::from(*from) - i64::from(*to_position),
            }),
            None => {}
        }
    }
    moved.sort_by(|a, b| b.places.abs().cmp(&a.places.abs()).then_with(|| a.to_position.cmp(&b.to_position)));
    let alone = |of: &[(String, &str, u32)], other: &BTreeMap<&str, u32>| {
        let only = of.iter().filter(|it| !other.contains_key(it.0.as_str()));
        only.map(|it| Alone { url: it.1.to_owned(), position: it.2 }).collect::<Vec<_>>()
    };
    let (had, has) = (a.page.features(), b.page.features());
    let change = |feature: &Feature, change: &str| FeatureChange { feature: *feature, change: change.to_owned() };
    let mut features_changed: Vec<FeatureChange> =
        has.iter().filter(|it| !had.contains(it)).map(|it| change(it, "appeared")).collect();
    features_changed.extend(had.iter().filter(|it| !has.contains(it)).map(|it| change(it, "gone")));
    let mut degraded = Vec::new();
    if a.keyword != b.keyword {
        let why = format!("the pages are of two keywords, `{}` and `{}`", a.keyword, b.keyword);
        degraded.push(Degraded::new("comparison", why));
    }
    if a.depth != b.depth {
        let why = format!("one page has {} places and the other {}; the first {depth} are compared", a.depth, b.depth);
        degraded.push(Degraded::new("places", why));
    }
    Ok(Comparison {
        rbo: overlap(by_address(&one), by_address(&two)),
        rbo_domains: overlap(domains(&one), domains(&two)),
        compared_depth: depth,
        entered: alone(&two, &before),
        left: alone(&one, &after),
        moved,
        unchanged_results,
        features_changed,
        sides: [&a, &b].map(side).into_iter().collect(),
        degraded,
    })
}

/// The normal addresses of a page with their addresses and places, each once.
fn places(of: &Snapshot, depth: u32) -> Vec<(String, &str, u32)> {
    let mut found: Vec<(String, &str, u32)> = Vec::new();
    for it in of.page.results.iter().filter(|it| it.position <= depth) {
        if let Some(address) = normal_address(&it.url).filter(|address| !found.iter().any(|known| known.0 == *address))
        {
            found.push((address, &it.url, it.position));
        }
    }
    found
}

fn side(of: &Snapshot) -> Side {
    Side {
        keyword: of.keyword.clone(),
        date: of.date,
        market: of.market.clone(),
        results: u32::try_from(of.page.results.len()).unwrap_or(u32::MAX),
    }
}
