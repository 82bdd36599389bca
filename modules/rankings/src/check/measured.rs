//! What a result page says: the row of a keyword, and the snapshot that other modules read.

use kit::statistics::rank_biased_overlap;
use sdk::prelude::*;
use serps::{Feature, Page, SnapshotRecord, normal_address};

use crate::board::is_within;
use crate::rows::{At, Numbering, Row};
use crate::stored::Tracker;

/// Results that two pages are compared by when one comes, and the fewest of either.
const COMPARED: usize = 20;
const MIN_RESULTS: usize = 10;
/// The probability that a reader goes on to the next result.
pub(crate) const PERSISTENCE: f64 = 0.9;

/// The row of a page; `host` is that of the website.
pub(crate) fn row(
    keyword: &str,
    page: &Page,
    host: &str,
    depth: u32,
    numbering: &mut Numbering,
    at: Option<At>,
) -> Row {
    let own = page.best(|url| is_within(url, host));
    let mut features: Vec<(Feature, u32)> = Vec::new();
    let mut owned: Vec<Feature> = Vec::new();
    for element in &page.elements {
        if !features.iter().any(|it| it.0 == element.feature) {
            features.push((element.feature, element.absolute.unwrap_or(0)));
        }
        if !owned.contains(&element.feature) && element.urls.iter().any(|url| is_within(url, host)) {
            owned.push(element.feature);
        }
    }
    if page.results.iter().any(|it| it.sitelinks) {
        features.push((Feature::Sitelinks, 0));
    }
    if page.results.iter().any(|it| it.sitelinks && is_within(&it.url, host)) {
        owned.push(Feature::Sitelinks);
    }
    let mut domains: Vec<u32> = Vec::new();
    for result in &page.results {
        // A place that the page does not have is nobody's.
        let before = usize::try_from(result.position.saturating_sub(1)).unwrap_or(0);
        while domains.len() < before {
            domains.push(numbering.of(""));
        }
        domains.push(numbering.of(&result.url));
    }
    Row {
        keyword: keyword.to_owned(),
        position: own.map_or(0, |it| it.position),
        absolute: own.and_then(|it| it.absolute).unwrap_or(0),
        pixels: own.and_then(|it| it.pixels),
        url: own.map(|it| it.url.clone()),
        first: page.results.first().and_then(|it| it.absolute).unwrap_or(0),
        depth,
        features,
        owned,
        domains,
        change: None,
        imported: false,
        page: at,
    }
}

/// The newest page of a keyword as a record.
pub(crate) fn snapshot(
    tracker: &Stored<Tracker>,
    keyword: &str,
    page: &Page,
    date: Day,
    volume: Option<u64>,
) -> SnapshotRecord {
    let (market, depth) = (tracker.market(), tracker.depth);
    let mut it = SnapshotRecord::of(page, &tracker.site_id, keyword, &market, &tracker.country, date, depth);
    it.tracker_ref = tracker.id.to_string();
    it.volume = volume;
    it
}

/// The normal addresses of the first results.
fn addresses<'u>(urls: impl Iterator<Item = &'u str>) -> Vec<String> {
    urls.take(COMPARED).filter_map(normal_address).collect()
}

/// How much a page changed since the newest one before it: 1 less their rank-biased overlap (p = 0.9) over the first 20
/// results. `None` where the two say nothing: below 10 results, of another depth, or more than two runs apart.
pub(crate) fn change(tracker: &Tracker, before: &SnapshotRecord, page: &Page, date: Day) -> Option<f64> {
    let apart = date.since_epoch() - before.date.since_epoch();
    if apart < 1 || apart > 2 * tracker.every.days().max(1) || before.depth != tracker.depth {
        return None;
    }
    let (old, new) = (
        addresses(before.items.iter().map(|it| it.url.as_str())),
        addresses(page.results.iter().map(|it| it.url.as_str())),
    );
    (old.len() >= MIN_RESULTS && new.len() >= MIN_RESULTS).then(|| 1.0 - rank_biased_overlap(&old, &new, PERSISTENCE))
}
