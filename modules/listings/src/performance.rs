//! The operation `listings.performance.report`.
//!
//! Source: developers.google.com/my-business/reference/performance/rest/v1, `fetchMultiDailyMetricsTimeSeries`. Figures go back 18
//! months; those of the last days are not there yet. `BUSINESS_CONVERSATIONS` ended on 2026-01-31, `MESSAGING_CLICKS` began on
//! 2026-10-14.

use std::collections::BTreeMap;

use kit::statistics::round;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Send, json};

use crate::google;
use crate::place::Place;
use crate::stored::Location;
use crate::week::date;

/// Days that are reported when none are named.
const DEFAULT_DAYS: i32 = 90;
/// Days before today whose figures are not whole yet.
const LATE: i32 = 3;
/// Days that Google keeps: 18 months.
const KEPT: i32 = 540;
/// The same weekdays a year before.
const YEAR: i32 = 364;
/// The first day of the metric of messages that is counted today.
const MESSAGES_FROM: (i32, u32, u32) = (2026, 10, 14);

/// What is counted.
#[value]
pub(crate) enum Metric {
    ImpressionsMapsMobile,
    ImpressionsMapsDesktop,
    ImpressionsSearchMobile,
    ImpressionsSearchDesktop,
    Calls,
    DirectionRequests,
    WebsiteClicks,
    Bookings,
    MessagingClicks,
}

const METRICS: [(Metric, &str); 9] = [
    (Metric::ImpressionsMapsMobile, "BUSINESS_IMPRESSIONS_MOBILE_MAPS"),
    (Metric::ImpressionsMapsDesktop, "BUSINESS_IMPRESSIONS_DESKTOP_MAPS"),
    (Metric::ImpressionsSearchMobile, "BUSINESS_IMPRESSIONS_MOBILE_SEARCH"),
    (Metric::ImpressionsSearchDesktop, "BUSINESS_IMPRESSIONS_DESKTOP_SEARCH"),
    (Metric::Calls, "CALL_CLICKS"),
    (Metric::DirectionRequests, "BUSINESS_DIRECTION_REQUESTS"),
    (Metric::WebsiteClicks, "WEBSITE_CLICKS"),
    (Metric::Bookings, "BUSINESS_BOOKINGS"),
    (Metric::MessagingClicks, "MESSAGING_CLICKS"),
];

#[args]
pub(crate) struct Report {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// The first day; 90 whole days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
}

/// A metric by day.
#[value]
pub(crate) struct Series {
    metric: Metric,
    /// One value for each day from `from` to `to`; null where Google has none yet.
    values: Vec<Option<u64>>,
}

/// A metric over the days.
#[value]
pub(crate) struct Total {
    /// Null when no day has a value.
    total: Option<u64>,
    /// Days with a value.
    days: u64,
}

/// A metric against the same weekdays a year before.
#[value]
pub(crate) struct YearOnYear {
    /// Over the days that both years have.
    now: u64,
    before: u64,
    /// Such days.
    days: u64,
    /// From -1; null when there was nothing before.
    change: Option<f64>,
}

/// The figures.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    series: Vec<Series>,
    /// By metric.
    totals: BTreeMap<String, Total>,
    /// By metric; null where Google has no day of both years.
    yoy: Option<BTreeMap<String, YearOnYear>>,
    degraded: Vec<Degraded>,
}

/// Reports profile impressions, calls, direction requests, website clicks, bookings and messages by day from the performance API with year-on-year change.
///
/// Impressions count a person once a day and device. A year before is 364 days before: the same weekday. Days after the
/// last one that Google has figures of are null, never 0, and are in no total.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 4),
    needs = ["store", "connection:google_business_profile"],
    outside = ["google_business_profile.performance GET /v1/locations/*:fetchMultiDailyMetricsTimeSeries"],
    phrasings = ["how many calls does my profile bring", "google business profile statistics", "direction requests by day", "profile views against last year"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }, { "location_ref": "108800001.4503600001.con_1", "from": "2026-08-01", "to": "2026-08-31" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let today = cx.now().day();
    let to = args.to.unwrap_or_else(|| today.plus(-LATE - 1));
    let from = args.from.unwrap_or_else(|| to.plus(1 - DEFAULT_DAYS));
    if from > to {
        return Err(Fault::invalid("/from", "reversed_period", "from is after to"));
    }
    if to > today {
        return Err(Fault::invalid("/to", "in_future", "to is a day that has been"));
    }
    let mut degraded = Vec::new();
    let oldest = today.plus(-KEPT);
    if from < oldest {
        let message = format!("Google keeps 18 months: from is {oldest} or later");
        return Err(Fault::invalid("/from", "too_far_back", message));
    }
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let before = (from.plus(-YEAR).max(oldest), to.plus(-YEAR));
    let mut requests = vec![request(&place, from, to)];
    if before.0 <= before.1 {
        requests.push(request(&place, before.0, before.1));
    }
    let mut answers = cx.connections().send_many(requests).into_iter();
    let now = match answers.next() {
        Some(answer) => read(&google::answered(answer, "/location_ref")?),
        None => Read::new(),
    };
    let old = match answers.next() {
        Some(Ok(answer)) => google::answered(Ok(answer), "/location_ref").map(|it| read(&it)).ok(),
        Some(Err(_)) => None,
        None => Some(Read::new()),
    };
    if old.is_none() {
        degraded.push(Degraded::new("yoy", "Google did not answer for the year before"));
    }
    let days = to.since_epoch() - from.since_epoch() + 1;
    let value = |metric: Metric, day: Day| {
        now.get(&metric).and_then(|it| it.get(&day)).copied().filter(|_| counts(metric, day))
    };
    let series: Vec<Series> = METRICS
        .iter()
        .map(|(metric, _)| Series {
            metric: *metric,
            values: (0..days).map(|at| value(*metric, from.plus(at))).collect(),
        })
        .collect();
    let total = |it: &Series| {
        let known: Vec<u64> = it.values.iter().flatten().copied().collect();
        let total = (!known.is_empty()).then(|| known.iter().sum());
        (name(it.metric), Total { total, days: known.len() as u64 })
    };
    let totals: BTreeMap<String, Total> = series.iter().map(total).collect();
    if totals.values().all(|it| it.days == 0) {
        let why = "Google has no figures of these days; those of the last three days are never whole";
        degraded.push(Degraded::new("series", why));
    }
    let yoy = old.as_ref().map(|old| year_on_year(&now, old, from, days)).filter(|it| !it.is_empty());
    Ok(Reported { from, to, series, totals, yoy, degraded })
}

