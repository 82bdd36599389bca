//! The rows of `search_console.gsc_daily` that this module reads. These rows are the contract that the module
//! `search_console` fulfils when it keeps what Google Search Console reports by day.
//!
//! One row for each website, day, page and query; and one with an empty `query` for the page's whole day, which is more
//! than the sum of its queries, since Google leaves rare queries out. Countries and devices are summed up. A day on which
//! a page was not shown has no row. The indexes `site_id_query_date` and `site_id_query_page_date` are part of it.

use sdk::prelude::*;
use sdk::{Fix, json};

use crate::stored::Website;

/// The operation that brings these rows.
pub(crate) const SYNC: &str = "search_console.sync.run";

/// What one page, or one query on it, got from Google's results on one day.
#[foreign(
    collection = "search_console.gsc_daily",
    may_be_missing,
    index(site_id, query, date),
    index(site_id, query, page, date)
)]
pub(crate) struct Daily {
    /// The website.
    pub(crate) site_id: String,
    /// The day, as Search Console counts it (Pacific time).
    pub(crate) date: Day,
    /// The page, normalised.
    pub(crate) page: String,
    /// The query; empty for all queries of the page together.
    #[serde(default)]
    pub(crate) query: String,
    /// Visits from results.
    pub(crate) clicks: u64,
    /// Times it was shown.
    pub(crate) impressions: u64,
    /// The mean position in results, weighted by impressions; 1 is the first.
    pub(crate) position: f64,
}

/// The last day that the website has search data of; none before the first sync.
pub(crate) fn last_day(cx: &Cx, site: &Id<Website>) -> Option<Day> {
    cx.records::<Daily>().by("site_id_query_date").equals(site).equals("").descending().first().map(|row| row.date)
}

/// The first day that the website has search data of; none before the first sync.
pub(crate) fn first_day(cx: &Cx, site: &Id<Website>) -> Option<Day> {
    cx.records::<Daily>().by("site_id_query_date").equals(site).equals("").first().map(|row| row.date)
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

/// The whole days of one page, from a day up to the day before `below`, the earliest first; at most 1,000.
pub(crate) fn days(cx: &Cx, site: &Id<Website>, page: &str, from: Day, below: Day) -> Result<Vec<Stored<Daily>>> {
    let query = cx.records::<Daily>().by("site_id_query_page_date").equals(site).equals("").equals(page);
    Ok(query.at_least(from).below(below).page(1_000u64, None)?.items)
}

/// The whole days of all pages, from a day up to the day before `below`, by day; at most `most` rows, and whether that was all.
pub(crate) fn all(
    cx: &Cx,
    site: &Id<Website>,
    from: Day,
    below: Day,
    most: usize,
    mut each: impl FnMut(&Daily),
) -> Result<bool> {
    let (mut cursor, mut left) = (None, most);
    loop {
        let query = cx.records::<Daily>().by("site_id_query_date").equals(site).equals("").at_least(from).below(below);
        let page = query.page(left.min(1_000) as u64, cursor)?;
        page.items.iter().for_each(|row| each(row));
        left -= page.items.len().min(left);
        cursor = page.next;
        if cursor.is_none() || left == 0 {
            return Ok(cursor.is_none());
        }
    }
}
