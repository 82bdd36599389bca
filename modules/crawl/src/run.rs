//! Kept here: starting crawls and seeing where they stand.

pub(crate) mod again;
pub(crate) mod differences;
pub(crate) mod removal;

use std::collections::BTreeMap;

use kit::crawled::{Pace, RobotsSummary, RunRecord, RunState, Settings, StopReason, Totals};
use kit::url::{Url as Address, normalize, same_site};
use sdk::JobState;
use sdk::prelude::*;

pub(crate) use again::Only;

use crate::stored::{Extraction, Frontier, Known, Run, Site, Stop, Summary};
use crate::work::Payload;

/// What `crawl.run.start` takes.
#[args]
pub(crate) struct Start {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Fetch at most this many addresses.
    #[default(1000)]
    max_pages: Count<1, 100_000>,
    /// Follow at most this many links from a starting address.
    #[default(20)]
    max_depth: Count<0, 50>,
    /// Starting addresses beside the website's own; they must be of the website.
    seeds: Option<List<Url, 0, 100>>,
    /// Follow only addresses that match one of these. `*` is any text, `$` the end; with `/` first the path is
    /// compared from its beginning, with `://` the address, otherwise any part of it.
    include: Option<List<Text<1, 300>, 0, 50>>,
    /// Follow no address that matches one of these.
    exclude: Option<List<Text<1, 300>, 0, 50>>,
    /// Check whether links that leave the website lead anywhere.
    #[default(true)]
    check_external: bool,
    /// Keep the HTML of pages, for searches and extraction later.
    #[default(true)]
    store_html: bool,
    /// Requests a second at most; fewer when the site asks for it or suffers.
    #[default(2)]
    rate_rps: Decimal<100, 10_000>,
}

/// A crawl that was accepted.
#[value]
pub(crate) struct Started {
    /// The job.
    job_ref: Id<Job>,
    /// The crawl; follow it with crawl.run.get.
    run_ref: Id<Run>,
    /// Where it stands: queued.
    state: RunState,
    /// Credits set aside, in whole credits; only fetched pages are charged in the end.
    reserved_credits: u64,
}

/// Crawls a website breadth-first with robots.txt obeyed, polite pacing and sitemap seeding.
///
/// Addresses are normalised, redirects and canonicals followed, near-duplicates hashed, and every page is recorded
/// with some 60 fields. Links are followed whatever their `rel`, since robots.txt says what may be fetched; redirects
/// are pages of their own. The crawl begins at the rate asked for, slows down to half at each 429, 5xx or timeout,
/// and stops when the site answers with a challenge for people.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pages", every = 50, most = max_pages),
    native_price(unit = "pages", every = 1000, credits_milli = 1000, most = max_pages),
    queued(step = "run"),
    result_operation = "crawl.run.get",
    side_effects = ["fetches public pages of the website and, once each, addresses it links to", "stores pages, links and HTML"],
    needs = ["web", "jobs"],
    phrasings = ["crawl my website", "spider the site and list all pages", "fetch every page to find broken links", "start a site crawl"],
    examples = [{ "site_id": "8123456789012345" }, { "site_id": "8123456789012345", "max_pages": 300, "rate_rps": 5, "exclude": ["/tag/"] }]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Started> {
    let site = cx.records::<Site>().get(&args.site_id)?;
    let (origin, seeds) = seeds(&site, args.seeds.as_ref(), "/seeds")?;
    for state in [RunState::Queued, RunState::Running] {
        let running = cx.records::<Run>().by("site_id_state").equals(&args.site_id).equals(state).page(5_u64, None)?;
        if let Some(run) = running.items.into_iter().find(|run| current(cx, run) == state) {
            return Err(Fault::conflict(
                "crawl_running",
                "this website is being crawled; wait for that crawl or stop it",
            )
            .detail(sdk::json!({ "run_ref": run.id })));
        }
    }
    let texts = |list: Option<List<Text<1, 300>, 0, 50>>| -> Vec<String> {
        list.iter().flatten().map(|text| text.as_str().to_owned()).collect()
    };
    let max_pages = u32::try_from(args.max_pages.get()).unwrap_or(u32::MAX);
    let settings = Settings {
        max_pages,
        max_depth: u32::try_from(args.max_depth.get()).unwrap_or(u32::MAX),
        seeds,
        include: texts(args.include),
        exclude: texts(args.exclude),
        check_external: args.check_external,
        store_html: args.store_html,
        rate_millirps: thousandths(args.rate_rps.get()),
    };
    let run = cx.records::<Run>().insert(Run(RunRecord {
        site_id: args.site_id.as_str().to_owned(),
        origin: kit::url::origin(&origin),
        created_ms: cx.now().millis(),
        settings,
        extraction: cx.records::<Extraction>().find(&args.site_id.cast()).map(|it| it.it.rules).unwrap_or_default(),
        ..RunRecord::default()
    }))?;
    let job = cx.jobs().enqueue("run", &Payload { run: run.id.clone() })?;
    let run = cx.records::<Run>().update(&run.id, |it| it.0.job_ref = job.as_str().to_owned())?;
    Ok(Started {
        job_ref: job,
        run_ref: run.id,
        state: RunState::Queued,
        reserved_credits: u64::from(max_pages).div_ceil(1_000),
    })
}

