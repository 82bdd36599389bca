//! Click rates by position: published ones, and those fitted to a website's own figures.
//!
//! Positions 1 to 10 are the means of 80 million keywords on phones that SISTRIX published in July 2020 ("Why (almost)
//! everything you knew about Google CTR is no longer valid"). Below them no such measurement is public; the curve goes on
//! by the power law through positions 5 and 10, a straight line in logarithms, down to position 100.

use crate::statistics::{Direction, Point, isotonic};

/// Positions 1 to 10.
const MEASURED: [f64; 10] = [0.285, 0.157, 0.110, 0.080, 0.072, 0.051, 0.040, 0.032, 0.028, 0.025];

/// The last position that is thought to be clicked at all.
pub const LAST: f64 = 100.0;

/// The share of searches that end in a click on this position, from 0 to 1. Between whole positions it is a straight line;
/// above the first and below the last it is 0.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 10")]
pub fn expected(position: f64) -> f64 {
    if !(1.0..=LAST).contains(&position) {
        return 0.0;
    }
    if position >= 10.0 {
        let falls = (MEASURED[4] / MEASURED[9]).ln() / 2_f64.ln();
        return MEASURED[9] * (10.0 / position).powf(falls);
    }
    let below = position.floor();
    let (here, next) = (MEASURED[below as usize - 1], MEASURED[below as usize]);
    here + (next - here) * (position - below)
}

/// Impressions of a bin below which its click rate is noise.
const MIN_OF_BIN: u64 = 100;
/// Impressions of all bins below which the published curve is better.
pub const MIN_IMPRESSIONS: u64 = 5_000;
/// Positions of a curve.
const POSITIONS: usize = 100;

/// The figures of results at about one whole position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bin {
    /// Clicks.
    pub clicks: u64,
    /// Impressions.
    pub impressions: u64,
}

/// A click rate for each position.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Of the positions 1 to 100.
    rates: Vec<f64>,
    /// The impressions that it was fitted to; `None` for the published curve.
    pub impressions: Option<u64>,
}

impl Curve {
    /// The curve of [`expected`].
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "positions up to 100")]
    pub fn published() -> Self {
        Self { rates: (1..=POSITIONS).map(|position| expected(position as f64)).collect(), impressions: None }
    }

    /// Fits a curve to the bins of the positions 1, 2, 3 and so on: the falling line with the least squares, weighted by
    /// impressions. Bins with fewer than 100 impressions are ignored. Between bins the rate is a straight line in logarithms;
    /// before the first and after the last bin it is the published curve, scaled to meet it. `None` for fewer than
    /// [`MIN_IMPRESSIONS`] impressions.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    pub fn fit(bins: &[Bin]) -> Option<Self> {
        let used: Vec<Point> = bins
            .iter()
            .take(POSITIONS)
            .enumerate()
            .filter(|(_, bin)| bin.impressions >= MIN_OF_BIN)
            .map(|(at, bin)| {
                let (clicks, weight) = (bin.clicks as f64, bin.impressions as f64);
                Point { x: (at + 1) as f64, y: clicks / weight, weight }
            })
            .collect();
        let impressions = bins.iter().filter(|bin| bin.impressions >= MIN_OF_BIN).map(|bin| bin.impressions).sum();
        // A rate of 0 has no logarithm, and no position is never clicked.
        let knots: Vec<(f64, f64)> =
            isotonic(&used, Direction::Falling).into_iter().map(|knot| (knot.x, knot.y.max(1e-6))).collect();
        let (first, last) = (*knots.first()?, *knots.last()?);
        if impressions < MIN_IMPRESSIONS {
            return None;
        }
        let scaled = |position: f64, to: (f64, f64)| (expected(position) * to.1 / expected(to.0)).min(1.0);
        let rate = |position: f64| {
            if position <= first.0 {
                return scaled(position, first);
            }
            let after = knots.iter().position(|knot| knot.0 >= position);
            let Some(after) = after else { return scaled(position, last) };
            let (low, high) = (knots[after - 1], knots[after]);
            let share = (position - low.0) / (high.0 - low.0);
            (low.1.ln() + (high.1.ln() - low.1.ln()) * share).exp()
        };
        let rates = (1..=POSITIONS).map(|position| rate(position as f64)).collect();
        Some(Self { rates, impressions: Some(impressions) })
    }

    /// The click rate at a position. Straight lines between whole positions; 0 above the first and below the last.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 100")]
    pub fn at(&self, position: f64) -> f64 {
        if !(1.0..=LAST).contains(&position) {
            return 0.0;
        }
        let below = position.floor() as usize;
        let (here, next) = (self.rates[below - 1], self.rates[below.min(POSITIONS - 1)]);
        here + (next - here) * position.fract()
    }
}

#[cfg(test)]
mod tests {
    use super::{Bin, Curve, expected};

    #[test]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole clicks")]
    fn a_fitted_curve_falls_and_meets_its_bins() {
        let rates = [0.30, 0.16, 0.17, 0.08, 0.0, 0.05];
        let bins: Vec<Bin> = rates
            .iter()
            .map(|rate| Bin { clicks: (rate * 10_000.0) as u64, impressions: if *rate > 0.0 { 10_000 } else { 50 } })
            .collect();
        let curve = Curve::fit(&bins).expect("impressions enough");
        assert_eq!(curve.impressions, Some(50_000));
        for (position, wanted) in [(1.0, 0.30), (2.0, 0.165), (3.0, 0.165), (4.0, 0.08), (6.0, 0.05)] {
            assert!((curve.at(position) - wanted).abs() < 1e-9, "{position}: {}", curve.at(position));
        }
        // The fifth bin has too few impressions, so it is between its neighbours.
        assert!((curve.at(5.0) - (0.08_f64 * 0.05).sqrt()).abs() < 1e-9);
        let before = (1..=100).map(|it| curve.at(f64::from(it))).collect::<Vec<_>>();
        assert!(before.windows(2).all(|pair| pair[0] >= pair[1]));
        assert!((curve.at(12.0) / curve.at(6.0) - expected(12.0) / expected(6.0)).abs() < 1e-9);
        assert!(Curve::fit(&bins[4..5]).is_none() && Curve::fit(&[]).is_none());
        assert!((Curve::published().at(1.5) - expected(1.5)).abs() < 1e-12 && curve.at(0.5).abs() < f64::EPSILON);
    }

    #[test]
    fn a_better_position_is_never_clicked_less() {
        let mut before = 1.0;
        for tenth in 10..=1_000 {
            let now = expected(f64::from(tenth) / 10.0);
            assert!(now > 0.0 && now <= before, "{tenth}");
            before = now;
        }
    }

    #[test]
    fn the_measured_positions_are_as_published_and_others_between_or_none() {
        assert!((expected(1.0) - 0.285).abs() < 1e-12 && (expected(10.0) - 0.025).abs() < 1e-12);
        assert!((expected(1.5) - 0.221).abs() < 1e-12);
        assert!((expected(20.0) - 0.025 * 0.025 / 0.072).abs() < 1e-9);
        for nowhere in [0.0, 0.9, 100.5, f64::NAN, -3.0] {
            assert!(expected(nowhere).abs() < f64::EPSILON);
        }
    }
}
