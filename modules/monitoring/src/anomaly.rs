//! The operation `monitoring.anomaly.detect`.

use kit::number::{as_count, as_number};
use kit::statistics::{MAD_TO_DEVIATION, Spread, decompose, gesd, median, round};
use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use search::{Measurement, Period};
use site::Site;

use crate::series;

/// Days that are needed, and the most that one call looks at.
const FEWEST: usize = 28;
const MOST_DAYS: i32 = 800;
/// Days of a series whose beginning is left out.
const USUAL: i32 = 180;
/// The significance level of the test.
const LEVEL: f64 = 0.01;
/// Days of one sign in a row that are a shift of the level and not so many anomalies.
const SHIFT: usize = 7;

#[args]
pub(crate) struct Detect {
    /// The website.
    site_id: Id<Site>,
    /// What is looked at: `search.clicks`, `search.impressions`, `search.ctr` or `search.position`, of web results.
    metric: Text<1, 60>,
    /// The first day; 180 days before the last when left out.
    from: Option<Day>,
    /// The last day; the last one with figures when left out.
    to: Option<Day>,
    /// The greatest part of days that may be anomalies.
    #[default(0.05)]
    max_share: Decimal<10, 200>,
}

/// What kind of anomaly it is.
#[value]
pub(crate) enum Kind {
    Spike,
    Dip,
    /// A week or more on one side.
    LevelShift,
}

/// A day, or a stretch of days, that the series before and after does not explain.
#[value]
pub(crate) struct Anomaly {
    date: Day,
    /// The last day of a shift.
    until: Option<Day>,
    kind: Kind,
    value: f64,
    expected: f64,
    /// How far it is beyond what is usual, in robust standard deviations.
    score: f64,
}

