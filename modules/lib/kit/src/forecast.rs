//! How a daily series goes on: the mean of each weekday, and how far the sum may be off.

use crate::statistics::{mean, quantile};

/// Days of a season: a week.
const WEEK: usize = 7;
/// Days of the past that count; four of each weekday.
pub const WINDOW: usize = 28;
/// With fewer days no weekday comes twice, and all days are taken together.
const WEEKLY_FROM: usize = 2 * WEEK;
/// Fewer days than these say nothing.
pub const LEAST: usize = 3;
/// The share of outcomes on each side of the interval.
const TAIL: f64 = 0.1;

/// The coming days of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// What each coming day is expected to bring, the first of them first.
    pub daily: Vec<f64>,
    /// How far their sum may fall short; zero or negative. One outcome in ten lies lower.
    pub below: f64,
    /// How far their sum may go beyond; zero or positive. One outcome in ten lies higher.
    pub above: f64,
}

/// The `ahead` days that follow on `history`, which has one value a day, the oldest first; none for a history of less
/// than [`LEAST`] days.
///
/// A day is expected to be the mean of the same weekday in the last [`WINDOW`] days. The interval holds eight of ten
/// outcomes of the sum: the 10 % and 90 % quantiles of the days' residuals, scaled by `√(n + Σ k²/m)`. There `n` is the
/// number of coming days, and the rest is for the means, which are off themselves: `k` coming days share the mean of `m`
/// past ones. A residual is widened by `√(m/(m−1))`, as a mean lies too close to the values that it was made of.
/// Days are taken to err independently of each other.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of days")]
pub fn weekdays(history: &[f64], ahead: usize) -> Option<Outlook> {
    let recent = &history[history.len().saturating_sub(WINDOW)..];
    if recent.len() < LEAST {
        return None;
    }
    let season = if recent.len() < WEEKLY_FROM { 1 } else { WEEK };
    let groups: Vec<Vec<f64>> =
        (0..season).map(|slot| recent.iter().skip(slot).step_by(season).copied().collect()).collect();
    let means: Vec<f64> = groups.iter().map(|group| mean(group)).collect();
    let residuals: Vec<f64> = groups
        .iter()
        .zip(&means)
        .flat_map(|(group, mean)| {
            let widened = (group.len() as f64 / (group.len() - 1) as f64).sqrt();
            group.iter().map(move |value| (value - mean) * widened)
        })
        .collect();
    let mut shared = vec![0_usize; season];
    let daily: Vec<f64> = (0..ahead)
        .map(|day| {
            let slot = (recent.len() + day) % season;
            shared[slot] += 1;
            means[slot]
        })
        .collect();
    let of_means: f64 = shared.iter().zip(&groups).map(|(k, group)| (k * k) as f64 / group.len() as f64).sum();
    let scale = (ahead as f64 + of_means).sqrt();
    Some(Outlook {
        daily,
        below: (quantile(&residuals, TAIL) * scale).min(0.0),
        above: (quantile(&residuals, 1.0 - TAIL) * scale).max(0.0),
    })
}

/// How wrong forecasts were: the mean of `2|f − a| / (|f| + |a|)`, from 0 to 2; a day that was 0 and said to be 0 counts
/// 0 (Makridakis 1993).
#[must_use]
pub fn smape(pairs: &[(f64, f64)]) -> f64 {
    let one = |(forecast, actual): &(f64, f64)| {
        let size = forecast.abs() + actual.abs();
        if size > 0.0 { 2.0 * (forecast - actual).abs() / size } else { 0.0 }
    };
    mean(&pairs.iter().map(one).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
