//! The operation `search_console.sync.run`.

use sdk::prelude::*;
use sdk::{Cadence, Every, JobState, Planned, json};
use search::{Cut, SearchType};
use site::Site;

use crate::google;
use crate::stored::Sync;
use crate::sync::work::Payload;

/// The schedule starts at 14:00 UTC: Pacific days end at 07:00 or 08:00, and by then the third day before is final.
const MINUTE: u32 = 14 * 60;
/// Minutes over which the schedules of all websites are spread.
const SPREAD: u64 = 120;
/// Days before the last final one that a later import asks for again, because Google corrects them.
const AGAIN: i32 = 3;

/// A dimension of figures.
#[value]
pub(crate) enum Dimension {
    Query,
    Page,
    Country,
    Device,
    Appearance,
}

/// Whether the import goes on by itself.
#[value]
pub(crate) enum Repeat {
    Off,
    Daily,
}

#[args]
pub(crate) struct Run {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; the day after the last import less 3 days when left out, and 16 months ago before the first one.
    from: Option<Day>,
    /// The last day; the last one with final figures when left out, two days ago in Pacific time.
    to: Option<Day>,
    /// The dimensions to import; all when left out. `query` with `page` imports the queries of each page, `country` or
    /// `device` with `page` the markets of each page.
    dimensions: Option<List<Dimension, 1, 5>>,
    /// The search type.
    #[serde(rename = "type")]
    #[default("web")]
    kind: SearchType,
    /// Import figures of the last days too that Google still changes; they are imported again until they are final.
    #[default(false)]
    include_fresh: bool,
    /// Whether the import is repeated every day from now on; `off` ends the repetition.
    #[default("daily")]
    every: Repeat,
}

/// A job that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: JobState,
    /// The property that is asked.
    property: String,
    /// The first day that is imported.
    from: Day,
    /// The last day that is imported.
    to: Day,
    /// When the import is repeated; null when it is not.
    next_sync_at: Option<Moment>,
}

