//! Totals of a day, as Google sums a property.

use sdk::prelude::*;
use site::Site;

use crate::{Period, SearchType};

/// Whether the figures of a day may change.
#[value]
#[derive(Default)]
pub enum DayState {
    /// Google no longer changes them.
    #[default]
    Final,
    /// Google still changes them.
    Fresh,
}

/// The totals of one website, search type and day. Its id is `{site}:{type}:{day}`.
#[value]
#[derive(Default)]
#[serde(default)]
pub struct DayRecord {
    /// The website.
    pub site_id: String,
    /// The search type, by its name.
    pub kind: String,
    /// The day in Pacific time, `YYYY-MM-DD`.
    pub date: String,
    /// Clicks.
    pub clicks: u64,
    /// Impressions, counted by property: two pages on one result page are one.
    pub impressions: u64,
    /// The sum of the positions of all impressions.
    pub positions: u64,
    /// Whether the figures are final.
    pub state: DayState,
    /// Clicks of the queries that Google names; `None` when queries were not imported for the day.
    pub known_clicks: Option<u64>,
    /// Impressions of these queries.
    pub known_impressions: Option<u64>,
    /// Whether Google returned as many queries as it ever does, so that known and rare ones cannot be told apart.
    pub capped: bool,
}

impl DayRecord {
    /// The id of its record.
    #[must_use]
    pub fn id(site: &str, kind: SearchType, day: Day) -> String {
        format!("{site}:{}:{day}", kind.name())
    }

    /// Its day; `None` when it cannot be read.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        self.date.parse().ok()
    }
}

/// The totals of a day, as modules other than `search_console` read them.
#[foreign(collection = "search_console.days", thing = "search_day", may_be_missing, index(site_id, kind, date))]
pub struct Days(pub DayRecord);

/// The totals of the days of a period, the earliest first. Days without a record are missing.
#[must_use]
pub fn days(cx: &Cx, site: &Id<Site>, kind: SearchType, period: Period) -> Vec<DayRecord> {
    cx.records::<Days>()
        .by("site_id_kind_date")
        .equals(site)
        .equals(kind.name())
        .at_least(period.first)
        .below(period.last.plus(1))
        .scan()
        .map(|row| row.it.0)
        .collect()
}

/// The first day that has figures; `None` before the first import.
#[must_use]
pub fn first_day(cx: &Cx, site: &Id<Site>, kind: SearchType) -> Option<Day> {
    cx.records::<Days>().by("site_id_kind_date").equals(site).equals(kind.name()).first()?.0.day()
}

/// The last day that has figures; `None` before the first import.
#[must_use]
pub fn last_day(cx: &Cx, site: &Id<Site>, kind: SearchType) -> Option<Day> {
    cx.records::<Days>().by("site_id_kind_date").equals(site).equals(kind.name()).descending().first()?.0.day()
}
