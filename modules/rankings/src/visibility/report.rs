//! The operation `rankings.visibility.report`.

use kit::chance::Chance;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded};

use super::{MIN_KEYWORDS, Weighed, index, intervals, places, weigh};
use crate::board::Board;
use crate::demand::PUBLISHED;
use crate::stored::Tracker;

/// What keywords count by.
#[value]
pub(crate) enum Weight {
    /// Their searches in a month.
    Volume,
    /// All alike.
    Equal,
}

#[args]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The first day; 90 days before the last one when left out.
    from: Option<Day>,
    /// The last day; today when left out.
    to: Option<Day>,
    /// What keywords count by.
    #[default("volume")]
    weight: Weight,
}

/// The index of a day.
#[value]
pub(crate) struct Point {
    date: Day,
    /// Null for fewer than 20 keywords.
    index: Option<f64>,
    /// Keywords that were looked at.
    n: u64,
}

/// The index of a competitor.
#[value]
pub(crate) struct Rival {
    domain: String,
    /// Of the last check.
    index: Option<f64>,
    ci95: Option<[f64; 2]>,
    /// Keywords with a result page.
    n: u64,
    /// Of each check with a result page of 20 keywords and more.
    series: Vec<Point>,
}

/// Visibility.
#[value]
pub(crate) struct Visibility {
    /// Of the last check, 0 to 1: 1 is the first place for every keyword. Null for fewer than 20 keywords.
    index: Option<f64>,
    /// 95 % interval: 1,000 draws of keywords with replacement.
    ci95: Option<[f64; 2]>,
    /// Keywords that were looked at.
    n: u64,
    series: Vec<Point>,
    /// Competitors of the tracker, the most visible first.
    competitors: Vec<Rival>,
    /// The click rates by position: the published ones, so that indices compare over time and with rivals.
    #[own]
    curve: String,
    /// What keywords counted by: `volume` or `equal`.
    #[own]
    weighted_by: String,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Computes a visibility index (demand × CTR at position over demand × CTR at first) for the website and competitors with bootstrap intervals.
///
/// Keywords without a volume count as none where at least 80 % have one; else all count alike, and `degraded` says so.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how visible is my site in google", "visibility index over time", "am i more visible than my competitors", "seo visibility trend"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "weight": "equal", "from": "2026-06-01" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Visibility> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let period = board.period(args.from, args.to)?;
    let checks = board.checks(period)?;
    let by_volume = args.weight == Weight::Volume;
    let rival = |domain: &String| Rival { domain: domain.clone(), index: None, ci95: None, n: 0, series: Vec::new() };
    let mut competitors: Vec<Rival> = board.tracker.competitors.iter().map(rival).collect();
    let (mut series, mut last) = (Vec::new(), None);
    for check in &checks {
        let rows = board.rows(check)?;
        let (date, n) = (check.day(), rows.rows.len() as u64);
        let (all, weights) = weigh(&board, &rows, by_volume);
        let own = places(&rows, &all, None);
        series.push(Point { date, index: shown(index(&own)), n });
        // A file of positions says nothing of rivals.
        let seen: Vec<Weighed<'_>> =
            all.iter().copied().filter(|(row, _)| !row.domains.is_empty() || row.page.is_some()).collect();
        let mut rivals = Vec::with_capacity(competitors.len());
        for rival in &mut competitors {
            let theirs = places(&rows, &seen, Some(&rival.domain));
            if let Some(index) = shown(index(&theirs)) {
                rival.series.push(Point { date, index: Some(index), n: seen.len() as u64 });
            }
            rivals.push(theirs);
        }
        last = Some((own, rivals, weights));
    }
    let (Some(check), Some((own, rivals, weights))) = (checks.last(), last) else {
        return Err(Fault::conflict("not_checked", "nothing was checked in this period").at("/from"));
    };
    let count = own.len();
    let mut chance = Chance::of(&format!("{} {}", board.tracker.id, check.date));
    let ci95 = intervals(std::slice::from_ref(&own), &mut chance).into_iter().next().flatten().map(bounds);
    let theirs = intervals(&rivals, &mut chance);
    let with_page = rivals.first().map_or(0, Vec::len);
    for ((rival, places), interval) in competitors.iter_mut().zip(&rivals).zip(theirs) {
        (rival.index, rival.ci95, rival.n) = (shown(index(places)), interval.map(bounds), with_page as u64);
    }
    if !competitors.is_empty() && with_page < count {
        let why = format!(
            "of {count} keywords of the last check {with_page} have a result page, the others are imported positions; where \
             competitors stand is known of those with a page alone"
        );
        let run = sdk::json!({ "tracker_ref": board.tracker.id });
        board.degraded.push(Degraded::new("competitors", why).supplied_by("rankings.check.run", run));
    }
    competitors.sort_by(|a, b| {
        b.index.unwrap_or(-1.0).total_cmp(&a.index.unwrap_or(-1.0)).then_with(|| a.domain.cmp(&b.domain))
    });
    if count < MIN_KEYWORDS {
        let why = format!("{count} keywords are too few for an index; it needs {MIN_KEYWORDS}");
        board.degraded.push(Degraded::new("index", why));
    }
    board.tell_missing(check, count);
    board.degraded.extend(weights.told.clone().map(|why| Degraded::new("volumes", why)));
    Ok(Visibility {
        index: shown(index(&own)),
        ci95,
        n: count as u64,
        series,
        competitors,
        curve: PUBLISHED.to_owned(),
        weighted_by: weights.name().to_owned(),
        basis: board.basis(check, count),
        degraded: board.degraded,
    })
}

fn shown(index: Option<f64>) -> Option<f64> {
    index.map(|it| round(it, 6))
}

fn bounds([low, high]: [f64; 2]) -> [f64; 2] {
    [round(low, 6), round(high, 6)]
}
