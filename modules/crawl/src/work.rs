//! The job: what one step of a crawl does, from its checkpoint to the next.
//!
//! A step commits all of its records together with its checkpoint or nothing at all, so one that is killed is simply
//! run again and nothing is counted twice.

mod budget;
mod columns;
mod crawl;
mod discover;
mod externals;
mod fetch;
mod follow;
mod graph;
mod index;
mod keep;
pub(crate) mod recrawl;
mod resources;
mod robots;
mod sitemaps;
mod summary;
mod visit;

pub(crate) use graph::scores_blob;
pub(crate) use index::{places_blob, segment_blob};
pub(crate) use keep::{Kept, Line, MainText, Text, facts_blob, graph_blob, short, text_blob};
pub(crate) use recrawl::{Again, MOST as MOST_AGAIN};
pub(crate) use summary::LEVELS;

use kit::crawled::StopReason;
use sdk::prelude::*;

use crate::stored::Run;
pub(crate) use crawl::Crawl;
pub(crate) use fetch::{head_is_doubtful, name as failure_name};

/// What the job is about.
#[value]
pub(crate) struct Payload {
    /// The run.
    pub(crate) run: Id<Run>,
}

/// Where a crawl stands between two steps. The addresses themselves are in the collection `frontier`.
#[value]
pub(crate) struct Checkpoint {
    /// What comes next.
    pub(crate) phase: Phase,
    /// Pages recorded.
    pub(crate) seq: u64,
    /// Addresses put in order of discovery.
    pub(crate) order: u64,
    /// Sitemaps to be read, with how many of their addresses are taken already.
    pub(crate) sitemaps: Vec<Pending>,
    /// Sitemap files read.
    pub(crate) files: u32,
    /// When the last request to the site began, in milliseconds since 1970 UTC.
    pub(crate) last_ms: u64,
    /// Whether something was left out because it is deeper than `max_depth`.
    pub(crate) too_deep: bool,
    /// Whether something was left out because there is more than one crawl takes up.
    #[serde(default)]
    pub(crate) too_many: bool,
    /// The page whose further links wait for the next step.
    #[serde(default)]
    pub(crate) aside: Option<Aside>,
    /// Challenges met in a row.
    pub(crate) challenged: u32,
    /// How the fetching of pages ended, once it has.
    pub(crate) ended: Option<StopReason>,
    /// Times in a row that the site asked for a pause.
    #[serde(default)]
    pub(crate) rests: u32,
    /// Whether pages of an ended crawl are fetched again.
    #[serde(default)]
    pub(crate) again: bool,
    /// Where the choice of these stands: a number in a list, and a cursor. The columns go on at the cursor too.
    #[serde(default)]
    pub(crate) chosen: u32,
    /// See `chosen`.
    pub(crate) cursor: Option<String>,
}

/// A page whose links do not fit into one step.
#[value]
pub(crate) struct Aside {
    /// Its address.
    pub(crate) url: String,
    /// Its depth.
    pub(crate) depth: u32,
}

/// A sitemap file to be read.
#[value]
pub(crate) struct Pending {
    /// Its address.
    pub(crate) url: String,
    /// Addresses of it that are taken already.
    pub(crate) taken: u32,
}

/// The parts of a crawl, in order.
#[value]
pub(crate) enum Phase {
    Robots,
    Sitemaps,
    Pages,
    Externals,
    Resources,
    Graph,
    Index,
    Summary,
    Columns,
    Ended,
}

/// What followers of the job see.
#[value]
pub(crate) struct Progress {
    /// What is being done.
    pub(crate) phase: Phase,
    /// Addresses fetched.
    pub(crate) fetched: u64,
    /// Not asked for because of robots.txt.
    pub(crate) blocked: u64,
    /// Milliseconds between two requests now.
    pub(crate) delay_ms: u64,
    /// What the next step waits for; null when it begins at once.
    pub(crate) waits_for: Option<Waits>,
}

/// Why a crawl asks nothing for a while.
#[value]
pub(crate) enum Waits {
    /// The site asked for a pause with `Retry-After`.
    RetryAfter,
    /// The delay between two requests, as the settings, the site's robots.txt or its trouble have it.
    Delay,
    /// Others ask the same host, or it wants to be left alone.
    Host,
}

/// The job's result.
#[value]
pub(crate) struct Outcome {
    /// The run.
    pub(crate) run_ref: Id<Run>,
    /// How it ended.
    pub(crate) stop_reason: StopReason,
    /// Addresses fetched.
    pub(crate) fetched: u64,
}

/// Fetches up to 50 pages and records them.
#[step]
fn work(cx: &Cx, payload: Payload, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let crawl = Crawl::load(cx, &payload.run, checkpoint)?;
    go_on(crawl)
}

/// One step of a crawl, or of fetching a part of it again.
fn go_on(mut crawl: Crawl<'_>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let cx = crawl.cx;
    let run_ref = crawl.run.id.clone();
    let asks =
        !matches!(crawl.point.phase, Phase::Graph | Phase::Index | Phase::Summary | Phase::Columns | Phase::Ended);
    if asks && crawl.is_stopped() {
        // What was fetched is still worked out; that asks nobody anything.
        crawl.point.ended = Some(StopReason::Stopped);
        crawl.point.phase = Phase::Graph;
    }
    while crawl.budget.lasts(cx) && crawl.pause_ms == 0 {
        match crawl.point.phase {
            Phase::Robots => crawl.begin()?,
            Phase::Sitemaps => crawl.read_sitemaps()?,
            Phase::Pages => crawl.visit_some()?,
            Phase::Externals => crawl.check_externals()?,
            Phase::Resources => crawl.check_resources()?,
            // Large pages have taken the fuel that this may need.
            Phase::Graph | Phase::Index | Phase::Summary | Phase::Columns if crawl.budget.has_read_much() => break,
            Phase::Graph => crawl.weigh_links()?,
            Phase::Index => crawl.index_texts()?,
            Phase::Summary => crawl.summarise()?,
            Phase::Columns => crawl.write_columns()?,
            Phase::Ended => break,
        }
    }
    let units = crawl.units;
    let pause = crawl.pause_ms;
    if crawl.point.phase == Phase::Ended {
        let reason = crawl.point.ended.unwrap_or(StopReason::Completed);
        crawl.end(reason);
        let (run, progress) = crawl.commit()?;
        let outcome = Outcome { run_ref, stop_reason: reason, fetched: run.totals.fetched };
        return Ok(Step::done(outcome, progress).units(units));
    }
    let point = crawl.point.clone();
    let (_, progress) = crawl.commit()?;
    Ok(Step::next(point, progress).after(pause).units(units))
}
