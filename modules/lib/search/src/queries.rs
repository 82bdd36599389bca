//! The queries that a page is shown for.

use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use sdk::prelude::*;
use site::Site;

use crate::{Cut, Figures, Period, SearchType, key, last_day, parts};

/// Days that are counted.
const DAYS: i32 = 28;

/// A query that a page was shown for.
#[derive(Debug, Clone, PartialEq)]
pub struct PageQuery {
    /// As it was typed.
    pub query: String,
    /// Clicks on the page.
    pub clicks: u64,
    /// How often the page was shown.
    pub impressions: u64,
    /// The mean position of the page.
    pub position: f64,
}

/// The queries of a page in the last 28 stored days, those with the most clicks first, then with the most impressions; rare ones
/// are left out by Google. `None` where no figures by page and query are stored, so that nobody knows.
#[must_use]
pub fn page_queries(cx: &Cx, site: &Id<Site>, url: &str, most: usize) -> Option<Vec<PageQuery>> {
    let figures = Figures::of(cx, site, SearchType::Web);
    let period = Period::ending(last_day(cx, site, SearchType::Web)?, DAYS);
    if figures.stored_days(Cut::Details, period) == 0 {
        return None;
    }
    let mut sums: BTreeMap<String, Search> = BTreeMap::new();
    for address in spellings(url) {
        // The separator behind the address keeps out pages below it.
        let mut prefix = key([address.as_str()]);
        prefix.push(0);
        let read = figures.sums(Cut::Details, period, &prefix, |key, sum| {
            sums.entry(parts(key).1.to_owned()).or_default().add(&sum);
        });
        read.ok()?;
    }
    let query = |(query, sum): (String, Search)| {
        let (clicks, impressions) = (sum.clicks, sum.impressions);
        Some(PageQuery { query, clicks, impressions, position: sum.position()? })
    };
    let mut found: Vec<PageQuery> = sums.into_iter().filter_map(query).collect();
    found.sort_by(|a, b| (b.clicks, b.impressions).cmp(&(a.clicks, a.impressions)).then_with(|| a.query.cmp(&b.query)));
    found.truncate(most);
    Some(found)
}

/// The ways in which Google may write an address: as given, in its normal form, and without what stands behind `#`.
fn spellings(url: &str) -> Vec<String> {
    let bare = url.split('#').next().unwrap_or(url).to_owned();
    let mut all = vec![url.to_owned(), bare.clone()];
    all.extend(kit::url::normalize(&bare));
    all.sort();
    all.dedup();
    all
}