/// Imports Search Console performance by day, page, query, country and device (up to 16 months, paged at 25,000 rows) and keeps it beyond Google's window.
///
/// The newest month comes first, so that reports can be asked after the first minute. Google returns at most 50,000 rows a
/// day and search type and leaves rare queries out; `search_console.sync.status.get` says how much that is. A day is
/// replaced as a whole, so an import can be repeated. When Google's quota is used up, the job waits.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "rows", every = 100_000, most = 2_000_000),
    queued(step = "sync"),
    result_operation = "account.job.get",
    side_effects = [
        "uses the quota of your Search Console property",
        "stores its figures",
        "is repeated every day unless `every` is `off`",
    ],
    needs = ["store", "jobs", "connection:google_search_console"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_search_console POST /webmasters/v3/sites/*/searchAnalytics/query query",
    ],
    phrasings = [
        "import my search console data",
        "sync google search console",
        "keep my search console history for longer than 16 months",
        "download clicks and impressions from google",
        "refresh the search data of my site",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "from": "2026-08-01", "to": "2026-08-31", "dimensions": ["page"], "every": "off" },
    ]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Started> {
    let site = site::get(cx, &args.site_id)?;
    let kind = args.kind;
    let id = Sync::id(site.id.as_str(), kind);
    let before = cx.records::<Sync>().find(&id);
    if let Some(job) = before.as_ref().and_then(|it| it.job_ref.as_ref()).filter(|job| is_running(cx, job)) {
        let message = "an import of this website is running; wait for it or stop it with account.job.cancel";
        return Err(Fault::conflict("sync_running", message).at("/site_id").detail(json!({ "job_ref": job })));
    }
    let today = google::today(cx);
    let kept = google::first_kept(today);
    let to = args.to.unwrap_or_else(|| if args.include_fresh { today } else { today.plus(-2) }).min(today);
    let from = args.from.unwrap_or_else(|| {
        let last = before.as_ref().and_then(|it| it.last);
        last.map_or(kept, |last| last.plus(1 - AGAIN)).max(kept).min(to)
    });
    if from > to {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    if from < kept {
        let message = format!("Search Console keeps 16 months; the first day that it has is {kept}");
        return Err(Fault::invalid("/from", "older_than_google_keeps", message));
    }
    let cuts = cuts(args.dimensions.as_ref(), kind)?;
    let why = "search figures come from the property of the website in Search Console";
    let reached = search::property(cx, &site, why)?;
    let property = reached.property.clone();
    let names = cuts.iter().map(|cut| cut.name().to_owned()).collect();
    let payload = Payload {
        site_id: site.id.clone(),
        kind,
        reached: reached.clone(),
        from,
        to,
        cuts: names,
        fresh: args.include_fresh,
    };
    let job_ref = cx.jobs().enqueue("sync", &payload)?;
    let mut state = before.map_or_else(
        || Sync {
            site_id: site.id.to_string(),
            kind: kind.name().to_owned(),
            connection_ref: String::new(),
            property: String::new(),
            job_ref: None,
            synced_ms: None,
            first: None,
            last: None,
            gaps: Vec::new(),
            odd_rows: 0,
        },
        |stored| stored.it,
    );
    (state.connection_ref, state.property, state.job_ref) =
        (reached.connection, reached.property, Some(job_ref.clone()));
    cx.records::<Sync>().put_many_as([(&id, &state)])?;
    let next_sync_at = repeat(cx, &site, &args, &cuts)?;
    Ok(Started { job_ref, state: JobState::Queued, property, from, to, next_sync_at })
}

fn is_running(cx: &Cx, job: &Id<Job>) -> bool {
    cx.jobs().find(job).is_some_and(|job| matches!(job.state, JobState::Queued | JobState::Running))
}

/// The cuts that dimensions ask for.
fn cuts(dimensions: Option<&List<Dimension, 1, 5>>, kind: SearchType) -> Result<Vec<Cut>> {
    let has = |dimension| dimensions.is_none_or(|all| all.contains(&dimension));
    let market = has(Dimension::Country) || has(Dimension::Device);
    let wanted = |cut: &Cut| match cut {
        Cut::Markets => market,
        Cut::Pages => has(Dimension::Page),
        Cut::PageMarkets => has(Dimension::Page) && market,
        Cut::Queries => has(Dimension::Query),
        Cut::Details => has(Dimension::Page) && has(Dimension::Query),
        Cut::Appearances => has(Dimension::Appearance),
    };
    let cuts: Vec<Cut> = Cut::ALL.into_iter().filter(wanted).filter(|cut| kind.has(*cut)).collect();
    if cuts.is_empty() {
        let message = format!("Search Console has none of these dimensions for the type {}", kind.name());
        return Err(Fault::invalid("/dimensions", "dimension_not_available", message));
    }
    Ok(cuts)
}

/// Puts or removes the daily schedule; when it comes next.
fn repeat(cx: &Cx, site: &Stored<Site>, args: &Run, cuts: &[Cut]) -> Result<Option<Moment>> {
    let name = schedule(site.id.as_str(), args.kind);
    if args.every == Repeat::Off {
        cx.schedules().remove(&name);
        return Ok(None);
    }
    // An import of given days, such as that of a gap, leaves a schedule as its owner set it.
    if let Some(kept) = cx.schedules().get(&name).filter(|it| args.from.is_some() && it.stopped.is_none()) {
        return Ok(kept.next.map(Moment::from_millis));
    }
    let mut call = json!({ "site_id": site.id, "type": args.kind, "include_fresh": args.include_fresh });
    if let Some(dimensions) = args.dimensions.as_ref().filter(|_| cuts.len() < Cut::ALL.len()) {
        call["dimensions"] = json!(dimensions);
    }
    let spread = kit::chance::Chance::of(&name).draw() % SPREAD;
    let minute = MINUTE + u32::try_from(spread).unwrap_or(0);
    let planned = Planned { operation: "search_console.sync.run".to_owned(), arguments: call.to_string() };
    let set = cx.schedules().put(&name, Cadence { every: Every::Day, minute, weekday: 0 }, &[planned], None)?;
    Ok(set.next.map(Moment::from_millis))
}

/// The name of the schedule of a website and search type.
pub(crate) fn schedule(site: &str, kind: SearchType) -> String {
    format!("sync-{site}-{}", kind.name())
}