/// The origin of a website, and starting addresses on it, normalised.
pub(crate) fn seeds(
    site: &Stored<Site>,
    asked: Option<&List<Url, 0, 100>>,
    pointer: &str,
) -> Result<(Address, Vec<String>)> {
    let origin = Address::parse(&site.origin)
        .map_err(|_| Fault::conflict("origin_unreadable", "the website's origin is not an address"))?;
    let mut seeds = Vec::new();
    for (at, seed) in asked.into_iter().flat_map(|list| list.iter()).enumerate() {
        let url = Address::parse(seed.as_str()).ok().filter(|url| same_site(&origin, url));
        let Some(url) = url.and_then(|url| kit::url::normal(&url)) else {
            let message = format!("a starting address must be on {:.200}", site.origin);
            return Err(Fault::invalid(format!("{pointer}/{at}"), "seed_off_site", message));
        };
        seeds.push(url);
    }
    Ok((origin, seeds))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 100 to 10,000 by its type")]
fn thousandths(rate: f64) -> u32 {
    (rate * 1_000.0).round() as u32
}

/// What `crawl.run.get` takes.
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
    /// The website.
    site_id: String,
    /// The job that works on it.
    job_ref: String,
    /// Where it began.
    origin: String,
    /// Where it stands.
    state: RunState,
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<StopReason>,
    /// When it was asked for.
    created: Moment,
    /// When the first page was fetched.
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<Moment>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<Moment>,
    /// When parts of it were last fetched again.
    #[serde(skip_serializing_if = "Option::is_none")]
    recrawled: Option<Moment>,
    /// What was asked for.
    settings: Settings,
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
    robots: RobotsSummary,
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
        site_id: run.site_id,
        job_ref: run.job_ref,
        origin: run.origin,
        state,
        stop_reason: run.stop_reason,
        created: Moment::from_millis(run.created_ms),
        started: run.started_ms.map(Moment::from_millis),
        finished: run.finished_ms.map(Moment::from_millis),
        recrawled: run.recrawled_ms.map(Moment::from_millis),
        settings: run.settings,
        extraction: run.extraction.into_iter().map(|rule| rule.name).collect(),
        totals,
        status_counts: run.status_counts,
        errors: run.failures,
        depth_histogram: run.depth_histogram,
        pace: run.pace,
        robots: run.robots,
    })
}

/// What `crawl.run.list` takes.
#[args]
pub(crate) struct ListArgs {
    /// The website.
    site_id: Id<Site>,
    /// At most this many.
    #[default(25)]
    limit: Count<1, 100>,
    /// The `next_cursor` of the page before.
    cursor: Option<Cursor>,
}

/// A crawl in a list.
#[value]
pub(crate) struct Line {
    /// The crawl.
    run_ref: Id<Run>,
    /// Where it stands.
    state: RunState,
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<StopReason>,
    /// When it was asked for.
    created: Moment,
    /// Milliseconds from the first page to the end, or to now.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// What was asked for.
    settings: Settings,
    /// What was counted when its last step ended.
    totals: Totals,
    /// Whether it is being deleted in parts: call crawl.run.delete until nothing is left.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
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
        let end = run.finished_ms.or(moving.then_some(now));
        Line {
            run_ref: id,
            state,
            stop_reason: run.stop_reason,
            created: Moment::from_millis(run.created_ms),
            duration_ms: run.started_ms.zip(end).map(|(start, end)| end.saturating_sub(start)),
            settings: run.settings,
            totals: run.totals,
            deleting: run.deleting,
        }
    };
    let page = page.map(line);
    let schedule = crate::schedule::of(cx, &args.site_id);
    Ok(Runs { runs: page.items, schedule, next_cursor: page.next })
}

/// What `crawl.run.stop` takes.
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
    /// What these cost, in whole credits; the rest of what was set aside comes back.
    charge: u64,
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
    Ok(Stopping { state, pages, charge: pages.div_ceil(1_000) })
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
    let whole =
        summary.filter(|summary| summary.built_ms > 0 && !matches!(run.0.state, RunState::Queued | RunState::Running));
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
