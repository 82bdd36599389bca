//! The operation `search_console.sync.status.get`.

use sdk::prelude::*;
use sdk::{Basis, ConnectionState, Degraded, JobState, Next, json};
use search::{DayState, Measurement, Period, SearchType};
use site::Site;

use crate::given::{self, Given, SYNC};
use crate::stored::Sync;
use crate::sync::run::schedule;

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The search type.
    #[serde(rename = "type")]
    #[default("web")]
    kind: SearchType,
}

/// The daily import.
#[value]
pub(crate) struct Schedule {
    /// When it runs next; null when it has stopped.
    next_run: Option<Moment>,
    /// Why it has stopped; null while it runs.
    stopped: Option<String>,
}

/// What is stored, and what is missing from it.
#[value]
pub(crate) struct Status {
    /// The first stored day.
    from: Option<Day>,
    /// The last stored day.
    to: Option<Day>,
    /// The search types that are imported.
    types: Vec<String>,
    /// Days between the first and the last without figures.
    gaps: Vec<Day>,
    /// Days on which Google returned as many queries as it ever does, so that others are missing.
    capped_days: Vec<Day>,
    /// Days whose figures Google still changes.
    fresh_days: Vec<Day>,
    /// The share of clicks that Google attributes to no query, because the query is rare; of days that are not capped. Null
    /// when queries are not stored.
    anonymised_share: Option<f64>,
    /// The same of impressions.
    anonymised_impressions_share: Option<f64>,
    /// The days that both shares are computed from.
    n_days: u32,
    /// Days since the last stored one, in Pacific time.
    freshness_days: Option<u32>,
    /// The property, as Search Console names it.
    #[untrusted]
    property: String,
    /// The state of the connection: `ok`, `untested`, `failing`, `expired`, or `gone`.
    connection_state: String,
    /// The daily import; null when there is none.
    schedule: Option<Schedule>,
    /// Whether an import is running.
    running: bool,
    /// Known faults of Google's figures in the stored period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What to do about what is missing.
    next: Vec<Next>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Shows imported days, gaps, freshness, row caps hit and the share of clicks hidden as anonymised queries.
///
/// On a capped day rare and missing queries cannot be told apart, so those days are left out of the shares.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store", "connection:google_search_console"],
    phrasings = [
        "is my search console data up to date",
        "which days of search data are missing",
        "how many clicks are hidden by google",
        "when was search console last imported",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Status> {
    let (site, sync) = given::synced(cx, &args.site_id, args.kind)?;
    let wide = Period { first: Day::from_epoch(0), last: google_today(cx) };
    let now = cx.now();
    let at = sync.synced_ms.map_or(now, Moment::from_millis);
    let figures = search::Figures::own(cx, &site.id, args.kind);
    let site_id = site.id.clone();
    let reader = Given {
        cx,
        site,
        kind: args.kind,
        figures,
        period: wide,
        basis: Basis { run_ref: None, at, age_seconds: now.since(at) / 1_000, complete: sync.gaps.is_empty() },
        degraded: Vec::new(),
        measurement: Vec::new(),
    };
    let days = reader.days(wide);
    let dates: Vec<Day> = days.iter().filter_map(search::DayRecord::day).collect();
    let (from, to) = (dates.first().copied(), dates.last().copied());
    let missing = dates.windows(2).flat_map(|pair| {
        let between = Period { first: pair[0].plus(1), last: pair[1].plus(-1) };
        between.days().collect::<Vec<_>>()
    });
    let mut gaps: Vec<Day> = missing.chain(sync.gaps.iter().copied()).collect();
    gaps.sort();
    gaps.dedup();
    let of =
        |state: DayState| days.iter().filter(move |it| it.state == state).filter_map(search::DayRecord::day).collect();
    let shared: Vec<_> = days.iter().filter(|it| !it.capped && it.known_clicks.is_some()).collect();
    let sum = |count: fn(&search::DayRecord) -> u64| shared.iter().map(|it| count(it)).sum::<u64>();
    let held = cx.connections().of("google_search_console");
    let connection = held.iter().find(|it| it.reference == sync.connection_ref).map_or("gone", |it| match it.state {
        ConnectionState::Ok => "ok",
        ConnectionState::Untested => "untested",
        ConnectionState::Failing => "failing",
        ConnectionState::Expired => "expired",
    });
    let scheduled = cx.schedules().get(&schedule(site_id.as_str(), args.kind));
    let running = sync.job_ref.as_ref().and_then(|job| cx.jobs().find(job));
    let running = running.is_some_and(|job| matches!(job.state, JobState::Queued | JobState::Running));
    let types = cx.records::<Sync>().by("site_id_kind").equals(&site_id).scan().map(|it| it.kind.clone()).collect();
    let mut next = Vec::new();
    if let (Some(first), Some(last)) = (gaps.first(), gaps.last()) {
        let arguments = json!({ "site_id": site_id, "type": args.kind, "from": first, "to": last });
        next.push(Next::new(SYNC, arguments, "imports the days that are missing"));
    } else if !running && scheduled.is_none() {
        let arguments = json!({ "site_id": site_id, "type": args.kind });
        next.push(Next::new(SYNC, arguments, "imports new days every day"));
    }
    Ok(Status {
        from,
        to,
        types,
        gaps,
        capped_days: days.iter().filter(|it| it.capped).filter_map(search::DayRecord::day).collect(),
        fresh_days: of(DayState::Fresh),
        anonymised_share: hidden(sum(|it| it.known_clicks.unwrap_or(0)), sum(|it| it.clicks)),
        anonymised_impressions_share: hidden(sum(|it| it.known_impressions.unwrap_or(0)), sum(|it| it.impressions)),
        n_days: u32::try_from(shared.len()).unwrap_or(u32::MAX),
        freshness_days: to.map(|to| u32::try_from(wide.last.since_epoch() - to.since_epoch()).unwrap_or(0)),
        property: sync.property.clone(),
        connection_state: connection.to_owned(),
        schedule: scheduled.map(|it| Schedule { next_run: it.next.map(Moment::from_millis), stopped: it.stopped }),
        running,
        measurement: from.zip(to).map(|(first, last)| search::measurement(Period { first, last })).unwrap_or_default(),
        basis: reader.basis,
        next,
        degraded: Vec::new(),
    })
}

fn google_today(cx: &Cx) -> Day {
    crate::google::today(cx)
}

/// The share that no query accounts for; null without any, and 0 where the known ones are more, by rounding.
#[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
fn hidden(known: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| kit::statistics::round(all.saturating_sub(known) as f64 / all as f64, 4))
}
