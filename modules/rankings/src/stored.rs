//! What this module stores: trackers, their checks by day, and the newest result page of each keyword.

use sdk::prelude::*;
use serps::{Device, SnapshotRecord};

/// Keywords that one tracker checks, at most: what an order of 6 hours collects, 40 in a step.
pub(crate) const MAX_KEYWORDS: usize = 10_000;

/// A search engine.
#[value]
#[derive(Default)]
pub(crate) enum Engine {
    #[default]
    Google,
    Bing,
}

impl Engine {
    /// Its name, also in the provider's paths.
    pub(crate) fn name(self) -> &'static str {
        if self == Self::Google { "google" } else { "bing" }
    }
}

/// How often a tracker checks by itself.
#[value]
#[derive(Default)]
pub(crate) enum Often {
    /// Not at all.
    Off,
    Daily,
    #[default]
    Weekly,
    Monthly,
}

impl Often {
    /// Days between two checks, about; one for a tracker that is checked by hand.
    pub(crate) fn days(self) -> i32 {
        match self {
            Self::Off | Self::Daily => 1,
            Self::Weekly => 7,
            Self::Monthly => 31,
        }
    }
}

/// What the last check found.
#[value]
pub(crate) struct Latest {
    pub(crate) date: Day,
    /// Keywords that were looked at.
    pub(crate) keywords: u64,
    /// Of them, those for which the website was found.
    pub(crate) found: u64,
    /// The visibility index, 0 to 1; none for fewer than 20 keywords.
    pub(crate) visibility: Option<f64>,
}

/// A tracker: the keywords of a set, looked up in one market.
#[record(collection = "trackers", thing = "tracker", index(site_id, created_ms), index(set_ref))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Tracker {
    pub(crate) site_id: String,
    pub(crate) set_ref: String,
    pub(crate) engine: Engine,
    /// The place as the provider names it; two letters for a country.
    pub(crate) location: String,
    pub(crate) location_code: u32,
    /// The country of the place, ISO 3166-1 alpha-2.
    pub(crate) country: String,
    /// A tag of BCP 47.
    pub(crate) language: String,
    pub(crate) device: Device,
    pub(crate) depth: u32,
    pub(crate) every: Often,
    /// Registrable domains.
    pub(crate) competitors: Vec<String>,
    pub(crate) stop_when_found: bool,
    pub(crate) ai_overview: bool,
    pub(crate) pixels: bool,
    pub(crate) created_ms: u64,
    /// The job that checks, or did so last.
    pub(crate) job_ref: Option<Id<Job>>,
    pub(crate) latest: Option<Latest>,
    /// Being deleted in parts.
    pub(crate) deleting: bool,
}

impl Tracker {
    /// Its market as one text: engine, place, language and device.
    pub(crate) fn market(&self) -> String {
        serps::market(self.engine.name(), &self.location, &self.language, self.device)
    }

    /// Pages of ten results that the provider bills for each keyword.
    pub(crate) fn provider_pages(&self) -> u32 {
        self.depth.div_ceil(10)
    }
}

/// What a tracker saw on one day. Its id is [`check_id`]; its rows and pages are blobs (`rows.rs`, `pages.rs`).
#[record(collection = "checks", thing = "check", index(tracker, date))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Check {
    pub(crate) tracker: String,
    pub(crate) date: String,
    pub(crate) at_ms: u64,
    /// Rows of the day: keywords that were looked at or imported.
    pub(crate) rows: u64,
    /// Parts of rows that were written.
    pub(crate) parts: u32,
    /// Of them, those that the whole holds.
    pub(crate) merged: u32,
    /// Packs of pages that were written.
    pub(crate) packs: u32,
    /// Keywords without an answer of the provider.
    pub(crate) failed: u64,
    pub(crate) cost_micros: u64,
    /// The mean change of its pages since the check before; none when no two could be compared.
    pub(crate) volatility: Option<f64>,
    /// Pages that could be compared.
    pub(crate) compared: u64,
    /// Whether a job still adds to it.
    pub(crate) open: bool,
}

impl Check {
    /// Its day.
    pub(crate) fn day(&self) -> Day {
        self.date.parse().unwrap_or(Day::from_epoch(0))
    }
}

/// The id of a day's check.
pub(crate) fn check_id<T>(tracker: &Id<Tracker>, date: Day) -> Id<T> {
    Id::new(format!("{tracker}:{date}"))
}

/// The newest result page of a keyword, as other modules read it. Its id is [`serps::snapshot_id`] of tracker and keyword.
#[record(collection = "serps", thing = "snapshot", index(site_id, date), index(site_id, keyword), index(tracker_ref))]
pub(crate) struct Serp(pub(crate) SnapshotRecord);

/// A keyword set of the module `keywords`.
#[foreign(collection = "keywords.sets", thing = "set")]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Set {
    pub(crate) site_id: String,
    pub(crate) name: String,
    pub(crate) country: String,
    pub(crate) language: String,
    pub(crate) counts: Counts,
    pub(crate) clustered: Option<Clustered>,
    pub(crate) deleting: bool,
}

impl Set {
    /// Keywords that a tracker of it checks.
    pub(crate) fn checked(&self) -> u64 {
        self.counts.keywords.saturating_sub(self.counts.excluded).min(MAX_KEYWORDS as u64)
    }
}

/// Counts of a set.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Counts {
    pub(crate) keywords: u64,
    pub(crate) excluded: u64,
}

/// How a set was clustered last.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Clustered {
    pub(crate) generation: u64,
}

/// A keyword of a set.
#[foreign(collection = "keywords.keywords", thing = "keyword", may_be_missing, index(set, normal), index(set, order))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Keyword {
    pub(crate) set: String,
    pub(crate) keyword: String,
    pub(crate) normal: String,
    pub(crate) order: i64,
    pub(crate) tags: Vec<String>,
    pub(crate) chosen_intent: Option<String>,
    pub(crate) intent: Option<String>,
    pub(crate) excluded: bool,
    pub(crate) volume: Option<u64>,
}

/// A cluster of a set.
#[foreign(collection = "keywords.clusters", thing = "cluster", may_be_missing, index(set, generation, order))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Cluster {
    pub(crate) set: String,
    pub(crate) order: i64,
    pub(crate) generation: u64,
    pub(crate) name: String,
    pub(crate) members: Vec<String>,
}

/// The searches of a keyword by month.
#[foreign(collection = "keywords.months", thing = "months", may_be_missing)]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Months {
    /// The first month, counted from January of the year 0.
    pub(crate) first: u32,
    pub(crate) values: Vec<Option<u64>>,
}

/// The competitors of a website.
#[foreign(collection = "websites.competitors", thing = "competitors", reference = "site_id", may_be_missing)]
pub(crate) struct Competitors {
    pub(crate) domains: Vec<String>,
}

/// An event of a website.
#[foreign(collection = "websites.annotations", thing = "annotation", may_be_missing, index(site_id, date))]
pub(crate) struct Annotation {
    pub(crate) site_id: Id<site::Site>,
    pub(crate) date: Day,
    pub(crate) title: String,
    pub(crate) kind: String,
}
