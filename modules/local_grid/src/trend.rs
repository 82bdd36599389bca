//! The operation `local_grid.trend.report`.

use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::given;
use crate::metrics::{Definitions, Figures, is_done};
use crate::run::compare::Verdict;
use crate::stored::{Annotation, Business, Run, Tally};
use kit::statistics::sign_test;

/// Scans of a keyword that are looked through.
const MOST: u64 = 400;
/// Events of a website that are shown.
const EVENTS: u64 = 50;
/// Below this, over all steps together, a change is no chance.
const LEVEL: f64 = 0.05;

#[args]
pub(crate) struct Report {
    /// The business, as listed.
    business_ref: Id<Business>,
    /// The keyword.
    keyword: Text<1, 200>,
    /// The first day.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
}

/// One scan.
#[value]
pub(crate) struct Point {
    /// The scan.
    run_ref: Id<Run>,
    /// When it ended.
    finished_at: Moment,
    /// What the pins of the keyword came to.
    figures: Figures,
}

/// A step from one scan to the next that is no chance.
#[value]
pub(crate) struct Change {
    /// The scan before.
    from_run: String,
    /// The scan after.
    to_run: String,
    /// When that ended.
    at: Moment,
    /// Whether places were won or lost.
    verdict: Verdict,
    /// Pins that are better.
    improved: u32,
    /// Pins that are worse.
    declined: u32,
    /// Of the exact two-sided sign test over pins that moved.
    p_value: f64,
}

/// An event of the website.
#[value]
pub(crate) struct Event {
    /// The day, in UTC.
    date: Day,
    /// What happened.
    title: String,
}

/// Scans over time.
#[value]
pub(crate) struct Trend {
    /// Comparable scans, the oldest first.
    series: Vec<Point>,
    /// Changes from one scan to the next that are no chance, the first one first.
    change_points: Vec<Change>,
    /// What happened to the website in this time, as `websites.annotation.list` has it.
    annotations: Vec<Event>,
    /// What the scans have in common: grid, middle and language.
    frame: Option<String>,
    /// Scans of the keyword in this time with another grid, middle or language; they are left out.
    other_scans: u32,
    /// How the figures are defined; vendors differ.
    definitions: Definitions,
    /// What is missing.
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Returns metrics of comparable scans (same grid and keyword) over time with annotations and the first significant change.
///
/// Scans are comparable when their pins and language are the same; of several such groups the one with the latest scan is
/// shown. Each scan is compared with the one before by the paired sign test, and a step counts as a change when its p-value
/// is below 0.05 divided by the number of steps (Bonferroni), so that many scans do not make chance look like a change.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how did my map ranking develop over the last months",
        "local grid trend for one keyword",
        "when did my local visibility drop",
        "is my local share of voice growing",
    ],
    examples = [
        { "business_ref": "bus_01", "keyword": "lamp shop" },
        { "business_ref": "bus_01", "keyword": "lamp shop", "from": "2026-06-01", "to": "2026-09-28" },
    ]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Trend> {
    let business = cx.records::<Business>().get(&args.business_ref).map_err(|fault| fault.at("/business_ref"))?;
    if args.from.zip(args.to).is_some_and(|(from, to)| from > to) {
        return Err(Fault::invalid("/to", "days_reversed", "the last day is before the first"));
    }
    let keyword = given::normal(args.keyword.as_str());
    let first = args.from.map_or(1, |day| millis(day).max(1));
    let query = cx.records::<Tally>().by("business_keyword_finished_ms").equals(&args.business_ref).equals(&keyword);
    let mut query = query.at_least(first).descending();
    if let Some(to) = args.to {
        query = query.below(millis(to.plus(1)));
    }
    let mut tallies = query.page(MOST, None)?.items;
    let frame = tallies.first().map(|it| it.frame.clone());
    let all = tallies.len();
    tallies.retain(|it| Some(&it.frame) == frame.as_ref());
    tallies.reverse();
    let other_scans = u32::try_from(all - tallies.len()).unwrap_or(0);
    let start = json!({ "business_ref": args.business_ref, "keywords": [keyword], "language": "en" });
    let mut degraded = Vec::new();
    let mut next = Vec::new();
    match tallies.as_slice() {
        [] => {
            degraded.push(Degraded::new("scan", "no ended scan of this keyword is stored for this time"));
            next.push(Next::new("local_grid.run.start", start, "makes a scan to begin the trend with"));
        }
        [_] => degraded.push(Degraded::new(
            "trend",
            "one scan shows no trend; set up recurring ones with local_grid.schedule.set",
        )),
        [.., before, last] => {
            let arguments = json!({ "run_a": before.run, "run_b": last.run });
            next.push(Next::new("local_grid.run.compare", arguments, "compares the last two scans pin by pin"));
        }
    }
    let annotations = match (tallies.first(), tallies.last()) {
        (Some(first), Some(last)) => events(cx, &business.site_id, first, last)?,
        _ => Vec::new(),
    };
    let change_points = changes(&tallies);
    let series = tallies.into_iter().filter_map(|tally| {
        let finished = Moment::from_millis(tally.finished_ms?);
        Some(Point { run_ref: tally.run.as_str().into(), finished_at: finished, figures: tally.figures })
    });
    Ok(Trend {
        series: series.collect(),
        change_points,
        annotations,
        frame,
        other_scans,
        definitions: Definitions::ours(),
        degraded,
        next,
    })
}

/// Midnight of a day, in milliseconds since 1970 UTC.
fn millis(day: Day) -> u64 {
    u64::try_from(day.since_epoch()).unwrap_or(0) * 86_400_000
}

/// Steps that are no chance.
fn changes(tallies: &[Stored<Tally>]) -> Vec<Change> {
    let steps = f64::from(u32::try_from(tallies.len().saturating_sub(1).max(1)).unwrap_or(u32::MAX));
    let change = |pair: &[Stored<Tally>]| {
        let [before, after] = pair else { return None };
        let (mut improved, mut declined) = (0, 0);
        for (was, is) in before.placed.iter().zip(&after.placed).filter(|it| is_done(*it.0) && is_done(*it.1)) {
            improved += u32::from(is < was);
            declined += u32::from(is > was);
        }
        let p_value = sign_test(improved, declined);
        (p_value < LEVEL / steps).then(|| Change {
            from_run: before.run.clone(),
            to_run: after.run.clone(),
            at: Moment::from_millis(after.finished_ms.unwrap_or(0)),
            verdict: if improved > declined { Verdict::Improved } else { Verdict::Declined },
            improved,
            declined,
            p_value,
        })
    };
    tallies.windows(2).filter_map(change).collect()
}

/// What happened to the website between two scans.
fn events(cx: &Cx, site: &str, first: &Tally, last: &Tally) -> Result<Vec<Event>> {
    let day = |tally: &Tally| Moment::from_millis(tally.finished_ms.unwrap_or(0)).day();
    let events = cx.records::<Annotation>().by("site_id_date").equals(site);
    let events = events.at_least(day(first)).below(day(last).plus(1)).page(EVENTS, None)?;
    Ok(events.items.into_iter().map(|it| Event { date: it.date, title: it.title.clone() }).collect())
}

#[cfg(test)]
mod tests;
