//! Daily figures that are stored: what they are called, and how a series is read.

use kit::number::as_number;
use sdk::prelude::*;
use search::{Period, SearchType};
use site::Site;

/// What a figure is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Metric {
    Clicks,
    Impressions,
    Rate,
    Position,
}

/// The names of metrics.
const METRICS: [(&str, Metric); 4] = [
    ("search.clicks", Metric::Clicks),
    ("search.impressions", Metric::Impressions),
    ("search.ctr", Metric::Rate),
    ("search.position", Metric::Position),
];

/// The metric of this name.
///
/// # Errors
/// 422 `metric_not_stored` at `pointer`, with the names that there are.
pub(crate) fn metric(name: &str, pointer: &str) -> Result<Metric> {
    METRICS.iter().find(|it| it.0 == name).map(|it| it.1).ok_or_else(|| {
        let names: Vec<&str> = METRICS.iter().map(|it| it.0).collect();
        let message = format!("no daily figures are kept under this name; there are {}", names.join(", "));
        Fault::invalid(pointer, "metric_not_stored", message)
    })
}

/// The last day with figures.
pub(crate) fn last_day(cx: &Cx, site: &Id<Site>) -> Option<Day> {
    search::last_day(cx, site, SearchType::Web)
}

/// The figures of each day of a period; none for a day without.
pub(crate) fn read(cx: &Cx, site: &Id<Site>, metric: Metric, period: Period) -> Vec<Option<f64>> {
    let length = period.last.since_epoch() - period.first.since_epoch() + 1;
    let mut values: Vec<Option<f64>> = vec![None; usize::try_from(length).unwrap_or(0)];
    for it in search::days(cx, site, SearchType::Web, period) {
        let place = it.day().and_then(|day| usize::try_from(day.since_epoch() - period.first.since_epoch()).ok());
        if let Some(value) = place.and_then(|at| values.get_mut(at)) {
            *value = of(&it, metric);
        }
    }
    values
}

fn of(it: &search::DayRecord, metric: Metric) -> Option<f64> {
    let (clicks, impressions) = (as_number(it.clicks), as_number(it.impressions));
    let has = it.impressions > 0;
    match metric {
        Metric::Clicks => Some(clicks),
        Metric::Impressions => Some(impressions),
        Metric::Rate => has.then(|| clicks / impressions),
        Metric::Position => has.then(|| as_number(it.positions) / impressions),
    }
}
