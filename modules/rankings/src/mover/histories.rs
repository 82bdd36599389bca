//! Positions of keywords over checks, and how much they vary by themselves.

use std::collections::BTreeMap;

use kit::statistics::change_points::spread;
use kit::statistics::median;
use sdk::prelude::*;

use crate::board::Board;
use crate::rows;
use crate::stored::Check;

/// Checks before the first day that a keyword's own variance needs.
pub(super) const MIN_CHECKS: usize = 6;
/// Checks whose median is a position.
pub(super) const AROUND: usize = 3;
/// The least spread that is believed: positions are whole numbers.
const MIN_SPREAD: f64 = 0.5;
/// Positions up to which spreads are alike.
const BANDS: [f64; 4] = [3.0, 10.0, 20.0, 1e9];
/// The variance of the median of one, two and three values of the normal law, over that of one (David and Nagaraja 2003, "Order
/// Statistics", table of the variances of medians).
const OF_MEDIAN: [f64; 3] = [1.0, 0.5, 0.4487];

/// The positions of a keyword: place, and whether it was found; a place that was not found is one beyond the depth.
#[derive(Default)]
pub(super) struct History {
    pub(super) before: Vec<(f64, bool)>,
    pub(super) after: Vec<(f64, bool)>,
    pub(super) url: Option<String>,
}

impl History {
    /// The spread of the positions before; none for fewer than six, or where some were not found.
    pub(super) fn spread(&self) -> Option<f64> {
        let found: Vec<f64> = self.before.iter().filter(|it| it.1).map(|it| it.0).collect();
        (found.len() >= MIN_CHECKS && found.len() == self.before.len()).then(|| spread(&found, 1).max(MIN_SPREAD))
    }
}

/// The positions of every keyword in these checks.
///
/// # Errors
/// 503 `storage_damaged`.
pub(super) fn histories(
    board: &Board<'_>,
    before: &[Stored<Check>],
    after: &[Stored<Check>],
) -> Result<BTreeMap<String, History>> {
    let mut found: BTreeMap<String, History> = BTreeMap::new();
    let last = &after[after.len().saturating_sub(AROUND)..];
    for (checks, is_before) in [(before, true), (last, false)] {
        for check in checks {
            for row in rows::read(board.cx, check)?.rows {
                if board.set.is_some() && !board.keywords.contains_key(&row.keyword) {
                    continue;
                }
                let place = row.found().map_or((f64::from(row.depth + 1), false), |it| (f64::from(it), true));
                let history = found.entry(row.keyword).or_default();
                if is_before {
                    history.before.push(place)
                } else {
                    history.after.push(place)
                }
                history.url = row.url.or(history.url.take());
            }
        }
    }
    Ok(found)
}

/// The median of up to three checks.
pub(super) struct Side {
    pub(super) median: f64,
    pub(super) n: u64,
    found: u64,
}

impl Side {
    /// `None` without a check.
    pub(super) fn of(places: &[(f64, bool)]) -> Option<Self> {
        let last = &places[places.len().saturating_sub(AROUND)..];
        let values: Vec<f64> = last.iter().map(|it| it.0).collect();
        let found = last.iter().filter(|it| it.1).count() as u64;
        (!last.is_empty()).then(|| Self { median: median(&values), n: last.len() as u64, found })
    }

    /// How uncertain the median is, as a share of the variance of a single position.
    pub(super) fn variance(&self) -> f64 {
        let at = usize::try_from(self.n).unwrap_or(1).clamp(1, OF_MEDIAN.len());
        OF_MEDIAN[at - 1]
    }

    /// Whether the website was not found in most of them.
    pub(super) fn censored(&self) -> bool {
        self.found * 2 <= self.n
    }
}

/// The median spreads of keywords by the depth at which they stand.
pub(super) struct Spreads([Option<f64>; BANDS.len()]);

impl Spreads {
    /// That of a position; of all depths where none is known at its own.
    pub(super) fn of(&self, position: f64) -> Option<f64> {
        let at = BANDS.iter().position(|it| position <= *it).unwrap_or(BANDS.len() - 1);
        self.0[at].or_else(|| {
            let known: Vec<f64> = self.0.iter().flatten().copied().collect();
            (!known.is_empty()).then(|| median(&known))
        })
    }
}

/// The middle spreads of keywords with a long history.
pub(super) fn spreads(histories: &BTreeMap<String, History>) -> Spreads {
    let mut bands: [Vec<f64>; BANDS.len()] = Default::default();
    for history in histories.values() {
        if let (Some(spread), Some(side)) = (history.spread(), Side::of(&history.before)) {
            bands[BANDS.iter().position(|it| side.median <= *it).unwrap_or(BANDS.len() - 1)].push(spread);
        }
    }
    Spreads(bands.map(|it| (!it.is_empty()).then(|| median(&it))))
}
