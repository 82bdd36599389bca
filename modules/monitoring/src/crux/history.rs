//! The operation `monitoring.crux.history.get`.

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::change_points::{pelt, spread};
use kit::statistics::{mean, round};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, json};
use site::Site;

use super::ask::{FormFactor, Level, WEEKS, day, name, number, record};
use crate::near::{Event, near};

/// Weeks that a change needs on each side, and without which no change is looked for.
const SIDE: usize = 4;
const FEWEST: usize = 12;
/// Weeks without figures that are bridged.
const GAP: usize = 2;
/// Days around a change in which events are named.
const AROUND: i32 = 7;
/// Metrics in which changes are looked for.
const LOOKED_AT: [&str; 5] = ["lcp", "inp", "cls", "fcp", "ttfb"];

/// Which visits.
#[value]
pub(crate) enum Visits {
    Phone,
    Desktop,
    All,
}

#[args]
pub(crate) struct Get {
    /// A page, or the home page for its website.
    target: Url,
    /// Which visits.
    #[default("phone")]
    form_factor: Visits,
    /// The website whose annotations are named beside changes.
    site_id: Option<Id<Site>>,
}

/// One week of one metric.
#[value]
pub(crate) struct Point {
    /// The last day of the 28 that it is of.
    pub(super) ends_on: Day,
    pub(super) p75: Option<f64>,
    pub(super) good_share: Option<f64>,
}

/// A metric over the weeks.
#[value]
pub(crate) struct Series {
    metric: String,
    points: Vec<Point>,
}

/// A change of the level of a metric.
#[value]
pub(crate) struct Change {
    metric: String,
    /// Between which days it began: figures are of 28 days, so a change shows as a ramp.
    pub(super) began_between: [Day; 2],
    /// The mean p75 before and after, up to the next change.
    before: f64,
    after: f64,
    change_percent: f64,
    /// Whether the metric got better.
    better: bool,
    /// What happened near it.
    events: Vec<Event>,
}

/// What real visitors saw, week by week.
#[value]
pub(crate) struct History {
    series: Vec<Series>,
    /// The newest first.
    change_points: Vec<Change>,
    /// What the figures are of; null without any.
    level: Option<Level>,
    fallback: bool,
    weeks: u64,
    degraded: Vec<Degraded>,
}

/// Reads the weekly CrUX history of a URL or origin and marks change points with the annotations near them.
///
/// Each point is of 28 days of visits, and points are a week apart. Changes are found by PELT on the p75, with a penalty by the
/// spread of values four weeks apart; fewer than 12 weeks are not searched. Nearness of an event is no proof of a cause.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 2),
    needs = ["store", "connection:pagespeed"],
    outside = ["pagespeed.crux POST /v1/records:queryHistoryRecord query"],
    phrasings = ["core web vitals over time", "when did my site get slower", "crux history"],
    examples = [{ "target": "https://shop.example/" }, { "target": "https://shop.example/lamps", "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<History> {
    let site = args.site_id.as_ref().map(|it| site::get(cx, it)).transpose()?;
    let more = json!({ "collectionPeriodCount": WEEKS });
    let form = match args.form_factor {
        Visits::Phone => FormFactor::Phone,
        Visits::Desktop => FormFactor::Desktop,
        Visits::All => FormFactor::All,
    };
    let Some((level, record)) = record(cx, "records:queryHistoryRecord", &args.target, form, &more)? else {
        let why = "neither the page nor its origin has enough visits with Chrome for the report";
        let degraded = vec![Degraded::new("field_data", why)];
        return Ok(History {
            series: Vec::new(),
            change_points: Vec::new(),
            level: None,
            fallback: false,
            weeks: 0,
            degraded,
        });
    };
    let ends: Vec<Day> =
        record["collectionPeriods"].as_array().into_iter().flatten().filter_map(|it| day(&it["lastDate"])).collect();
    let all: BTreeMap<String, Vec<Point>> = record["metrics"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(metric, value)| (name(metric).to_owned(), points(value, &ends)))
        .filter(|it| it.1.iter().any(|it| it.p75.is_some()))
        .collect();
    let mut change_points = Vec::new();
    for metric in LOOKED_AT {
        let Some(points) = all.get(metric) else { continue };
        for mut change in changes(metric, points) {
            let [from, to] = change.began_between;
            change.events = near(cx, site.as_ref().map(|it| &it.id), from.plus(-AROUND), to.plus(AROUND));
            change_points.push(change);
        }
    }
    change_points.sort_by(|a, b| b.began_between.cmp(&a.began_between).then_with(|| a.metric.cmp(&b.metric)));
    let mut degraded = Vec::new();
    if ends.len() < FEWEST {
        let why = format!("{} weeks are there; changes are looked for from {FEWEST} on", ends.len());
        degraded.push(Degraded::new("change_points", why));
    }
    Ok(History {
        series: all.into_iter().map(|(metric, points)| Series { metric, points }).collect(),
        change_points,
        fallback: level == Level::Origin && args.target.path() != "/",
        level: Some(level),
        weeks: ends.len() as u64,
        degraded,
    })
}

fn points(value: &Value, ends: &[Day]) -> Vec<Point> {
    let p75s = &value["percentilesTimeseries"]["p75s"];
    let good = &value["histogramTimeseries"][0]["densities"];
    let each = ends.iter().enumerate().map(|(at, ends_on)| Point {
        ends_on: *ends_on,
        p75: number(&p75s[at]),
        good_share: number(&good[at]).map(|it| round(it, 4)),
    });
    each.collect()
}

/// The changes of a metric: of each stretch without a long gap.
pub(super) fn changes(metric: &str, points: &[Point]) -> Vec<Change> {
    let mut out = Vec::new();
    for (start, values) in stretches(points) {
        if values.len() < FEWEST {
            continue;
        }
        let sigma = spread(&values, SIDE);
        if sigma <= 0.0 {
            continue;
        }
        let penalty = 10.0 * as_number(values.len() as u64).ln() * sigma * sigma;
        let breaks = pelt(&values, SIDE, penalty);
        let mut ends = breaks.clone();
        ends.push(values.len());
        let mut from = 0;
        for (number, at) in breaks.iter().enumerate() {
            let (before, after) = (mean(&values[from..*at]), mean(&values[*at..ends[number + 1]]));
            from = *at;
            let (last, first) = (&points[start + at - 1], &points[start + at]);
            out.push(Change {
                metric: metric.to_owned(),
                began_between: [last.ends_on.plus(-7), first.ends_on],
                before: round(before, 3),
                after: round(after, 3),
                change_percent: round((after / before - 1.0) * 100.0, 1),
                better: after < before,
                events: Vec::new(),
            });
        }
    }
    out
}

/// The values of stretches without a gap of more than two weeks, with the place of their first; shorter gaps are bridged in a line.
fn stretches(points: &[Point]) -> Vec<(usize, Vec<f64>)> {
    let mut out: Vec<(usize, Vec<f64>)> = Vec::new();
    let mut last: Option<usize> = None;
    for (at, value) in points.iter().enumerate().filter_map(|(at, it)| Some((at, it.p75?))) {
        match (last, out.last_mut()) {
            (Some(before), Some((_, values))) if at - before <= GAP + 1 => {
                let from = values.last().copied().unwrap_or(value);
                let steps = at - before;
                for step in 1..=steps {
                    let part = as_number(step as u64) / as_number(steps as u64);
                    values.push(from + (value - from) * part);
                }
            }
            _ => out.push((at, vec![value])),
        }
        last = Some(at);
    }
    out
}
