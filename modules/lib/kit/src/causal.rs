//! What a change did to some pages: difference-in-differences against matched pages that were not changed.
//!
//! Of each group the daily mean is taken, then `log1p` of it; the difference of the groups is a series of days. The
//! effect is its mean after the change less its mean before (Angrist and Pischke 2009, "Mostly harmless econometrics",
//! 5.2): the coefficient of the interaction in `log1p ~ group + after + group × after`.

mod interval;
mod matching;

pub use interval::{BLOCK, DRAWS, interval};
pub use matching::{MOST_CONTROLS, nearest, weights};

use crate::statistics::mean;

/// The weighted mean of several pages, day by day. The weights need not add up to 1.
#[must_use]
pub fn daily_mean(pages: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let days = pages.iter().map(Vec::len).min().unwrap_or(0);
    let all: f64 = weights.iter().sum();
    let mut means = vec![0.0; days];
    for (page, weight) in pages.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        for (mean, value) in means.iter_mut().zip(page) {
            *mean += weight * value;
        }
    }
    if all > 0.0 {
        means.iter_mut().for_each(|mean| *mean /= all);
    }
    means
}

/// The difference of the two groups, each as `log1p` of its daily mean.
#[must_use]
pub fn differences(changed: &[f64], controls: &[f64]) -> Vec<f64> {
    changed.iter().zip(controls).map(|(changed, control)| changed.ln_1p() - control.ln_1p()).collect()
}

/// The effect: the mean difference from day `change` on less the mean before it; 0 when a side is empty.
#[must_use]
pub fn effect(differences: &[f64], change: usize) -> f64 {
    let (before, after) = differences.split_at(change.min(differences.len()));
    if before.is_empty() || after.is_empty() { 0.0 } else { mean(after) - mean(before) }
}

/// How often a change that never was has an effect as large as this one: `(1 + as large) / (1 + tried)`, the exact p of a
/// permutation test (Phipson and Smyth 2010). None when nothing was tried.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "some twenty dates")]
pub fn placebo(effect: f64, others: &[f64]) -> Option<f64> {
    let large = others.iter().filter(|other| other.abs() >= effect.abs()).count();
    (!others.is_empty()).then(|| (1 + large) as f64 / (1 + others.len()) as f64)
}

#[cfg(test)]
mod tests;
