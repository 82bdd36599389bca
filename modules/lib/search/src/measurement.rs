//! Known faults of Google's figures: which days they make wrong, and between which days nothing can be compared.
//!
//! The table itself is `kit::anomalies`.

use kit::anomalies::{ANOMALIES, Anomaly, Metric};
use sdk::prelude::*;

use crate::Period;

/// A known fault of Google's figures.
#[value]
pub struct Measurement {
    /// Its first day.
    pub from: Day,
    /// Its last day. Figures on the two sides of either border cannot be compared.
    pub to: Day,
    /// The figures that are wrong: `impressions`, `ctr`, `position`.
    pub wrong_figures: Vec<String>,
    /// What happened.
    #[own]
    pub what: String,
    /// Where it is documented.
    #[own]
    pub source: String,
}

impl Measurement {
    fn of(it: &Anomaly) -> Self {
        Self {
            from: day(it.first),
            to: day(it.last),
            wrong_figures: it.metrics.iter().map(|metric| name(*metric).to_owned()).collect(),
            what: it.what.to_owned(),
            source: it.source.to_owned(),
        }
    }
}

/// The known faults that a period touches.
#[must_use]
pub fn measurement(period: Period) -> Vec<Measurement> {
    let touched = ANOMALIES.iter().filter(|it| day(it.first) <= period.last && day(it.last) >= period.first);
    touched.map(Measurement::of).collect()
}

/// Whether a figure of a day is one of those that are wrong.
#[must_use]
pub fn is_wrong(metric: Metric, on: Day) -> bool {
    ANOMALIES.iter().any(|it| it.concerns(metric) && (day(it.first)..=day(it.last)).contains(&on))
}

/// The days around a day whose figures can be compared with each other: from the last border of a fault of the figure up to the
/// next one. Each is `None` where there is no border on that side.
#[must_use]
pub fn comparable(metric: Metric, around: Day) -> (Option<Day>, Option<Day>) {
    let concerned = || ANOMALIES.iter().filter(|it| it.concerns(metric));
    // The first day of a fault and the day after its last one begin something new.
    let borders = || concerned().flat_map(|it| [day(it.first), day(it.last).plus(1)]);
    let first = borders().filter(|it| *it <= around).max();
    let last = borders().filter(|it| *it > around).min().map(|it| it.plus(-1));
    (first, last)
}

fn day((year, month, day): (i32, u32, u32)) -> Day {
    Day::from_civil(year, month, day).unwrap_or(Day::from_epoch(0))
}

fn name(metric: Metric) -> &'static str {
    match metric {
        Metric::Clicks => "clicks",
        Metric::Impressions => "impressions",
        Metric::ClickRate => "ctr",
        Metric::Position => "position",
    }
}
