//! The operation `rankings.volatility.report`.

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::{MAD_TO_DEVIATION, median, round};
use sdk::prelude::*;
use sdk::{Degraded, json};

use crate::board::Board;
use crate::rows::{self, Rows};
use crate::stored::{Check, Tracker};

/// Keywords below which a day says nothing.
const MIN_KEYWORDS: u64 = 10;
/// Checks that the normal band is of, and the fewest.
const BAND: usize = 30;
const MIN_BAND: usize = 10;
/// How many robust standard deviations the band is wide on either side.
const WIDTH: f64 = 3.0;
/// Keywords of a topic, at least, and topics.
const MIN_OF_TOPIC: u64 = 5;
const MAX_TOPICS: usize = 50;
/// Days around an update of Google that are named.
const NEAR: i32 = 3;

#[args]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The first day; 90 days before the last one when left out.
    from: Option<Day>,
    /// The last day; today when left out.
    to: Option<Day>,
}

/// How much the results of a day changed.
#[value]
pub(crate) struct Point {
    date: Day,
    /// The mean of 1 less the rank-biased overlap with the check before, 0 to 1; null for fewer than 10 comparable keywords.
    volatility: Option<f64>,
    /// Keywords that could be compared.
    n: u64,
    /// The normal band: the median of up to 30 checks before it, and three robust standard deviations to either side. Null for
    /// fewer than 10.
    band: Option<[f64; 2]>,
    /// Whether it is above the band; null without one.
    unusual: Option<bool>,
}

/// A day above the normal band.
#[value]
pub(crate) struct Unusual {
    date: Day,
    volatility: f64,
    /// How many robust standard deviations above the median.
    deviations: f64,
    /// An update that Google announced and that was rolled out within three days; null when none was.
    #[own]
    google_update: Option<String>,
}

/// How much the results of a topic changed at the last check.
#[value]
pub(crate) struct Topic {
    topic: String,
    volatility: f64,
    keywords: u64,
}

/// Volatility.
#[value]
pub(crate) struct Volatility {
    /// The earliest first.
    series: Vec<Point>,
    unusual_days: Vec<Unusual>,
    /// Of the last check, the most volatile topic first: clusters of the set, else first tags.
    by_topic: Vec<Topic>,
    degraded: Vec<Degraded>,
}

/// Measures SERP volatility per day as mean of 1 − rank-biased overlap against the previous check and flags days beyond the normal band.
///
/// The first 20 organic results are compared (p = 0.9, addresses without tracking), where both pages have ten or more, the same depth,
/// and are at most two runs apart. The website's own movements count as any other's.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how volatile are the search results", "was there a google update", "did the serps shake", "unusual ranking movements"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "from": "2026-06-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Volatility> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let (from, to) = board.period(args.from, args.to)?;
    let all = cx.records::<Check>().by("tracker_date").equals(&board.tracker.id).below(to.plus(1)).scan();
    let all: Vec<Stored<Check>> = all.collect();
    let Some(last) = all.iter().rfind(|it| it.day() >= from) else {
        let message = "no check is of this period, so nothing can be compared";
        let run = json!({ "operation_id": "rankings.check.run", "arguments": { "tracker_ref": board.tracker.id } });
        return Err(Fault::conflict("not_checked", message).at("/from").detail(run));
    };
    let known: Vec<Option<f64>> = all.iter().map(|it| it.volatility.filter(|_| it.compared >= MIN_KEYWORDS)).collect();
    let (mut series, mut unusual_days) = (Vec::new(), Vec::new());
    for (at, check) in all.iter().enumerate().filter(|it| it.1.day() >= from) {
        let before: Vec<f64> = known[..at].iter().flatten().copied().collect();
        let before = &before[before.len().saturating_sub(BAND)..];
        let band = (before.len() >= MIN_BAND).then(|| spread(before));
        let volatility = known[at];
        let above = volatility.zip(band).map(|(it, (middle, spread))| it > middle + WIDTH * spread);
        if let (Some(value), Some((middle, spread)), Some(true)) = (volatility, band, above) {
            unusual_days.push(Unusual {
                date: check.day(),
                volatility: round(value, 4),
                deviations: round((value - middle) / spread.max(1e-6), 2),
                google_update: google_update(check.day()),
            });
        }
        series.push(Point {
            date: check.day(),
            volatility: volatility.map(|it| round(it, 4)),
            n: check.compared,
            band: band.map(|(middle, spread)| {
                [round((middle - WIDTH * spread).max(0.0), 4), round((middle + WIDTH * spread).min(1.0), 4)]
            }),
            unusual: above,
        });
    }
    let by_topic = topics(&board, &rows::read(cx, last)?);
    if series.iter().all(|it| it.band.is_none()) {
        let why = format!("a normal band needs {MIN_BAND} compared checks before a day");
        board.degraded.push(Degraded::new("unusual_days", why));
    }
    if series.iter().all(|it| it.volatility.is_none()) {
        let why = format!("no two checks in a row have {MIN_KEYWORDS} keywords with comparable result pages");
        let run = json!({ "tracker_ref": board.tracker.id });
        board.degraded.push(Degraded::new("volatility", why).supplied_by("rankings.check.run", run));
    }
    Ok(Volatility { series, unusual_days, by_topic, degraded: board.degraded })
}

/// The median and the robust standard deviation.
fn spread(values: &[f64]) -> (f64, f64) {
    let middle = median(values);
    let off: Vec<f64> = values.iter().map(|it| (it - middle).abs()).collect();
    (middle, MAD_TO_DEVIATION * median(&off))
}

/// The announced update that was rolled out near a day.
fn google_update(day: Day) -> Option<String> {
    let of = |(year, month, day): kit::updates::Civil| Day::from_civil(year, month, day).unwrap_or(Day::from_epoch(0));
    let near = |it: &&kit::updates::Update| of(it.first).plus(-NEAR) <= day && day <= of(it.last).plus(NEAR);
    kit::updates::UPDATES.iter().rev().find(near).map(|it| it.title.to_owned())
}

/// What a check came to: the mean change of its keywords, and how many could be compared.
pub(crate) fn of_check(rows: &Rows) -> (Option<f64>, u64) {
    let changes: Vec<f64> = rows.rows.iter().filter_map(|it| it.change).collect();
    let count = changes.len() as u64;
    ((count > 0).then(|| changes.iter().sum::<f64>() / as_number(count)), count)
}

fn topics(board: &Board<'_>, rows: &Rows) -> Vec<Topic> {
    let topics = board.topics();
    let mut sums: BTreeMap<&String, (f64, u64)> = BTreeMap::new();
    for row in &rows.rows {
        if let (Some(topic), Some(change)) = (topics.get(&row.keyword), row.change) {
            let sum = sums.entry(topic).or_default();
            sum.0 += change;
            sum.1 += 1;
        }
    }
    let topic = |(topic, (sum, keywords)): (&String, (f64, u64))| Topic {
        topic: topic.clone(),
        volatility: round(sum / as_number(keywords), 4),
        keywords,
    };
    let mut found: Vec<Topic> = sums.into_iter().filter(|it| it.1.1 >= MIN_OF_TOPIC).map(topic).collect();
    found.sort_by(|a, b| b.volatility.total_cmp(&a.volatility).then_with(|| a.topic.cmp(&b.topic)));
    found.truncate(MAX_TOPICS);
    found
}
