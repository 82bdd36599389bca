//! The stored figures of Google Search, as this module reads them: those by page of the library `search`.

use std::collections::{BTreeMap, BTreeSet};

use ::search::{Cut, Figures, Period, SearchType, parts};
use sdk::prelude::*;
use sdk::{Fix, json};
use site::Site;

use crate::stored::Website;

/// The operation that imports them.
pub(crate) const SYNC: &str = "search_console.sync.run";

/// What one page got from Google's results on one day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Daily {
    /// The day, as Search Console counts it (Pacific time).
    pub(crate) date: Day,
    /// Visits from results.
    pub(crate) clicks: u64,
    /// Times it was shown.
    pub(crate) impressions: u64,
    /// The sum of its positions; the mean is this by the impressions.
    pub(crate) positions: u64,
}

/// The last day that the website has search data of; none before the first import.
pub(crate) fn last_day(cx: &Cx, site: &Id<Website>) -> Option<Day> {
    ::search::last_day(cx, &own(site), SearchType::Web)
}

/// The first day that the website has search data of; none before the first import.
pub(crate) fn first_day(cx: &Cx, site: &Id<Website>) -> Option<Day> {
    ::search::first_day(cx, &own(site), SearchType::Web)
}

fn own(site: &Id<Website>) -> Id<Site> {
    Id::new(site.as_str())
}

/// The refusal of an operation that is nothing without search data.
pub(crate) fn lacking(site: &Id<Website>) -> Fault {
    let message = "no search data of this website is stored";
    let refusal = Fault::conflict("search_data_missing", message).at("/site_id");
    match Fix::new(SYNC, json!({ "site_id": site })).if_served() {
        Some(sync) => refusal.detail(json!(sync)),
        None => refusal,
    }
}

/// The days of some pages, from a day up to the day before `below`. Pages without a day are missing. `pointer` is the argument
/// that makes the period too wide to be read.
///
/// # Errors
/// 422 `period_too_wide`.
pub(crate) fn days(
    cx: &Cx,
    site: &Id<Website>,
    pages: &BTreeSet<String>,
    (from, below): (Day, Day),
    pointer: &str,
) -> Result<BTreeMap<String, Vec<Daily>>> {
    let site = own(site);
    let figures = Figures::of(cx, &site, SearchType::Web);
    let period = Period { first: from, last: below.plus(-1) };
    let mut found: BTreeMap<String, Vec<Daily>> = BTreeMap::new();
    let read = figures.by_day(Cut::Pages, period, b"", |key, date, it| {
        let page = parts(key).0;
        if pages.contains(page) {
            let day = Daily { date, clicks: it.clicks, impressions: it.impressions, positions: it.positions };
            found.entry(page.to_owned()).or_default().push(day);
        }
    });
    read.map_err(|why| why.at(pointer))?;
    Ok(found)
}

/// The clicks of each page, from a day up to the day before `below`.
///
/// # Errors
/// 422 `period_too_wide`.
pub(crate) fn clicks(
    cx: &Cx,
    site: &Id<Website>,
    (from, below): (Day, Day),
    pointer: &str,
) -> Result<BTreeMap<String, u64>> {
    let site = own(site);
    let figures = Figures::of(cx, &site, SearchType::Web);
    let mut clicks: BTreeMap<String, u64> = BTreeMap::new();
    let read = figures.sums(Cut::Pages, Period { first: from, last: below.plus(-1) }, b"", |key, sum| {
        *clicks.entry(parts(key).0.to_owned()).or_default() += sum.clicks;
    });
    read.map_err(|why| why.at(pointer))?;
    Ok(clicks)
}
