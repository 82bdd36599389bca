//! Citations, and tasks for people, as they are stored.

use sdk::prelude::*;

use crate::nap::compare::{Grades, Shown};

/// How a page was found.
#[value]
pub(crate) enum State {
    /// It speaks of this business.
    Found,
    /// It did, and does no longer.
    Gone,
    /// robots.txt does not let it be read: whether it is right is not known.
    Disallowed,
}

/// How a page links to the website.
#[value]
pub(crate) enum LinkState {
    Followed,
    Nofollow,
    /// It does not link.
    None,
}

/// A page that speaks of a location. Its id is made of the location and the address.
#[record(
    collection = "citations",
    thing = "citation",
    reference = "citation_ref",
    index(location, url),
    index(location, domain)
)]
pub(crate) struct Citation {
    pub(crate) location: String,
    pub(crate) url: String,
    /// The registrable domain.
    pub(crate) domain: String,
    pub(crate) state: State,
    pub(crate) shown: Shown,
    /// Null where the page could not be read.
    pub(crate) grades: Option<Grades>,
    pub(crate) link: LinkState,
    /// The page of the same domain that shows the same business.
    pub(crate) duplicate_of: Option<String>,
    /// Whether it was among search results for the business.
    pub(crate) in_search: bool,
    /// When it was looked at, in milliseconds since 1970 UTC.
    pub(crate) checked_ms: u64,
}

/// The id of a citation.
pub(crate) fn citation_id(location: &str, url: &str) -> Id<Citation> {
    let digest = kit::text::sha256(format!("{location}\n{url}").as_bytes());
    Id::new(kit::text::hex(&digest[..16]))
}

/// What the last scan of a location knew, under its reference.
#[record(collection = "citation_scans", thing = "location", reference = "location_ref")]
pub(crate) struct Scanned {
    /// When it ended, in milliseconds since 1970 UTC.
    pub(crate) ended_ms: u64,
    /// Domains among the results of the searches for the business, each with how many results; null where none were read.
    pub(crate) others_at: Option<Vec<(String, u32)>>,
    pub(crate) found: u64,
}

/// What is to be done at a directory.
#[value]
pub(crate) enum Work {
    /// The business is not there yet.
    Submit,
    /// Something is wrong there.
    Correct,
    /// It is right there, and nobody has taken it over.
    Claim,
    /// It is there twice.
    Merge,
}

/// Where a task stands.
#[value]
pub(crate) enum TaskState {
    Open,
    /// A scan has seen that all fields are right.
    Done,
}

/// A task for a person.
#[value]
pub(crate) struct Task {
    /// The domain.
    pub(crate) directory: String,
    pub(crate) work: Work,
    /// Where it is done.
    pub(crate) url: String,
    pub(crate) state: TaskState,
    /// Pages that show what is wrong.
    pub(crate) evidence: Vec<String>,
}

/// Tasks for people.
#[record(collection = "packs", thing = "pack", reference = "pack_ref", index(location, created_ms))]
pub(crate) struct Pack {
    pub(crate) location: String,
    pub(crate) created_ms: u64,
    pub(crate) tasks: Vec<Task>,
}
