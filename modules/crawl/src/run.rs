//! Where crawls stand, and how they end.

pub(crate) mod again;
pub(crate) mod differences;
pub(crate) mod removal;
pub(crate) mod start;

use std::collections::BTreeMap;

use kit::crawled::{Again, Pace, RobotsSummary, RunState, Settings, StopReason, Totals};
use kit::url::normalize;
use sdk::JobState;
use sdk::Whole;
use sdk::prelude::*;

pub(crate) use again::Only;
pub(crate) use start::seeds;

use crate::stored::{Frontier, Known, Run, Site, Stop, Summary};

#[args]
pub(crate) struct Get {
    /// The crawl.
    run_ref: Id<Run>,
}

/// A crawl.
#[value]
pub(crate) struct View {
    /// The crawl.
    run_ref: Id<Run>,
    /// The website; null for a list of addresses that belongs to none.
    site_id: Option<Id<Site>>,
    /// The job that works on it.
    job_ref: Id<Job>,
    /// Where it began.
    origin: String,
    /// Where it stands.
    state: RunState,
    /// Why it ended.
    stop_reason: Option<StopReason>,
    /// When it was asked for.
    created_at: Moment,
    /// When the first page was fetched.
    started_at: Option<Moment>,
    /// When it ended.
    finished_at: Option<Moment>,
    /// When parts of it were last fetched again.
    recrawled_at: Option<Moment>,
    /// What that did, or has done so far.
    recrawled: Option<Again>,
    /// What was asked for.
    settings: Whole<Settings>,
    /// Names of the extraction rules that it runs on every page.
    extraction: Vec<String>,
    /// What was counted.
    totals: Totals,
    /// How many addresses answered with which status; key `0` is no answer.
    status_counts: BTreeMap<String, u64>,
    /// Failures without an answer, by class.
    errors: BTreeMap<String, u64>,
    /// Addresses fetched per depth, from 0; those that only sitemaps name are not among them.
    depth_histogram: Vec<u64>,
    /// The pace that the controller chose.
    pace: Pace,
    /// What robots.txt said.
    robots: Whole<RobotsSummary>,
}

/// Reads crawl progress and totals: fetched, queued, blocked, errors by class, pace, depths and stop reason.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["how far is the crawl", "is my crawl finished", "crawl progress and totals"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let run = live(cx, &args.run_ref)?;
    let state = current(cx, &run);
    let Stored { id, it: Run(run), .. } = run;
    let mut totals = run.totals;
    totals.queued = cx.records::<Frontier>().by("run_state_rank").equals(&id).equals(Known::Queued).count();
    Ok(View {
        run_ref: id,
        site_id: (!run.site_id.is_empty()).then(|| run.site_id.into()),
        job_ref: run.job_ref.into(),
        origin: run.origin,
        state,
        stop_reason: run.stop_reason,
        created_at: Moment::from_millis(run.created_ms),
        started_at: run.started_ms.map(Moment::from_millis),
        finished_at: run.finished_ms.map(Moment::from_millis),
        recrawled_at: run.recrawled_ms.map(Moment::from_millis),
        recrawled: run.again,
        settings: Whole(run.settings),
        extraction: run.extraction.into_iter().map(|rule| rule.name).collect(),
        totals,
        status_counts: run.status_counts,
        errors: run.failures,
        depth_histogram: run.depth_histogram,
        pace: run.pace,
        robots: Whole(run.robots),
    })
}

#[args(paged)]
pub(crate) struct ListArgs {
    /// The website.
    site_id: Id<Site>,
}

/// A crawl in a list.
#[value]
pub(crate) struct Line {
    /// The crawl.
    run_ref: Id<Run>,
    /// Where it stands.
    state: RunState,
    /// Why it ended.
    stop_reason: Option<StopReason>,
    /// When it was asked for.
    created_at: Moment,
    /// Milliseconds from the first page to the end, or to now.
    duration_ms: Option<u64>,
    /// What was asked for.
    settings: Whole<Settings>,
    /// What was counted when its last step ended.
    totals: Totals,
    /// Whether it is being deleted in parts: call crawl.run.delete until nothing is left.
    deleting: bool,
}

/// Crawls of a website.
#[page]
pub(crate) struct Runs {
    /// The newest first.
    runs: Vec<Line>,
    /// The recurring crawl of the website, if `crawl.schedule.set` has set one.
    schedule: Option<crate::schedule::Answer>,
}

