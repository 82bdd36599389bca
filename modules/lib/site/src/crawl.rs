//! Crawls and what they recorded; which of a website's crawls is its newest.

use kit::crawled::{ExternalRecord, LinkRecord, PageRecord, RunRecord};
use sdk::json;
use sdk::prelude::*;
use sdk::{Basis, Fix};

use crate::Site;

/// Runs of a website that are looked at for one that has ended.
const RUNS: usize = 50;

/// A crawl.
#[foreign(collection = "crawl.runs", thing = "run", index(site_id))]
pub struct Run(pub RunRecord);

/// One address of a crawl, whole.
#[foreign(collection = "crawl.pages", thing = "page", index(run, seq))]
pub struct Crawled(pub PageRecord);

/// One link of a crawl.
#[foreign(collection = "crawl.links", thing = "link", index(run, source), index(run, target))]
pub struct Linked(pub LinkRecord);

/// An address outside the crawled website.
#[foreign(collection = "crawl.externals", thing = "external", index(run, state))]
pub struct External(pub ExternalRecord);

/// The crawl that a result rests on.
#[must_use]
pub fn basis(cx: &Cx, run: &Stored<Run>) -> Basis {
    Basis::of_run(run.id.as_str(), ended_at(run), cx.now(), run.0.is_complete())
}

/// When a crawl ended, or was asked for where that is not known.
#[must_use]
pub fn ended_at(run: &Run) -> Moment {
    Moment::from_millis(run.0.finished_ms.unwrap_or(run.0.created_ms))
}

/// Whether this is a crawl of a website whose pages can be read.
#[must_use]
pub fn is_readable(run: &Run) -> bool {
    run.0.kind.is_crawl() && run.0.is_readable()
}

/// The crawl of the argument `run_ref`, to be read: also while parts of it are fetched again.
///
/// # Errors
/// 404 for one that is not the customer's, 409 `not_a_crawl` for a check of listed addresses, 409 `run_unfinished` while
/// it has not ended.
pub fn readable(cx: &Cx, run: &Id<Run>) -> Result<Stored<Run>> {
    let run = given(cx, run)?;
    if run.0.is_readable() { Ok(run) } else { Err(unfinished(&run, "the crawl has not ended")) }
}

/// The crawl of the argument `run_ref`, to be worked through by a job: as [`readable`], and nothing of it changes now.
///
/// # Errors
/// As [`readable`]; 409 `run_unfinished` also while parts of it are fetched again.
pub fn at_rest(cx: &Cx, run: &Id<Run>) -> Result<Stored<Run>> {
    let run = given(cx, run)?;
    match (run.0.has_ended(), run.0.is_readable()) {
        (true, _) => Ok(run),
        (false, true) => Err(unfinished(&run, "parts of this crawl are being fetched again")),
        (false, false) => Err(unfinished(&run, "the crawl has not ended")),
    }
}

fn given(cx: &Cx, run: &Id<Run>) -> Result<Stored<Run>> {
    let run = cx.records::<Run>().get(run).map_err(|fault| fault.at("/run_ref"))?;
    if run.0.kind.is_crawl() {
        return Ok(run);
    }
    let message = "this is a check of listed addresses, not a crawl; crawl.page.list shows what it found";
    Err(Fault::conflict("not_a_crawl", message).at("/run_ref"))
}

fn unfinished(run: &Stored<Run>, what: &str) -> Fault {
    let message = format!("{what}; follow it with crawl.run.get and come back then");
    Fault::conflict("run_unfinished", message)
        .at("/run_ref")
        .detail(json!({ "operation_id": "crawl.run.get", "arguments": { "run_ref": run.id } }))
}

/// The crawls of a website that can be read, the newest first, among its last 50 runs.
pub fn crawls<'a>(cx: &'a Cx, site: &Id<Site>) -> impl Iterator<Item = Stored<Run>> + use<'a> {
    let runs = cx.records::<Run>().by("site_id").equals(site).descending().scan().take(RUNS);
    runs.filter(|run| is_readable(run))
}

/// The newest crawl of a website: ended by itself or stopped by the customer, no check of listed addresses, and not
/// being deleted.
#[must_use]
pub fn newest(cx: &Cx, site: &Id<Site>) -> Option<Stored<Run>> {
    crawls(cx, site).next()
}

/// As [`newest`], for what cannot be told without one.
///
/// # Errors
/// 409 `crawl_required` with the call that makes one.
pub fn required(cx: &Cx, site: &Id<Site>) -> Result<Stored<Run>> {
    newest(cx, site).ok_or_else(|| {
        let first = Fix::new("crawl.run.start", json!({ "site_id": site }));
        Fault::conflict("crawl_required", "no crawl of this website has ended yet; call crawl.run.start first")
            .at("/site_id")
            .detail(json!({ "operation_id": first.operation_id, "arguments": first.arguments }))
    })
}
