//! The rows of `rankings.serps` that this module reads. These rows are the contract that the module `rankings`
//! fulfils when it keeps what a search engine showed for a keyword.
//!
//! One row for each snapshot: one keyword in one market on one day. The index `site_id_date` is part of it.

use sdk::prelude::*;

/// The operations that bring these rows, the first before the second.
pub(crate) const TRACK: &str = "rankings.tracker.create";
/// Runs a tracker's checks.
pub(crate) const CHECK: &str = "rankings.check.run";

/// What a search engine showed for a keyword.
#[foreign(collection = "rankings.serps", may_be_missing, index(site_id, date))]
pub(crate) struct Snapshot {
    /// The website that the keyword is tracked for.
    pub(crate) site_id: String,
    /// The keyword.
    pub(crate) keyword: String,
    /// Engine, place, language and device as one text, the same for every snapshot of one tracker.
    #[serde(default)]
    pub(crate) market: String,
    /// The day, in UTC.
    pub(crate) date: Day,
    /// Searches in a month, when they are known.
    #[serde(default)]
    pub(crate) volume: Option<u64>,
    /// The organic results, as far as the tracker looks.
    pub(crate) items: Vec<Shown>,
}

/// One organic result.
#[value]
pub(crate) struct Shown {
    /// From 1.
    pub(crate) position: u32,
    /// The page.
    pub(crate) url: String,
}
