//! The operation `websites.metric.series.get`, what was measured of a website over time.

use std::collections::BTreeMap;

use kit::crawled::{RunRecord, RunState, StopReason};
use sdk::Degraded;
use sdk::Query;
use sdk::prelude::*;

use crate::stored::{Audit, Website};
use site::Run;

/// The most points of one series.
const MOST_POINTS: usize = 400;
/// The most crawls or audits that one call reads: some kilobytes each, which a read has fuel to take apart.
const MOST_ROWS: usize = 500;
/// Rows asked for at once.
const CHUNK: u64 = 100;
/// Milliseconds of a day.
const DAY: u64 = 86_400_000;
/// Days of a series whose beginning is left out.
const USUAL: i32 = 90;

/// How wide a point is.
#[value]
pub(crate) enum Grain {
    /// One day in UTC.
    Day,
    /// Monday to Sunday (ISO 8601).
    Week,
    /// A month of the calendar.
    Month,
}

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Website>,
    /// What was measured: `score` and `issues` of audits; `crawled_pages`, `indexable_pages`, `error_pages` and `links` of
    /// crawls.
    metric: Text<1, 60>,
    /// How wide a point is.
    #[default("day")]
    grain: Grain,
    /// The first day; 90 days before the last when left out.
    from: Option<Day>,
    /// The last day; today when left out.
    to: Option<Day>,
}

/// One point.
#[value]
pub(crate) struct Point {
    /// The first day of the day, week or month.
    date: Day,
    /// The last value measured in it; null when nothing was measured.
    value: Option<f64>,
}

/// A series.
#[value]
pub(crate) struct Series {
    /// One for each day, week or month, the earliest first.
    points: Vec<Point>,
    /// What is counted.
    unit: String,
    /// Which module measured it.
    source: String,
    /// What could not be considered, in words.
    degraded: Vec<Degraded>,
}

/// What can be asked for.
struct Metric {
    name: &'static str,
    unit: &'static str,
    of: Of,
}

enum Of {
    Audit(fn(&Audit) -> Option<f64>),
    Crawl(fn(&RunRecord) -> f64),
}

#[expect(clippy::cast_precision_loss, reason = "pages and links of a crawl are far below 2^52")]
const METRICS: [Metric; 6] = [
    Metric { name: "score", unit: "points from 0 to 100", of: Of::Audit(|audit| audit.score) },
    Metric {
        name: "issues",
        unit: "rules with findings",
        of: Of::Audit(|audit| Some(f64::from(audit.by_severity.values().sum::<u32>()))),
    },
    Metric { name: "crawled_pages", unit: "addresses", of: Of::Crawl(|crawl| crawl.totals.fetched as f64) },
    Metric { name: "indexable_pages", unit: "pages", of: Of::Crawl(|crawl| crawl.totals.indexable as f64) },
    Metric { name: "error_pages", unit: "addresses", of: Of::Crawl(|crawl| crawl.totals.errors as f64) },
    Metric { name: "links", unit: "links", of: Of::Crawl(|crawl| crawl.totals.links as f64) },
];

