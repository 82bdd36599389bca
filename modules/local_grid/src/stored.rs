//! The rows of this module, and what it reads of other modules.

use sdk::Degraded;
use sdk::prelude::*;

use crate::geodesy::Point;
use crate::layout::Grid;
use crate::metrics::Figures;
use crate::recognise::{Evidence, Matched, Rules};

/// A business whose places in map results are scanned.
#[record(collection = "businesses", thing = "business", reference = "business_ref", index(site_id))]
pub(crate) struct Business {
    /// The website it belongs to.
    pub(crate) site_id: String,
    /// How it is called.
    pub(crate) name: String,
    /// Where it stands, in words.
    pub(crate) address: Option<String>,
    /// Where it stands; no grid can be laid out without.
    pub(crate) point: Option<Point>,
    /// How it is recognised among results.
    pub(crate) rules: Rules,
    /// When it was added, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
}

/// Where a scan stands.
#[value]
pub(crate) enum State {
    /// Not begun.
    Queued,
    /// Pins are being asked.
    Running,
    /// Ended, with at least one finished pin.
    Succeeded,
    /// Ended without any.
    Failed,
    /// Stopped by the customer.
    Cancelled,
}

impl State {
    /// Whether more pins will be asked.
    pub(crate) const fn moves(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// One scan. Other modules read `site_id`, `finished_ms` and `solv`.
#[record(collection = "runs", index(site_id, finished_ms), index(business, created_ms), index(business, state))]
pub(crate) struct Run {
    /// The website.
    pub(crate) site_id: String,
    /// The business.
    pub(crate) business: String,
    /// Where it stands.
    pub(crate) state: State,
    /// What is searched for, in the order given.
    pub(crate) keywords: Vec<String>,
    /// Where pins are.
    pub(crate) grid: Grid,
    /// The middle of the grid: the business, when the scan was asked for.
    pub(crate) centre: Point,
    /// The language of the search.
    pub(crate) language: String,
    /// Results that are looked through.
    pub(crate) depth: u32,
    /// Scans with the same text are comparable: grid, middle, language.
    pub(crate) frame: String,
    /// How the business is recognised, as it was when the scan was asked for.
    pub(crate) rules: Rules,
    /// Pins of each keyword.
    pub(crate) pins: u32,
    /// The job.
    pub(crate) job_ref: String,
    /// When it was asked for, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// When the first pins were asked.
    pub(crate) started_ms: Option<u64>,
    /// When it ended.
    pub(crate) finished_ms: Option<u64>,
    /// Over all keywords.
    #[serde(default)]
    pub(crate) figures: Figures,
    /// The share of finished pins with the business among the first three, from 0 to 1; null without finished pins.
    pub(crate) solv: Option<f64>,
    /// By what the business was recognised, and in how many pins.
    #[serde(default)]
    pub(crate) evidence: Vec<Matched>,
    /// What the provider took for the tasks, in millionths of a US dollar.
    #[serde(default)]
    pub(crate) provider_cost_micros: u64,
    /// Different businesses seen.
    #[serde(default)]
    pub(crate) places: u32,
    /// What went wrong, in words.
    #[serde(default)]
    pub(crate) degraded: Vec<Degraded>,
}

impl Run {
    /// Pins of all keywords.
    pub(crate) fn all_pins(&self) -> u32 {
        self.pins * u32::try_from(self.keywords.len()).unwrap_or(1)
    }
}

/// What a scan found for one keyword. Its id is the run's and the keyword's number.
#[record(
    collection = "tallies",
    thing = "source",
    reference = "source_ref",
    index(run, number),
    index(site_id, run),
    index(business, run),
    index(business, finished_ms),
    index(business, keyword, finished_ms)
)]
pub(crate) struct Tally {
    /// The scan.
    pub(crate) run: String,
    /// The website.
    pub(crate) site_id: String,
    /// The business.
    pub(crate) business: String,
    /// The keyword's place in the scan's list.
    pub(crate) number: u32,
    /// The keyword.
    pub(crate) keyword: String,
    /// As the scan's.
    pub(crate) frame: String,
    /// When the scan ended.
    pub(crate) finished_ms: Option<u64>,
    /// For each pin what `metrics` says of it, in the order of the layout.
    pub(crate) placed: Vec<u8>,
    /// What comes of that.
    pub(crate) figures: Figures,
}

