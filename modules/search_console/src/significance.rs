//! Whether keys changed between two periods by more than chance.

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::pack::Search;
use kit::statistics::{Day as Counted, false_discovery, quasi_poisson};
use sdk::prelude::*;
use search::{Cut, Period};

use crate::given::Given;

/// Keys that are tested, those that changed most; a test is a regression over all days.
pub(crate) const MAX_TESTED: usize = 1_500;
/// Impressions below which a key is not tested.
pub(crate) const MIN_IMPRESSIONS: u64 = 10;

/// The test of one key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tested {
    pub(crate) p: f64,
    /// Corrected for all keys that were tested.
    pub(crate) q: f64,
    pub(crate) dispersion: f64,
    /// The bound of the 95 % interval of the ratio that is nearer to no change; `None` when a period is all zeros.
    pub(crate) nearer: Option<f64>,
}

/// What is counted.
pub(crate) type Count = fn(Search) -> u64;

/// Tests the keys `chosen` of a cut: quasi-Poisson over daily counts, with weekdays.
///
/// # Errors
/// 422 `period_too_wide`.
pub(crate) fn test<K: Ord + Clone>(
    given: &Given<'_>,
    cut: Cut,
    (before, after): (Period, Period),
    count: Count,
    groups: impl Fn(&[u8]) -> Vec<K>,
    chosen: &[K],
) -> Result<BTreeMap<K, Tested>> {
    let mut daily: BTreeMap<K, (Vec<f64>, Vec<f64>)> =
        chosen.iter().take(MAX_TESTED).map(|key| (key.clone(), (zeros(before), zeros(after)))).collect();
    for (period, first) in [(before, true), (after, false)] {
        let read = given.figures.by_day(cut, period, b"", |key, day, figures| {
            for group in groups(key) {
                if let Some((one, two)) = daily.get_mut(&group) {
                    let at = usize::try_from(day.since_epoch() - period.first.since_epoch()).unwrap_or(0);
                    let slot = if first { one.get_mut(at) } else { two.get_mut(at) };
                    if let Some(slot) = slot {
                        *slot += as_number(count(figures));
                    }
                }
            }
        });
        read.map_err(Given::unread)?;
    }
    let known = |period: Period| -> Vec<bool> {
        let days = given.figures.days(cut, period);
        period.days().map(|day| days.binary_search(&day).is_ok()).collect()
    };
    let (known_before, known_after) = (known(before), known(after));
    let tested: Vec<(K, Option<kit::statistics::Change>)> = daily
        .into_iter()
        .map(|(key, (one, two))| {
            let change = quasi_poisson(&counted(before, &one, &known_before), &counted(after, &two, &known_after));
            (key, change)
        })
        .collect();
    let values: Vec<f64> = tested.iter().map(|(_, change)| change.map_or(1.0, |it| it.p)).collect();
    let corrected = false_discovery(&values);
    Ok(tested
        .into_iter()
        .zip(corrected)
        .filter_map(|((key, change), q)| {
            let change = change?;
            let nearer =
                change.ratio.map(|ratio| if ratio.value >= 1.0 { ratio.low.max(1.0) } else { ratio.high.min(1.0) });
            Some((key, Tested { p: change.p, q, dispersion: change.dispersion, nearer }))
        })
        .collect())
}

fn zeros(period: Period) -> Vec<f64> {
    vec![0.0; usize::try_from(period.length()).unwrap_or(0)]
}

/// The days that are stored: a day that is missing is not a zero.
fn counted(period: Period, counts: &[f64], known: &[bool]) -> Vec<Counted> {
    period
        .days()
        .zip(counts)
        .zip(known)
        .filter(|(_, known)| **known)
        .map(|((day, count), _)| Counted { weekday: weekday(day), count: *count })
        .collect()
}

/// 0 for Thursday, the first day of 1970.
pub(crate) fn weekday(day: Day) -> u8 {
    u8::try_from(day.since_epoch().rem_euclid(7)).unwrap_or(0)
}