/// Returns any stored daily metric of the website (clicks, indexed pages, score, visits, uptime, mentions) aggregated by day, week or month with gaps kept as null.
///
/// Stored so far is what audits and crawls that have ended measured; a metric that nothing stores is refused with those
/// that can be asked for. These are states, not sums: a point is the last value of its day, week or month.
#[operation(
    read,
    scope = "websites:read",
    cost = indexed_read,
    phrasings = [
        "how has my audit score changed",
        "show indexable pages over the last year by month",
        "chart the crawl errors of my site",
        "is my website getting better",
    ],
    examples = [
        { "site_id": "4503599627370496", "metric": "score" },
        { "site_id": "4503599627370496", "metric": "indexable_pages", "grain": "month", "from": "2025-10-01" },
    ]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Series> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let Some(metric) = METRICS.iter().find(|it| it.name == args.metric.as_str()) else {
        let names: Vec<&str> = METRICS.iter().map(|it| it.name).collect();
        let message = format!("nothing stores this metric yet; stored are {}", names.join(", "));
        return Err(Fault::invalid("/metric", "metric_not_stored", message));
    };
    let to = args.to.unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(-USUAL));
    if from > to {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    let mut dates: Vec<Day> = Vec::new();
    let mut next = first_of(from, args.grain);
    while next <= to {
        if dates.len() == MOST_POINTS {
            let message =
                format!("a series has at most {MOST_POINTS} points; ask for a later `from` or a wider `grain`");
            return Err(Fault::invalid("/from", "period_too_long", message));
        }
        dates.push(next);
        next = after(next, args.grain);
    }
    let (measured, cut) = measured(cx, &site.id, metric, from)?;
    let mut values: BTreeMap<Day, (Moment, f64)> = BTreeMap::new();
    for (at, value) in measured.into_iter().filter(|(at, _)| (from..=to).contains(&at.day())) {
        let point = values.entry(first_of(at.day(), args.grain)).or_insert((at, value));
        if at >= point.0 {
            *point = (at, value);
        }
    }
    let source = if matches!(metric.of, Of::Audit(_)) { "audit" } else { "crawl" };
    let cut = cut.then(|| {
        Degraded::new(
            "points",
            format!("only the newest {MOST_ROWS} measurements were read, so the beginning may be missing"),
        )
    });
    Ok(Series {
        points: dates.into_iter().map(|date| Point { date, value: values.get(&date).map(|it| it.1) }).collect(),
        unit: metric.unit.to_owned(),
        source: source.to_owned(),
        degraded: cut.into_iter().collect(),
    })
}

/// What was measured since a day, the newest first, and whether there was more than one call reads.
fn measured(cx: &Cx, site: &Id<Website>, metric: &Metric, from: Day) -> Result<(Vec<(Moment, f64)>, bool)> {
    let begin = u64::try_from(from.since_epoch()).unwrap_or(0) * DAY;
    // One that was asked for a month before can have ended within the period, not one that is older still.
    let near = |created_ms: u64| created_ms + 31 * DAY >= begin;
    match &metric.of {
        Of::Audit(value) => {
            let audits = || cx.records::<Audit>().by("site_id_created_ms").equals(site).descending();
            newest(audits, |audit: &Audit| {
                let ended = audit.finished_ms.filter(|_| audit.score.is_some()).map(Moment::from_millis);
                near(audit.created_ms).then(|| ended.zip(value(audit)))
            })
        }
        Of::Crawl(value) => {
            // The ids of crawls grow with time.
            let crawls = || cx.records::<Run>().by("site_id").equals(site).descending();
            newest(crawls, |Run(run): &Run| {
                let stopped = run.state == RunState::Stopped || run.stop_reason == Some(StopReason::Stopped);
                let counts = run.is_readable() && run.kind.is_crawl() && !stopped;
                let ended = run.finished_ms.filter(|_| counts).map(Moment::from_millis);
                near(run.created_ms).then(|| ended.map(|at| (at, value(run))))
            })
        }
    }
}

/// Reads rows up to the first that is too old, for which `value` gives nothing at all.
fn newest<'a, T: Readable>(
    query: impl Fn() -> Query<'a, T>,
    value: impl Fn(&T) -> Option<Option<(Moment, f64)>>,
) -> Result<(Vec<(Moment, f64)>, bool)> {
    let (mut found, mut read, mut cursor) = (Vec::new(), 0, None);
    loop {
        let page = query().page(CHUNK, cursor)?;
        for row in page.items {
            if read == MOST_ROWS {
                return Ok((found, true));
            }
            read += 1;
            match value(&row) {
                Some(measured) => found.extend(measured),
                None => return Ok((found, false)),
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            return Ok((found, false));
        }
    }
}

/// The first day of the day, week or month of a day.
fn first_of(day: Day, grain: Grain) -> Day {
    match grain {
        Grain::Day => day,
        // 1970-01-01 was a Thursday, the fourth day of its week.
        Grain::Week => day.plus(-(day.since_epoch() + 3).rem_euclid(7)),
        Grain::Month => {
            let (_, _, of_month) = day.civil();
            day.plus(1 - i32::try_from(of_month).unwrap_or(1))
        }
    }
}

/// The first day of the next one.
fn after(first: Day, grain: Grain) -> Day {
    match grain {
        Grain::Day => first.plus(1),
        Grain::Week => first.plus(7),
        // A month has 28 to 31 days.
        Grain::Month => first_of(first.plus(31), grain),
    }
}

#[cfg(test)]
mod tests;
