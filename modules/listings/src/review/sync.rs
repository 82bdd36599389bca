//! The operation `listings.review.sync`.

use sdk::IsQueued;
use sdk::prelude::*;

use super::work::Payload;
use crate::place::Place;
use crate::stored::Location;

#[args]
pub(crate) struct Sync {
    /// The locations, as listed.
    location_refs: List<Id<Location>, 1, 200>,
}

/// A sync that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    location_count: u64,
}

/// Imports reviews and replies of locations and detects new, edited and removed ones.
///
/// A review counts as removed when a whole list of its location no longer has it; a list that breaks off removes nothing. Names of reviewers
/// are not kept: initials, and a mark by which two reviews of one person are told. At most 20,000 reviews of a location are read.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "locations", every = 10, most = location_refs),
    queued(step = "reviews"),
    result_operation = "account.job.get",
    side_effects = ["stores the reviews of the locations"],
    needs = ["store", "jobs", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/reviews",
    ],
    phrasings = ["import my google reviews", "sync reviews", "which reviews were removed", "fetch new reviews"],
    examples = [{ "location_refs": ["108800001.4503600001.con_1", "108800001.4503600002.con_1"] }]
)]
pub(crate) fn sync(cx: &Cx, args: Sync) -> Result<Answer<Started>> {
    let mut locations: Vec<Id<Location>> = Vec::new();
    for (at, reference) in args.location_refs.iter().enumerate() {
        Place::find(cx, reference, &format!("/location_refs/{at}"))?;
        if !locations.contains(reference) {
            locations.push(reference.clone());
        }
    }
    let count = locations.len() as u64;
    let job_ref = cx.jobs().enqueue("reviews", &Payload { locations })?;
    Ok(Answer::new(Started { job_ref, state: IsQueued::Queued, location_count: count }).units(count))
}
