//! The operation `search_console.forecast.get`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::statistics::ets;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use search::{Cut, Measurement, Period, SearchType, parts};
use site::{Segment, Site};

use crate::given::{Given, synced};

/// Days of history that are read.
const HISTORY: i32 = 500;
/// Days below which there is no forecast.
const MIN_DAYS: usize = 14;
/// Days ahead beyond which a yearly season would matter.
const SHORT: i32 = 90;
/// Days of clean impressions that a forecast of impressions needs.
const MIN_CLEAN: usize = 90;
/// Days between the origins of the back-test, their number, and days ahead.
const BACKTEST: (usize, usize, usize) = (7, 8, 28);
/// The standard normal quantiles of 0.9 and 0.975: intervals of 80 and 95 %.
const Z80: f64 = 1.281_551_565_544_600_4;
const Z95: f64 = 1.959_963_984_540_054;

/// What is forecast.
#[value]
pub(crate) enum Metric {
    Clicks,
    Impressions,
}

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Site>,
    /// What is forecast.
    #[default("clicks")]
    metric: Metric,
    /// Days after the last stored one.
    #[default(90)]
    days: Count<7, 180>,
    /// Only the pages of this segment of the website.
    segment_ref: Option<Id<Segment>>,
}

/// A day to come.
#[value]
pub(crate) struct Ahead {
    date: Day,
    value: f64,
    /// The bounds of the 80 % interval.
    low: f64,
    high: f64,
    /// The bounds of the 95 % interval.
    low95: f64,
    high95: f64,
}

/// The sum over all days to come, with intervals of its own: days err together.
#[value]
pub(crate) struct Total {
    value: f64,
    /// The bounds of the 80 % interval.
    low: f64,
    high: f64,
    /// The bounds of the 95 % interval.
    low95: f64,
    high95: f64,
}

/// How well the same forecast would have been in the past.
#[value]
pub(crate) struct Backtest {
    /// The symmetric mean absolute percentage error over 28 days, 0 to 2, averaged over the origins.
    smape: f64,
    /// The same of the naive forecast: each day as a week before.
    baseline: f64,
    /// The origins.
    n: u32,
}

/// A forecast.
#[value]
pub(crate) struct Forecast {
    /// Day by day.
    forecast: Vec<Ahead>,
    /// All days together.
    total: Total,
    /// Null for a history that is too short to be tested.
    backtest: Option<Backtest>,
    /// `ets` (damped trend and weekly season) or `weekday_means`, for fewer than 28 days.
    #[own]
    model: String,
    /// Days of history that were used.
    n_days: u32,
    /// Known faults of Google's figures in the history.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Forecasts clicks or impressions with damped Holt-Winters (weekly season) and shows back-test error against a seasonal-naive baseline.
///
/// The model is ETS(A,Ad,A) in state-space form, so its intervals follow from a formula; the interval of the sum is its own.
/// Days whose impressions Google counted wrong are left out of a forecast of impressions.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "forecast my clicks for the next three months",
        "how much search traffic can I expect",
        "predict impressions of the blog",
        "search traffic projection with confidence interval",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "metric": "impressions", "days": 28 }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Forecast> {
    synced(cx, &args.site_id, SearchType::Web)?;
    let given = Given::of(cx, &args.site_id, SearchType::Web, None, None)?;
    let last = given.period.last;
    let history = Period::ending(last, HISTORY);
    let mut given = Given { degraded: Vec::new(), period: history, ..given };
    let mut known: BTreeMap<Day, f64> = BTreeMap::new();
    if let Some(rules) = site::rules(cx, given.site.id.as_str(), args.segment_ref.as_ref())? {
        given.needs(Cut::Pages, Period::ending(last, 28))?;
        known.extend(given.figures.days(Cut::Pages, history).into_iter().map(|day| (day, 0.0)));
        let read = given.figures.by_day(Cut::Pages, history, b"", |key, day, figures| {
            if site::holds(&rules, parts(key).0) {
                let value = if args.metric == Metric::Clicks { figures.clicks } else { figures.impressions };
                *known.entry(day).or_default() += as_number(value);
            }
        });
        read.map_err(|why| Given::unread(why).at("/segment_ref"))?;
    } else {
        for record in given.days(history) {
            let value = if args.metric == Metric::Clicks { record.clicks } else { record.impressions };
            known.extend(record.day().map(|day| (day, as_number(value))));
        }
    }
    if args.metric == Metric::Impressions {
        let wrong = known.keys().filter(|day| search::is_wrong(kit::anomalies::Metric::Impressions, **day)).count();
        known.retain(|day, _| !search::is_wrong(kit::anomalies::Metric::Impressions, *day));
        if wrong > 0 && known.len() < MIN_CLEAN {
            let message =
                format!("only {} days of right impressions are stored, and {MIN_CLEAN} are needed", known.len());
            return Err(Fault::conflict("measurement_break", message).at("/metric"));
        }
    }
    let Some(first) = known.keys().next().copied().filter(|_| known.len() >= MIN_DAYS) else {
        let message = format!("{} days are stored, and a forecast needs {MIN_DAYS}", known.len());
        return Err(Fault::conflict("history_too_short", message).at("/site_id"));
    };
    let values: Vec<Option<f64>> = Period { first, last }.days().map(|day| known.get(&day).copied()).collect();
    let ahead = usize::try_from(u64::from(args.days)).unwrap_or(90);
    if i32::try_from(ahead).unwrap_or(i32::MAX) > SHORT {
        let why = "a season of the year is not part of the forecast, and beyond 90 days it may matter";
        given.degraded.push(Degraded::new("yearly season", why));
    }
    let (forecast, total, model, n_days) = match ets::fit(&values) {
        Some(model) => {
            let filled = model.filled;
            if filled > 0 {
                let why = format!("{filled} days without figures are bridged by the model's own forecast");
                given.degraded.push(Degraded::new("days", why));
            }
            (by_model(&model, last, ahead), sum_by_model(&model, ahead), "ets", model.days)
        }
        None => by_weekdays(&values, last, ahead)?,
    };
    Ok(Forecast {
        forecast,
        total,
        backtest: backtest(&values),
        model: model.to_owned(),
        n_days: u32::try_from(n_days).unwrap_or(u32::MAX),
        measurement: search::measurement(Period { first, last }),
        basis: given.basis,
        degraded: given.degraded,
    })
}

