//! The visibility index: demand times click rate over the demand times the click rate of first places.

pub(crate) mod report;

use kit::chance::Chance;
use kit::ctr;
use kit::statistics::quantile;

use crate::board::Board;
use crate::demand::Weights;
use crate::rows::{Row, Rows};

/// Keywords below which an index says nothing.
pub(crate) const MIN_KEYWORDS: usize = 20;
/// Draws of keywords with replacement.
const DRAWS: usize = 1_000;

/// What a keyword weighs and brings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) weight: f64,
    /// The click rate of its place; 0 when it was not found.
    pub(crate) rate: f64,
}

/// A row with its weight.
pub(crate) type Weighed<'r> = (&'r Row, f64);

/// The rows of a check with what their keywords weigh.
pub(crate) fn weigh<'r>(board: &Board<'_>, rows: &'r Rows, by_volume: bool) -> (Vec<Weighed<'r>>, Weights) {
    let keywords = rows.rows.iter().map(|it| it.keyword.as_str());
    let weights = if by_volume { Weights::of(board, keywords) } else { Weights::equal() };
    (rows.rows.iter().map(|it| (it, weights.weight(board, &it.keyword))).collect(), weights)
}

/// The places of the website, or of a domain, for these rows.
pub(crate) fn places(rows: &Rows, of: &[Weighed<'_>], domain: Option<&str>) -> Vec<Place> {
    let number = domain.map(|it| rows.number(it));
    let place = |(row, weight): &Weighed<'_>| {
        let position = match number {
            None => row.found(),
            Some(number) => number.and_then(|it| rows.place_of(row, it)),
        };
        let rate = position.map_or(0.0, |it| ctr::expected(f64::from(it)));
        Place { weight: *weight, rate }
    };
    of.iter().map(place).collect()
}

/// The index of places, 0 to 1; `None` for fewer than 20 keywords, or when none has any demand.
pub(crate) fn index(places: &[Place]) -> Option<f64> {
    let all: f64 = places.iter().map(|it| it.weight).sum();
    let brought: f64 = places.iter().map(|it| it.weight * it.rate).sum();
    (places.len() >= MIN_KEYWORDS && all > 0.0).then(|| brought / (all * ctr::expected(1.0)))
}

/// The 95 % intervals of several indices over the same keywords: percentiles of 1,000 draws of keywords with replacement
/// (Efron 1979), the same draws for all. `None` where [`index`] is.
pub(crate) fn intervals(all: &[Vec<Place>], chance: &mut Chance) -> Vec<Option<[f64; 2]>> {
    let Some(count) = all.first().map(Vec::len).filter(|it| *it >= MIN_KEYWORDS) else {
        return vec![None; all.len()];
    };
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(DRAWS); all.len()];
    let mut brought = vec![0.0; all.len()];
    for _ in 0..DRAWS {
        brought.fill(0.0);
        let mut weight = 0.0;
        for _ in 0..count {
            let at = chance.below(count);
            weight += all[0][at].weight;
            for (sum, places) in brought.iter_mut().zip(all) {
                *sum += places[at].weight * places[at].rate;
            }
        }
        if weight > 0.0 {
            let first = weight * ctr::expected(1.0);
            drawn.iter_mut().zip(&brought).for_each(|(values, sum)| values.push(sum / first));
        }
    }
    let interval =
        |values: Vec<f64>| (!values.is_empty()).then(|| [quantile(&values, 0.025), quantile(&values, 0.975)]);
    drawn.into_iter().map(interval).collect()
}

#[cfg(test)]
mod tests {
    //! Held against numpy by `tests/references/rankings/visibility.py`.

    use kit::chance::Chance;
    use kit::ctr;
    use serde::Deserialize;

    use super::{Place, index, intervals};

    #[derive(Deserialize)]
    struct Case {
        seed: u64,
        weights: Vec<f64>,
        positions: Vec<Vec<u32>>,
        index: Vec<f64>,
        low: Vec<f64>,
        high: Vec<f64>,
    }

    #[test]
    fn indices_and_intervals_are_those_of_numpy_over_the_same_draws() {
        let cases: Vec<Case> = serde_json::from_slice(include_bytes!("../data/visibility.json")).expect("the fixture");
        assert_eq!(cases.len(), 3);
        for case in cases {
            let rate = |position: u32| if position == 0 { 0.0 } else { ctr::expected(f64::from(position)) };
            let side = |positions: &Vec<u32>| -> Vec<Place> {
                let pairs = positions.iter().zip(&case.weights);
                pairs.map(|(position, weight)| Place { weight: *weight, rate: rate(*position) }).collect()
            };
            let sides: Vec<Vec<Place>> = case.positions.iter().map(side).collect();
            let found = intervals(&sides, &mut Chance::new(case.seed));
            for (at, places) in sides.iter().enumerate() {
                let own = index(places).expect("keywords enough");
                assert!((own - case.index[at]).abs() < 1e-12, "{own} {}", case.index[at]);
                let [low, high] = found[at].expect("keywords enough");
                assert!((low - case.low[at]).abs() < 1e-12 && (high - case.high[at]).abs() < 1e-12, "{low} {high}");
            }
        }
    }
}
