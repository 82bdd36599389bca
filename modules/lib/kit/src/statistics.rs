//! Statistics: summaries, tests, regressions, forecasts. Each file names its method and its source; the tests compare the
//! results with scipy, statsmodels, scikit-learn, ruptures, lifelines and others (`tests/references/statistics`).

mod associations;
mod binomial;
pub mod change_points;
mod decompose;
pub mod ets;
mod false_discovery;
mod gesd;
mod isotonic;
mod nelder_mead;
mod normal;
mod poisson;
mod proportions;
mod quasi_poisson;
mod ranks;
pub mod seasons;
mod survival;

pub use associations::log_likelihood;
pub use binomial::{Side, binomial, rates, sign_test, wilson};
pub use decompose::{Parts, decompose};
pub use false_discovery::false_discovery;
pub use gesd::{MAD_TO_DEVIATION, Spread, critical_value, gesd, modified_z};
pub use isotonic::{Direction, Knot, Point, isotonic};
pub use normal::two_sided_normal;
pub use poisson::{Fit, FitError, MAX_COLUMNS, poisson, poisson_at_least};
pub use proportions::{Difference, Parts as ShareParts, quasi_binomial};
pub use quasi_poisson::{Change, Day, Ratio, quasi_poisson};
pub use ranks::{Correlation, MIN_PAIRS, MIN_VALUES, Trend, mean_ranks, rank_biased_overlap, spearman, trend};
pub use survival::{Survival, median_survival, survival};

/// The arithmetic mean; 0 without values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of pages and words are far below 2^52")]
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The standard deviation of a sample (divided by n − 1); 0 for fewer than two values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of pages and words are far below 2^52")]
pub fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let middle = mean(values);
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// The value below which a share of the values lies, with straight lines between neighbours: type 7 of Hyndman and Fan
/// (1996), what numpy and R do by default. `share` from 0 to 1; 0 without values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of pages and words are far below 2^52")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position inside the list")]
pub fn quantile(values: &[f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (at - at.floor())
}

/// The middle value, the mean of the two middle ones of an even count; 0 without values.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Rounded to `digits` digits after the point, for results that people read.
#[must_use]
pub fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests;