type Read = BTreeMap<Metric, BTreeMap<Day, u64>>;

/// The name of a metric, as series have it.
fn name(metric: Metric) -> String {
    json!(metric).as_str().unwrap_or_default().to_owned()
}

/// Whether a day can have a value of a metric.
fn counts(metric: Metric, day: Day) -> bool {
    let (year, month, first) = MESSAGES_FROM;
    metric != Metric::MessagingClicks || Day::from_civil(year, month, first).is_some_and(|from| day >= from)
}

fn request(place: &Place, from: Day, to: Day) -> Send {
    let mut request = Send::get(&place.connection, format!("{}:fetchMultiDailyMetricsTimeSeries", place.v1()))
        .service("performance")
        .max_bytes(4 << 20)
        .timeout(20_000);
    for (_, name) in METRICS {
        request = request.query("dailyMetrics", name);
    }
    for (end, day) in [("startDate", from), ("endDate", to)] {
        let (year, month, date) = day.civil();
        request = request
            .query(&format!("dailyRange.{end}.year"), year)
            .query(&format!("dailyRange.{end}.month"), month)
            .query(&format!("dailyRange.{end}.day"), date);
    }
    request
}

/// The values by day. Google leaves out a value that is 0, and one that it does not have yet: what comes after the last day
/// with any value at all is not there yet.
fn read(answer: &Value) -> Read {
    let mut dated: Vec<(Metric, Day, Option<u64>)> = Vec::new();
    let lists = answer["multiDailyMetricTimeSeries"].as_array().into_iter().flatten();
    for series in lists.flat_map(|it| it["dailyMetricTimeSeries"].as_array().into_iter().flatten()) {
        let Some((metric, _)) = METRICS.iter().find(|(_, name)| series["dailyMetric"] == *name) else { continue };
        for it in series["timeSeries"]["datedValues"].as_array().into_iter().flatten() {
            let value = it["value"].as_str().and_then(|it| it.parse().ok()).or_else(|| it["value"].as_u64());
            dated.extend(date(&it["date"]).map(|day| (*metric, day, value)));
        }
    }
    let last = dated.iter().filter(|it| it.2.is_some()).map(|it| it.1).max();
    let mut all = Read::new();
    for (metric, day, value) in dated {
        if value.is_some() || last.is_some_and(|last| day <= last) {
            all.entry(metric).or_default().insert(day, value.unwrap_or(0));
        }
    }
    all
}

fn year_on_year(now: &Read, old: &Read, from: Day, days: i32) -> BTreeMap<String, YearOnYear> {
    let mut rows = BTreeMap::new();
    for (metric, _) in METRICS {
        let (Some(now), Some(old)) = (now.get(&metric), old.get(&metric)) else { continue };
        let both = (0..days).filter_map(|at| {
            let day = from.plus(at);
            Some((now.get(&day)?, old.get(&day.plus(-YEAR))?)).filter(|_| counts(metric, day.plus(-YEAR)))
        });
        let (mut sum, mut before, mut count) = (0, 0, 0);
        for (one, other) in both {
            sum += one;
            before += other;
            count += 1;
        }
        if count > 0 {
            #[expect(clippy::cast_precision_loss, reason = "counts of people are far below 2^52")]
            let change = (before > 0).then(|| round(sum as f64 / before as f64 - 1.0, 4));
            rows.insert(name(metric), YearOnYear { now: sum, before, days: count, change });
        }
    }
    rows
}