/// The id of a tally.
pub(crate) fn tally_id(run: &str, number: u32) -> Id<Tally> {
    Id::new(format!("{run}-{number}"))
}

/// Where a pin stands.
#[value]
pub(crate) enum Stage {
    /// Not asked yet.
    Waiting,
    /// The provider has its task.
    Posted,
    /// Nobody knows whether the provider has its task; its list of finished tasks will tell.
    Lost,
    /// Its results are known.
    Done,
    /// It was asked several times and has no result.
    Failed,
}

/// One pin of a scan and one keyword. Its id is the run's, the keyword's number and the pin's.
#[record(
    collection = "pins",
    index(run, stage, looked_ms),
    index(run, placed),
    index(run, keyword, placed),
    index(run, keyword, number)
)]
pub(crate) struct Pin {
    /// The scan.
    pub(crate) run: String,
    /// The keyword's number.
    pub(crate) keyword: u32,
    /// The pin's place in the layout.
    pub(crate) number: u32,
    /// Where it stands.
    pub(crate) stage: Stage,
    /// When it was asked or looked after last, in milliseconds since 1970 UTC.
    pub(crate) looked_ms: u64,
    /// Times that its task came to nothing.
    #[serde(default)]
    pub(crate) tries: u32,
    /// The provider's name of its task.
    pub(crate) task: Option<String>,
    /// What `metrics` says of it.
    #[serde(default)]
    pub(crate) placed: u8,
    /// The place of the business, as deep as was looked.
    pub(crate) rank: Option<u32>,
    /// By what it was recognised.
    pub(crate) evidence: Option<Evidence>,
    /// The number of the business itself among the places of the scan.
    pub(crate) own: Option<u32>,
    /// Numbers of the first 20 places, the best first.
    #[serde(default)]
    pub(crate) order: Vec<u32>,
    /// Why it failed.
    pub(crate) error: Option<String>,
}

/// The id of a pin.
pub(crate) fn pin_id(run: &str, keyword: u32, number: u32) -> Id<Pin> {
    Id::new(format!("{run}-{keyword}-{number}"))
}

/// A business that a scan has seen. Its id is the run's and its number.
#[record(collection = "places", index(run, number))]
pub(crate) struct Place {
    /// The scan.
    pub(crate) run: String,
    /// From 0, in the order of being seen.
    pub(crate) number: u32,
    /// What tells it from others: its place id, or its name and address.
    pub(crate) key: String,
    /// Its name.
    pub(crate) name: String,
    /// The category that is shown first.
    pub(crate) category: Option<String>,
    /// Stars, from 1 to 5.
    pub(crate) rating: Option<f64>,
    /// Ratings given.
    pub(crate) votes: Option<u64>,
    /// Its website.
    pub(crate) domain: Option<String>,
    /// Where it stands.
    pub(crate) point: Option<Point>,
}

/// The id of a place.
pub(crate) fn place_id(run: &str, number: u32) -> Id<Place> {
    Id::new(format!("{run}-{number}"))
}

/// The wish to end a scan, under the scan's own id; its next step sees it.
#[record(collection = "stops")]
pub(crate) struct Stop {
    /// When, in milliseconds since 1970 UTC.
    pub(crate) asked_ms: u64,
}

/// An event of a website.
#[foreign(collection = "websites.annotations", may_be_missing, index(site_id, date))]
pub(crate) struct Annotation {
    /// The website.
    pub(crate) site_id: String,
    /// The day, in UTC.
    pub(crate) date: Day,
    /// What happened.
    pub(crate) title: String,
}

/// A location of a connected business profile. The rows are the contract that the module `listings` fulfils.
#[foreign(collection = "listings.locations", may_be_missing, thing = "location", reference = "location_ref")]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Location {
    /// How it is called.
    pub(crate) name: String,
    /// Google's name of the place.
    pub(crate) place_id: Option<String>,
    /// Where it stands, in words.
    pub(crate) address: Option<String>,
    /// Degrees north.
    pub(crate) latitude: Option<f64>,
    /// Degrees east.
    pub(crate) longitude: Option<f64>,
    /// As the profile shows it.
    pub(crate) phone: Option<String>,
}
