//! The job of a check: orders result pages, collects them, and merges the day.

use std::collections::BTreeSet;

use dataforseo::{escaped, language_code, money};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use sdk::{Degraded, Money, Progress};
use serps::{Asked, Fetching, Page, snapshot_id};

use super::measured;
use crate::board::{self, Board};
use crate::pages::{self, Kept};
use crate::rows::{self, At, Numbering, Row};
use crate::stored::{Check, Engine, Keyword, Latest, Serp, Tracker};
use crate::{best, visibility, volatility};

/// Checks among which those of stopped jobs are looked for.
const RECENT: u64 = 3;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) tracker_ref: Id<Tracker>,
    pub(super) date: Day,
    /// Normal forms; all when left out.
    pub(super) keywords: Option<Vec<String>>,
    pub(super) force: bool,
    pub(super) most: u64,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    planned: bool,
    fetching: Fetching,
}

/// The result of a check.
#[value]
pub(crate) struct Outcome {
    tracker_ref: Id<Tracker>,
    date: Day,
    /// Keywords whose result page came.
    checked: u64,
    /// Of them, those for which the website was found.
    found_keywords: u64,
    /// The first 100 keywords without an answer; they are not charged.
    failed: Vec<String>,
    failed_total: u64,
    /// The visibility index of the day; null for fewer than 20 keywords.
    visibility: Option<f64>,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
}

/// Plans, orders up to 500 pages, collects up to 40, or merges.
#[step]
pub(crate) fn check(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let tracker = board::tracker(cx, &payload.tracker_ref)?;
    if !state.planned {
        state.planned = true;
        merge_left(cx, &tracker)?;
        state.fetching = Fetching::of(planned(cx, &payload, &tracker)?, cx.now().millis());
    }
    if state.fetching.goes_on(cx.now().millis()) {
        let (wait, came) = step(cx, &tracker, payload.date, &mut state.fetching)?;
        let (done, open) = (state.fetching.done(), state.fetching.open());
        let progress = Progress::new(done, done + open, "fetching result pages");
        return Ok(Step::next(state, progress).after(wait).units(came));
    }
    state.fetching.give_up();
    finish(cx, &tracker, payload.date, state.fetching)
}

/// The keywords to look up, those with the most searches first.
fn planned(cx: &Cx, payload: &Payload, tracker: &Stored<Tracker>) -> Result<Vec<String>> {
    let set: Id<crate::stored::Set> = Id::new(tracker.set_ref.clone());
    let today = if payload.force { BTreeSet::new() } else { super::run::checked_on(cx, &tracker.id, payload.date)? };
    let chosen: Option<BTreeSet<&String>> = payload.keywords.as_ref().map(|it| it.iter().collect());
    let wanted = board::checked(cx, &set)
        .map(|it| it.normal.clone())
        .filter(|it| chosen.as_ref().is_none_or(|chosen| chosen.contains(it)) && !today.contains(it))
        .take(usize::try_from(payload.most).unwrap_or(0));
    Ok(wanted.collect())
}

/// Merges what jobs that were stopped have left, so that it is read in one piece from now on.
fn merge_left(cx: &Cx, tracker: &Stored<Tracker>) -> Result<()> {
    let newest = cx.records::<Check>().by("tracker_date").equals(&tracker.id).descending();
    for check in newest.page(RECENT, None)?.items.into_iter().filter(|it| it.open) {
        let (id, mut check) = (check.id.clone(), check.into_inner());
        let rows = rows::merge(cx, &mut check)?;
        (check.volatility, check.compared) = volatility::of_check(&rows);
        check.open = false;
        cx.records::<Check>().put_many_as([(&id, &check)])?;
    }
    Ok(())
}

/// Orders or collects pages and stores what came; how long to wait, and how many came.
fn step(cx: &Cx, tracker: &Stored<Tracker>, date: Day, fetching: &mut Fetching) -> Result<(u32, u64)> {
    let site = site::get(cx, &Id::new(tracker.site_id.clone()))?;
    let host = board::host(&site);
    let language: Language = tracker.language.parse().unwrap_or_else(|_| sdk::value::literal("en"));
    let language = language_code(&language);
    let task = |keyword: &str| {
        let mut task = json!({ "keyword": escaped(keyword), "location_code": tracker.location_code, "language_code": language,
            "device": tracker.device.name(), "depth": tracker.depth, "priority": 1 });
        if tracker.stop_when_found {
            task["stop_crawl_on_match"] = json!([{ "match_value": host, "match_type": "with_subdomains" }]);
        }
        if tracker.ai_overview && tracker.engine == Engine::Google {
            task["load_async_ai_overview"] = json!(true);
        }
        if tracker.pixels {
            task["calculate_rectangles"] = json!(true);
        }
        task
    };
    let tag = |keyword: &str| format!("{}:{date}", snapshot_id(tracker.id.as_str(), keyword));
    let endpoint = format!("serp/{}/organic", tracker.engine.name());
    let asked = Asked { endpoint: &endpoint, task: &task, tag: &tag, pointer: "/tracker_ref" };
    let mut came: Vec<Kept> = Vec::new();
    let wait = fetching.step(cx, &asked, &mut |keyword, result: Option<&Value>, task| {
        let page = result.map(Page::read).unwrap_or_default();
        came.push(Kept { keyword: keyword.to_owned(), task: task.to_owned(), at_ms: cx.now().millis(), page });
    });
    if !came.is_empty() {
        store(cx, tracker, &host, date, &came)?;
    }
    Ok((wait, came.len() as u64))
}

