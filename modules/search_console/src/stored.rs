//! What this module stores beside the packs of figures: totals of days, and the state of each import.

use sdk::prelude::*;
use search::{DayRecord, SearchType};

/// The totals of one website, search type and day.
#[record(collection = "days", thing = "search_day", index(site_id, kind, date))]
pub(crate) struct Totals(pub(crate) DayRecord);

/// The import of one website and search type. Its id is `{site}:{type}`.
#[record(collection = "sync_state", thing = "sync", index(site_id, kind))]
pub(crate) struct Sync {
    /// The website.
    pub(crate) site_id: String,
    /// The search type, by its name.
    pub(crate) kind: String,
    /// The connection that the figures come through.
    pub(crate) connection_ref: String,
    /// The property, as Search Console names it.
    pub(crate) property: String,
    /// The job that imports, or did so last.
    pub(crate) job_ref: Option<Id<Job>>,
    /// When an import ended last, in milliseconds since 1970 UTC.
    pub(crate) synced_ms: Option<u64>,
    /// The first day that was ever imported.
    pub(crate) first: Option<Day>,
    /// The last day that was imported as final.
    pub(crate) last: Option<Day>,
    /// Days that Google did not answer for, after all retries.
    pub(crate) gaps: Vec<Day>,
    /// Rows whose clicks exceed their impressions or whose position is below 1, since the beginning.
    pub(crate) odd_rows: u64,
}

impl Sync {
    /// The id of its record.
    pub(crate) fn id(site: &str, kind: SearchType) -> Id<Self> {
        Id::new(format!("{site}:{}", kind.name()))
    }
}