fn by_model(model: &ets::Model, last: Day, ahead: usize) -> Vec<Ahead> {
    (1..=ahead)
        .map(|day| {
            let expected = model.day(day);
            bounded(last.plus(i32::try_from(day).unwrap_or(0)), expected.mean, expected.variance.sqrt())
        })
        .collect()
}

/// A day. Counts are never negative.
fn bounded(date: Day, value: f64, deviation: f64) -> Ahead {
    let bound = |value: f64| round(value.max(0.0), 2);
    Ahead {
        date,
        value: bound(value),
        low: bound(value - Z80 * deviation),
        high: bound(value + Z80 * deviation),
        low95: bound(value - Z95 * deviation),
        high95: bound(value + Z95 * deviation),
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 180 days")]
fn sum_by_model(model: &ets::Model, ahead: usize) -> Total {
    let expected = model.days(1, ahead);
    let days = ahead as f64;
    let Ahead { value, low, high, low95, high95, .. } =
        bounded(Day::from_epoch(0), expected.mean * days, expected.variance.sqrt() * days);
    Total { value, low, high, low95, high95 }
}

/// Weekday means, for a history of two to four weeks.
fn by_weekdays(values: &[Option<f64>], last: Day, ahead: usize) -> Result<(Vec<Ahead>, Total, &'static str, usize)> {
    let whole: Vec<f64> = values.iter().rev().map_while(|value| *value).collect();
    let whole: Vec<f64> = whole.into_iter().rev().collect();
    let outlook = kit::forecast::weekdays(&whole, ahead).filter(|_| whole.len() >= MIN_DAYS).ok_or_else(|| {
        let message = format!("{} days without a gap are stored, and a forecast needs {MIN_DAYS}", whole.len());
        Fault::conflict("history_too_short", message).at("/site_id")
    })?;
    let deviation = kit::statistics::deviation(&whole);
    let days =
        outlook.daily.iter().zip(1_i32..).map(|(value, day)| bounded(last.plus(day), *value, deviation)).collect();
    let sum: f64 = outlook.daily.iter().sum();
    // The 80 % interval comes from the residuals; the 95 % interval is as much wider as that of a normal law.
    let wider = |reach: f64| reach * Z95 / Z80;
    let bound = |value: f64| round(value.max(0.0), 2);
    let total = Total {
        value: bound(sum),
        low: bound(sum + outlook.below),
        high: bound(sum + outlook.above),
        low95: bound(sum + wider(outlook.below)),
        high95: bound(sum + wider(outlook.above)),
    };
    Ok((days, total, "weekday_means", whole.len()))
}

/// The error of forecasts from earlier days, beside that of the week before repeated.
fn backtest(values: &[Option<f64>]) -> Option<Backtest> {
    let (step, origins, ahead) = BACKTEST;
    let (mut own, mut naive) = (Vec::new(), Vec::new());
    for origin in 0..origins {
        let Some(end) = values.len().checked_sub(ahead + origin * step) else { break };
        let Some(model) = ets::fit(&values[..end]) else { break };
        let actual = &values[end..end + ahead];
        let expected: Vec<f64> = (1..=ahead).map(|day| model.day(day).mean.max(0.0)).collect();
        let repeated: Vec<f64> = (0..ahead).map(|day| values[end - 7 + day % 7].unwrap_or(0.0)).collect();
        own.extend(smape(actual, &expected));
        naive.extend(smape(actual, &repeated));
    }
    let mean = kit::statistics::mean;
    (!own.is_empty()).then(|| Backtest {
        smape: round(mean(&own), 4),
        baseline: round(mean(&naive), 4),
        n: u32::try_from(own.len()).unwrap_or(0),
    })
}

/// The symmetric mean absolute percentage error over days with a value; `None` when there are none.
fn smape(actual: &[Option<f64>], expected: &[f64]) -> Option<f64> {
    let errors: Vec<f64> = actual
        .iter()
        .zip(expected)
        .filter_map(|(actual, expected)| {
            let size = (actual.as_ref()?.abs() + expected.abs()) / 2.0;
            Some(if size > 0.0 { ((*actual)? - expected).abs() / size } else { 0.0 })
        })
        .collect();
    (!errors.is_empty()).then(|| kit::statistics::mean(&errors))
}