/// Stores pages of a step: the pack, their rows, and the newest page of each keyword.
fn store(cx: &Cx, tracker: &Stored<Tracker>, host: &str, date: Day, came: &[Kept]) -> Result<()> {
    let (id, mut check) = super::of_day(cx, &tracker.id, date);
    let pack = pages::add(cx, &mut check, came)?;
    let mut numbering = Numbering::default();
    let mut found: Vec<Row> = Vec::with_capacity(came.len());
    let mut newest: Vec<(Id<Serp>, Serp)> = Vec::with_capacity(came.len());
    for (index, kept) in (0..).zip(came) {
        let (keyword, page) = (kept.keyword.as_str(), &kept.page);
        let at = At { pack, index };
        let mut row = measured::row(keyword, page, host, tracker.depth, &mut numbering, Some(at));
        // The provider ends a search where the website is found: nobody knows what is below.
        if let Some(last) = page.results.last().filter(|_| tracker.stop_when_found && row.position > 0) {
            row.depth = last.position;
        }
        let id: Id<Serp> = Id::new(snapshot_id(tracker.id.as_str(), keyword));
        row.change = cx.records::<Serp>().find(&id).and_then(|it| measured::change(tracker, &it.0, page, date));
        found.push(row);
        let of_set: Id<Keyword> = Id::new(snapshot_id(&tracker.set_ref, keyword));
        let volume = cx.records::<Keyword>().find(&of_set).and_then(|it| it.volume);
        newest.push((id, Serp(measured::snapshot(tracker, keyword, page, date, volume))));
    }
    rows::add(cx, &mut check, &numbering.rows(found))?;
    check.rows += came.len() as u64;
    (check.at_ms, check.open) = (cx.now().millis(), true);
    cx.records::<Serp>().put_many_as(newest.iter().map(|(id, it)| (id, it)))?;
    cx.records::<Check>().put_many_as([(&id, &check)])?;
    Ok(())
}

/// Merges the rows of the day, and remembers what it came to.
fn finish(
    cx: &Cx,
    tracker: &Stored<Tracker>,
    date: Day,
    fetching: Fetching,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut degraded = Vec::new();
    let (mut visible, mut found_keywords) = (None, 0);
    let (id, mut check) = super::of_day(cx, &tracker.id, date);
    if check.parts > 0 {
        let all = rows::merge(cx, &mut check)?;
        let found = all.rows.iter().filter(|it| it.position > 0);
        best::keep(cx, &tracker.id, found.map(|it| (date, it.keyword.clone(), it.position)))?;
        let board = Board::of(cx, &tracker.id)?;
        let rows = board.rows(&check)?;
        let latest = latest(&board, date, &rows);
        (visible, found_keywords) = (latest.visibility, latest.found);
        (check.volatility, check.compared) = volatility::of_check(&all);
        check.open = false;
        check.failed = fetching.failed;
        check.cost_micros += fetching.cost_micros;
        cx.records::<Check>().put_many_as([(&id, &check)])?;
        cx.records::<Tracker>().update(&tracker.id, |it| it.latest = Some(latest))?;
    }
    if fetching.failed > 0 {
        let why = fetching.stopped_by.clone().unwrap_or_else(|| "the provider had no answer in 6 hours".to_owned());
        let again = json!({ "tracker_ref": tracker.id });
        degraded.push(
            Degraded::new("result pages", format!("{} keywords have no answer: {why}", fetching.failed))
                .supplied_by("rankings.check.run", again),
        );
    }
    let outcome = Outcome {
        tracker_ref: tracker.id.clone(),
        date,
        checked: fetching.fetched,
        found_keywords,
        failed: fetching.failed_keywords,
        failed_total: fetching.failed,
        visibility: visible.map(|it| round(it, 4)),
        provider_cost: money(fetching.cost_micros),
        degraded,
    };
    let done = fetching.fetched + fetching.failed;
    Ok(Step::done(outcome, Progress::new(done, done, "done")))
}

/// What a day came to.
pub(super) fn latest(board: &Board<'_>, date: Day, rows: &rows::Rows) -> Latest {
    let found = rows.rows.iter().filter(|it| it.position > 0).count() as u64;
    let places = visibility::places(rows, &visibility::weigh(board, rows, true).0, None);
    Latest { date, keywords: rows.rows.len() as u64, found, visibility: visibility::index(&places) }
}