/// What is unusual in a series.
#[value]
pub(crate) struct Detected {
    /// Those with the greatest score first.
    anomalies: Vec<Anomaly>,
    n: u64,
    /// Days without figures: bridged, and never anomalies.
    missing_days: u64,
    /// What each weekday adds to or takes from the trend, Monday first; factors where `is_multiplicative`.
    weekday_effects: Vec<f64>,
    is_multiplicative: bool,
    /// The trend at the first and the last day.
    trend: [f64; 2],
    from: Day,
    to: Day,
    /// Faults of Google's figures in these days.
    measurement: Vec<Measurement>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Finds anomalies in a metric series with robust STL-style decomposition and generalised ESD on the residual, giving expected value, size and confidence.
///
/// The trend is a running median and the season the median of each weekday, so that anomalies do not hide themselves. What is left is
/// tested at the 1 % level, with median and median deviation. A week or more on one side is one shift of the level.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["find anomalies in my clicks", "unusual days in search traffic", "did something happen to my traffic"],
    examples = [
        { "site_id": "4503599627370496", "metric": "search.clicks" },
        { "site_id": "4503599627370496", "metric": "search.position", "from": "2026-01-01", "to": "2026-09-30" },
    ]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Detected> {
    let site = site::get(cx, &args.site_id)?;
    let metric = series::metric(args.metric.as_str(), "/metric")?;
    let Some(last) = series::last_day(cx, &site.id) else {
        let message = "no search figures of this website are stored; import them with search_console.sync.run";
        let sync = sdk::Fix::new("search_console.sync.run", json!({ "site_id": site.id }));
        return Err(Fault::conflict("figures_not_imported", message).at("/site_id").detail(json!(sync)));
    };
    let to = args.to.unwrap_or(last).min(last);
    let from = args.from.unwrap_or_else(|| to.plus(1 - USUAL));
    let length = to.since_epoch() - from.since_epoch() + 1;
    if length < 1 {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    if length > MOST_DAYS {
        let message = format!("a series has at most {MOST_DAYS} days; ask for a later `from`");
        return Err(Fault::invalid("/from", "period_too_long", message));
    }
    let period = Period { first: from, last: to };
    let values = series::read(cx, &site.id, metric, period);
    let there = values.iter().flatten().count();
    if there < FEWEST {
        let message = format!("{there} days have figures in this period, and {FEWEST} are needed");
        return Err(Fault::conflict("too_few_days", message).at("/from"));
    }
    let found = anomalies(&values, args.max_share.get());
    let date = |at: usize| from.plus(i32::try_from(at).unwrap_or(0));
    let anomalies: Vec<Anomaly> = found
        .anomalies
        .into_iter()
        .map(|it| Anomaly {
            date: date(it.first),
            until: (it.last > it.first).then(|| date(it.last)),
            kind: it.kind,
            value: round(it.value, 4),
            expected: round(it.expected, 4),
            score: round(it.score, 2),
        })
        .collect();
    // Monday is day 4 of 1970.
    let monday = usize::try_from((4 - from.since_epoch()).rem_euclid(7)).unwrap_or(0);
    let weekday_effects = (0..7).map(|at| round(found.season[(monday + at) % 7], 4)).collect();
    let mut degraded = Vec::new();
    let missing_days = (values.len() - there) as u64;
    if missing_days > 0 {
        degraded
            .push(Degraded::new("days", format!("{missing_days} days have no figures; they were bridged in a line")));
    }
    let explain = json!({ "site_id": site.id });
    Ok(Detected {
        anomalies,
        n: there as u64,
        missing_days,
        weekday_effects,
        is_multiplicative: found.multiplicative,
        trend: [round(found.trend[0], 4), round(found.trend[1], 4)],
        from,
        to,
        measurement: search::measurement(period),
        degraded,
        next: vec![Next::new("search_console.drop.explain", explain, "explains a fall by queries, pages and devices")],
    })
}

/// An anomaly by places of the series.
pub(crate) struct Found {
    pub(super) first: usize,
    pub(super) last: usize,
    kind: Kind,
    value: f64,
    expected: f64,
    score: f64,
}

/// What was found, with the parts of the series.
pub(crate) struct Parts {
    pub(crate) anomalies: Vec<Found>,
    season: Vec<f64>,
    multiplicative: bool,
    trend: [f64; 2],
}

impl Parts {
    /// The score, the value and what was expected of the anomaly that a place is in, if it is in one.
    pub(crate) fn on(&self, place: usize) -> Option<(f64, f64, f64)> {
        let found = self.anomalies.iter().find(|it| (it.first..=it.last).contains(&place))?;
        Some((found.score, found.value, found.expected))
    }
}

/// The anomalies of a daily series; missing days are bridged, and never anomalies.
pub(crate) fn anomalies(values: &[Option<f64>], max_share: f64) -> Parts {
    let whole = bridged(values);
    let parts = decompose(&whole);
    let there: Vec<usize> = (0..values.len()).filter(|at| values[*at].is_some()).collect();
    let residual: Vec<f64> = there.iter().map(|at| parts.residual[*at]).collect();
    let most = usize::try_from(as_count((max_share * as_number(residual.len() as u64)).ceil())).unwrap_or(0);
    let center = median(&residual);
    let off: Vec<f64> = residual.iter().map(|it| (it - center).abs()).collect();
    let scale = (MAD_TO_DEVIATION * median(&off)).max(f64::MIN_POSITIVE);
    let mut outliers: Vec<usize> =
        gesd(&residual, most, LEVEL, Spread::Medians).into_iter().map(|at| there[at]).collect();
    outliers.sort_unstable();
    let back = |it: f64| if parts.multiplicative { it.exp_m1() } else { it };
    let expected = |at: usize| back(parts.trend[at] + parts.season[at]);
    let mut out: Vec<Found> = Vec::new();
    for run in runs(&outliers, &parts.residual) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let worst = run.iter().copied().max_by(|a, b| parts.residual[*a].abs().total_cmp(&parts.residual[*b].abs()));
        let worst = worst.unwrap_or(first);
        let is_shift = run.len() >= SHIFT;
        let is_up = parts.residual[worst] > 0.0;
        let mean_of =
            |value: &dyn Fn(usize) -> f64| run.iter().map(|at| value(*at)).sum::<f64>() / as_number(run.len() as u64);
        if is_shift {
            out.push(Found {
                first,
                last,
                kind: Kind::LevelShift,
                value: mean_of(&|at| whole[at]),
                expected: mean_of(&expected),
                score: mean_of(&|at| (parts.residual[at] - center).abs()) / scale,
            });
            continue;
        }
        for at in run {
            out.push(Found {
                first: at,
                last: at,
                kind: if is_up { Kind::Spike } else { Kind::Dip },
                value: whole[at],
                expected: expected(at),
                score: (parts.residual[at] - center).abs() / scale,
            });
        }
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.first.cmp(&b.first)));
    let ends = [parts.trend.first(), parts.trend.last()].map(|it| back(it.copied().unwrap_or(0.0)));
    let season: Vec<f64> = (0..7).map(|at| parts.season.get(at).copied().unwrap_or(0.0)).collect();
    let season = if parts.multiplicative { season.into_iter().map(f64::exp).collect() } else { season };
    Parts { anomalies: out, season, multiplicative: parts.multiplicative, trend: ends }
}

/// Days of one sign in a row.
fn runs(days: &[usize], residual: &[f64]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for day in days {
        let goes_on = |run: &Vec<usize>| {
            run.last().is_some_and(|last| last + 1 == *day && (residual[*last] > 0.0) == (residual[*day] > 0.0))
        };
        match out.last_mut().filter(|run| goes_on(run)) {
            Some(run) => run.push(*day),
            None => out.push(vec![*day]),
        }
    }
    out
}

/// The series with its gaps bridged in lines.
fn bridged(values: &[Option<f64>]) -> Vec<f64> {
    let known: Vec<(usize, f64)> = values.iter().enumerate().filter_map(|(at, it)| Some((at, (*it)?))).collect();
    let at = |place: usize| {
        let next = known.partition_point(|it| it.0 < place);
        match (next.checked_sub(1).map(|it| known[it]), known.get(next)) {
            (_, Some((on, value))) if *on == place => *value,
            (Some((from, low)), Some((to, high))) => {
                low + (high - low) * as_number((place - from) as u64) / as_number((to - from) as u64)
            }
            (Some((_, value)), None) | (None, Some(&(_, value))) => value,
            (None, None) => 0.0,
        }
    };
    (0..values.len()).map(at).collect()
}

#[cfg(test)]
mod tests;