/// Lists crawls of a website with settings, size, duration and headline counts.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["when was my site crawled", "list past crawls", "which crawl is the latest"],
    examples = [{ "site_id": "8123456789012345" }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Runs> {
    cx.records::<Site>().get(&args.site_id)?;
    let page = cx.records::<Run>().by("site_id").equals(&args.site_id).descending().page(args.limit, args.cursor)?;
    let now = cx.now().millis();
    let line = |run: Stored<Run>| {
        let state = current(cx, &run);
        let Stored { id, it: Run(run), .. } = run;
        let moving = matches!(state, RunState::Queued | RunState::Running);
        // Parts that are fetched again later do not make it longer.
        let end = run.finished_ms.or(moving.then_some(now));
        Line {
            run_ref: id,
            state,
            stop_reason: run.stop_reason,
            created_at: Moment::from_millis(run.created_ms),
            duration_ms: run.started_ms.zip(end).map(|(start, end)| end.saturating_sub(start)),
            settings: Whole(run.settings),
            totals: run.totals,
            deleting: run.deleting,
        }
    };
    let page = page.map(line);
    let schedule = crate::schedule::of(cx, &args.site_id);
    Ok(Runs { runs: page.items, schedule, next_cursor: page.next })
}

#[args]
pub(crate) struct StopArgs {
    /// The crawl.
    run_ref: Id<Run>,
}

/// A crawl that is being ended.
#[value]
pub(crate) struct Stopping {
    /// Where it stands now; crawl.run.get says `cancelled` once it has ended.
    state: RunState,
    /// Addresses fetched and kept so far.
    pages: u64,
    /// What these cost, in credits; the rest of what was set aside comes back.
    charge: f64,
}

/// Stops a crawl at its next step, keeps what was fetched and charges for that alone.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["the crawl cannot be taken up again"],
    phrasings = ["stop the running crawl", "cancel crawling my site"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn stop(cx: &Cx, args: StopArgs) -> Result<Stopping> {
    let run = live(cx, &args.run_ref)?;
    let state = current(cx, &run);
    if !matches!(state, RunState::Queued | RunState::Running) {
        return Err(Fault::conflict("run_ended", "this crawl has ended already"));
    }
    let id: Id<Stop> = run.id.cast();
    let wish = Stop { run: run.id.as_str().to_owned() };
    match cx.records::<Stop>().find(&id) {
        Some(known) => drop(cx.records::<Stop>().save(Stored { it: wish, ..known })?),
        None => drop(cx.records::<Stop>().insert_as(id, wish)?),
    }
    let pages = run.0.totals.fetched;
    Ok(Stopping { state, pages, charge: sdk::credits(pages) })
}

/// Where a run stands, its job considered: one whose job failed or was cancelled will not move again.
pub(crate) fn current(cx: &Cx, run: &Stored<Run>) -> RunState {
    if !matches!(run.0.state, RunState::Queued | RunState::Running) || run.0.job_ref.is_empty() {
        return run.0.state;
    }
    match cx.jobs().find(&Id::new(run.0.job_ref.clone())).map(|job| job.state) {
        Some(JobState::Failed) | None => RunState::Failed,
        Some(JobState::Cancelled) => RunState::Stopped,
        Some(_) => run.0.state,
    }
}

/// A crawl that is not being deleted.
pub(crate) fn live(cx: &Cx, id: &Id<Run>) -> Result<Stored<Run>> {
    let run = cx.records::<Run>().get(id)?;
    if run.0.deleting {
        let message = "this crawl is being deleted; crawl.run.delete goes on until nothing is left";
        return Err(Fault::not_found("run_not_found", message));
    }
    Ok(run)
}

/// What was worked out when a crawl ended; 409 while it has not.
pub(crate) fn summary(cx: &Cx, run: &Stored<Run>) -> Result<Summary> {
    let summary = cx.records::<Summary>().find(&run.id.cast()).map(Stored::into_inner);
    // Of a crawl of which parts are fetched again, the summary of before stands until the new one.
    let whole = summary.filter(|summary| summary.built_ms > 0 && run.0.is_readable());
    whole.ok_or_else(|| {
        let message =
            "this crawl has not ended, or it broke off before its summary was made; crawl.run.get says how it stands";
        Fault::conflict("crawl_not_summarised", message)
            .detail(sdk::json!({ "operation_id": "crawl.run.get", "arguments": { "run_ref": run.id } }))
    })
}

/// The normal form of an address given as an argument.
pub(crate) fn normal(url: &Url) -> String {
    normalize(url.as_str()).unwrap_or_else(|| url.as_str().to_owned())
}

/// A crawl given as an argument, or, without one, the latest that has pages.
pub(crate) fn given(cx: &Cx, run: Option<&Id<Run>>) -> Result<Stored<Run>> {
    if let Some(id) = run {
        return live(cx, id);
    }
    let recent = cx.records::<Run>().all().descending().page(50_u64, None)?;
    let found =
        recent.items.into_iter().find(|run| run.0.kind.is_crawl() && !run.0.deleting && run.0.totals.fetched > 0);
    found.ok_or_else(|| {
        Fault::not_found("run_not_found", "there is no crawl with pages yet; start one with crawl.run.start")
    })
}
