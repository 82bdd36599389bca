//! What carries a change: Adtributor.
//!
//! Bhagwan, Kumar, Ramjee, Varghese, Mohapatra, Manoharan and Shah 2014, "Adtributor: Revenue Debugging in Advertising
//! Systems" (NSDI).

use kit::number::as_number;
use std::collections::BTreeMap;

/// The least share of the change that an element of a driver explains.
const MIN_ELEMENT: f64 = 0.1;
/// The share of the change that the elements of a driver explain together.
const ENOUGH: f64 = 0.67;
/// Elements of a driver.
const MAX_ELEMENTS: usize = 10;

/// An element of a dimension that carries a part of the change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Element {
    pub(super) key: String,
    pub(super) before: f64,
    pub(super) after: f64,
    /// The part of the whole change; parts may exceed 1 when others changed the other way.
    pub(super) share: f64,
    /// How much its share of the whole changed (Jensen-Shannon divergence).
    pub(super) surprise: f64,
}

/// The elements of a dimension that together explain a change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Driver {
    pub(super) elements: Vec<Element>,
    /// Whether they explain two thirds of the change.
    pub(super) enough: bool,
    pub(super) surprise: f64,
}

/// What of a dimension explains the change of the whole. `values` are those of each element before and after, a day; the
/// elements partition the whole. `None` without a change or without an element that explains a tenth of it.
pub(super) fn driver(values: &BTreeMap<String, (f64, f64)>) -> Option<Driver> {
    let (all_before, all_after) = values.values().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let change = all_after - all_before;
    if change.abs() < f64::EPSILON || all_before <= 0.0 || all_after <= 0.0 {
        return None;
    }
    let mut elements: Vec<Element> = values
        .iter()
        .map(|(key, (before, after))| Element {
            key: key.clone(),
            before: *before,
            after: *after,
            share: (after - before) / change,
            surprise: surprise(before / all_before, after / all_after),
        })
        .collect();
    elements.sort_by(|a, b| b.surprise.total_cmp(&a.surprise).then_with(|| a.key.cmp(&b.key)));
    let (mut chosen, mut explained) = (Vec::new(), 0.0);
    for element in elements {
        if element.share >= MIN_ELEMENT && chosen.len() < MAX_ELEMENTS && explained < ENOUGH {
            explained += element.share;
            chosen.push(element);
        }
    }
    let surprise = chosen.iter().map(|it| it.surprise).sum();
    (!chosen.is_empty()).then_some(Driver { elements: chosen, enough: explained >= ENOUGH, surprise })
}

/// The term of the Jensen-Shannon divergence of two shares.
fn surprise(before: f64, after: f64) -> f64 {
    let term = |share: f64| if share > 0.0 { share * (2.0 * share / (before + after)).ln() } else { 0.0 };
    0.5 * (term(before) + term(after))
}

/// The leading driver: of those that explain enough the one with the greatest surprise, then with the fewest elements; of
/// none such the one that explains most.
pub(super) fn leading(drivers: &[(String, Driver)]) -> Option<usize> {
    let explained = |driver: &Driver| driver.elements.iter().map(|it| it.share).sum::<f64>();
    (0..drivers.len()).max_by(|a, b| {
        let (a, b) = (&drivers[*a].1, &drivers[*b].1);
        let by_enough = a.enough.cmp(&b.enough);
        let by_value = if a.enough && b.enough {
            a.surprise.total_cmp(&b.surprise)
        } else {
            explained(a).total_cmp(&explained(b))
        };
        by_enough.then(by_value).then(b.elements.len().cmp(&a.elements.len()))
    })
}

/// Sums as numbers a day.
pub(super) fn per_day(counts: &BTreeMap<String, (u64, u64)>, days: (usize, usize)) -> BTreeMap<String, (f64, f64)> {
    let (before, after) = (as_number(days.0.max(1) as u64), as_number(days.1.max(1) as u64));
    counts.iter().map(|(key, it)| (key.clone(), (as_number(it.0) / before, as_number(it.1) / after))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(rows: &[(&str, f64, f64)]) -> BTreeMap<String, (f64, f64)> {
        rows.iter().map(|(key, before, after)| ((*key).to_owned(), (*before, *after))).collect()
    }

    #[test]
    fn the_element_that_fell_is_the_driver_and_its_dimension_leads() {
        let device = driver(&values(&[("mobile", 600.0, 300.0), ("desktop", 400.0, 396.0)])).expect("a change");
        assert_eq!(device.elements.iter().map(|it| it.key.as_str()).collect::<Vec<_>>(), ["mobile"]);
        assert!(device.enough && (device.elements[0].share - 300.0 / 304.0).abs() < 1e-9);
        // Countries fell alike: they explain the change by their size, and nothing about them is surprising.
        let country = driver(&values(&[("DE", 500.0, 349.0), ("GB", 500.0, 347.0)])).expect("a change");
        let drivers = [("country".to_owned(), country), ("device".to_owned(), device)];
        assert_eq!(leading(&drivers), Some(1));
    }

    #[test]
    fn nothing_carries_no_change_and_shares_may_pass_one_when_others_rose() {
        assert!(driver(&values(&[("a", 5.0, 5.0), ("b", 2.0, 2.0)])).is_none());
        assert!(driver(&BTreeMap::new()).is_none() && leading(&[]).is_none());
        let mixed = driver(&values(&[("a", 100.0, 40.0), ("b", 100.0, 140.0)])).expect("a change");
        assert_eq!(mixed.elements.len(), 1);
        assert!((mixed.elements[0].share - 3.0).abs() < 1e-9, "{mixed:?}");
    }
}
