//! Robust decomposition of a daily series into trend, weekly season and residual.

use super::ranks::spearman;
use super::{mean, median};

/// Days of the running median.
const WINDOW: usize = 15;
const WEEK: usize = 7;
/// The rank correlation of |residual| and trend above which the decomposition is multiplicative.
const MULTIPLICATIVE_FROM: f64 = 0.4;

/// The components of a series, one value per day.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// The running median.
    pub trend: Vec<f64>,
    /// The effect of the weekday.
    pub season: Vec<f64>,
    /// The rest.
    pub residual: Vec<f64>,
    /// Whether the components are those of `ln(1 + value)`, because the residual grows with the trend.
    pub multiplicative: bool,
}

/// Decomposes a daily series by a running median of 15 days (shorter at the edges) and the median of each weekday, in two
/// iterations, so that outliers do not influence trend and season. Empty without values.
#[must_use]
pub fn decompose(values: &[f64]) -> Parts {
    let plain = parts(values);
    let pairs: Vec<(f64, f64)> = plain.residual.iter().map(|it| it.abs()).zip(plain.trend.iter().copied()).collect();
    let grows = spearman(&pairs).is_some_and(|it| it.value > MULTIPLICATIVE_FROM) && values.iter().all(|it| *it >= 0.0);
    if !grows {
        return plain;
    }
    let logs: Vec<f64> = values.iter().map(|it| it.ln_1p()).collect();
    Parts { multiplicative: true, ..parts(&logs) }
}

fn parts(values: &[f64]) -> Parts {
    let (mut season, mut trend) = (vec![0.0; values.len()], Vec::new());
    for _ in 0..2 {
        let without: Vec<f64> = values.iter().zip(&season).map(|(value, season)| value - season).collect();
        trend = running(&without);
        let level: Vec<f64> = values.iter().zip(&trend).map(|(value, trend)| value - trend).collect();
        let mut week: Vec<f64> =
            (0..WEEK).map(|slot| median(&level.iter().skip(slot).step_by(WEEK).copied().collect::<Vec<_>>())).collect();
        let middle = mean(&week);
        week.iter_mut().for_each(|it| *it -= middle);
        season = (0..values.len()).map(|at| week[at % WEEK]).collect();
    }
    let residual =
        values.iter().zip(&trend).zip(&season).map(|((value, trend), season)| value - trend - season).collect();
    Parts { trend, season, residual, multiplicative: false }
}

fn running(values: &[f64]) -> Vec<f64> {
    let reach = WINDOW / 2;
    (0..values.len())
        .map(|at| {
            let side = reach.min(at).min(values.len() - 1 - at).max(reach.min(3));
            median(&values[at.saturating_sub(side)..values.len().min(at + side + 1)])
        })
        .collect()
}
