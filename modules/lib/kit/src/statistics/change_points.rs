//! Change points of a series: the strongest one with a p-value (CUSUM), or all of them (PELT).

use crate::chance::Chance;

use super::gesd::MAD_TO_DEVIATION;
use super::{mean, median};

/// The fewest days on each side of a change point.
pub const MARGIN: usize = 7;
/// The fewest days of a series.
pub const MIN_DAYS: usize = 35;
/// Days that are resampled together, which keeps their autocorrelation.
const BLOCK: usize = 14;
/// Resampled series.
const DRAWS: usize = 999;

/// The strongest change point of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The index of the first value after it.
    pub at: usize,
    /// The mean after it minus the mean before it.
    pub step: f64,
    /// The p-value of "no change".
    pub p: f64,
}

/// Prepares daily counts: `ln(1 + count)` minus the median of its weekday. The series may start on any weekday.
#[must_use]
pub fn without_weekdays(counts: &[f64]) -> Vec<f64> {
    let logs: Vec<f64> = counts.iter().map(|it| it.max(0.0).ln_1p()).collect();
    let usual: Vec<f64> =
        (0..7).map(|slot| median(&logs.iter().skip(slot).step_by(7).copied().collect::<Vec<_>>())).collect();
    logs.iter().enumerate().map(|(at, it)| it - usual[at % 7]).collect()
}

/// The strongest change of the mean, by the maximum of the normalized CUSUM (Csörgő and Horváth 1997). The p-value comes
/// from 999 resampled series: circular blocks of 14 days of the centred series (Politis and Romano 1992). Do not draw the
/// blocks from the residuals of the two sides: that finds a change in 18 to 35 % of the series that have none.
///
/// `None` for fewer than [`MIN_DAYS`] values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a count of days")]
pub fn cusum(values: &[f64], chance: &mut Chance) -> Option<ChangePoint> {
    if values.len() < MIN_DAYS {
        return None;
    }
    let middle = mean(values);
    let centred: Vec<f64> = values.iter().map(|it| it - middle).collect();
    let (at, height) = peak(&centred);
    let mut as_high = 1_usize;
    let mut drawn = Vec::with_capacity(centred.len() + BLOCK);
    for _ in 0..DRAWS {
        drawn.clear();
        while drawn.len() < centred.len() {
            let from = chance.below(centred.len());
            drawn.extend((0..BLOCK).map(|day| centred[(from + day) % centred.len()]));
        }
        drawn.truncate(centred.len());
        as_high += usize::from(peak(&drawn).1 >= height);
    }
    let step = mean(&values[at..]) - mean(&values[..at]);
    Some(ChangePoint { at, step, p: as_high as f64 / (DRAWS + 1) as f64 })
}

/// The first index with the largest statistic, and the statistic squared.
#[expect(clippy::cast_precision_loss, reason = "a count of days")]
fn peak(values: &[f64]) -> (usize, f64) {
    let (all, count) = (values.iter().sum::<f64>(), values.len());
    let (mut before, mut best) = (0.0, (MARGIN, -1.0));
    for (at, value) in values.iter().enumerate() {
        if (MARGIN..=count - MARGIN).contains(&at) {
            let (left, right) = (at as f64, (count - at) as f64);
            let apart = before / left - (all - before) / right;
            let height = apart * apart * left * right / count as f64;
            if height > best.1 {
                best = (at, height);
            }
        }
        before += value;
    }
    best
}

/// All change points of the mean: the segmentation with the least sum of squares about the segment means plus `penalty` for
/// each change point, exact by pruned dynamic programming (PELT; Killick, Fearnhead and Eckley 2012). Each segment has at
/// least `min_size` values. Returns the index of the first value of each segment but the first.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a count of days")]
pub fn pelt(values: &[f64], min_size: usize, penalty: f64) -> Vec<usize> {
    let (count, least) = (values.len(), min_size.max(1));
    if count < 2 * least {
        return Vec::new();
    }
    let (mut sums, mut squares) = (vec![0.0; count + 1], vec![0.0; count + 1]);
    let middle = mean(values);
    for (at, value) in values.iter().enumerate() {
        let value = value - middle;
        sums[at + 1] = sums[at] + value;
        squares[at + 1] = squares[at] + value * value;
    }
    let cost = |from: usize, to: usize| {
        let sum: f64 = sums[to] - sums[from];
        (squares[to] - squares[from] - sum * sum / (to - from) as f64).max(0.0)
    };
    let (mut best, mut from) = (vec![f64::INFINITY; count + 1], vec![0_usize; count + 1]);
    best[0] = -penalty;
    // Candidates for the start of the last segment, and the end from which each is known not to be optimal.
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for end in least..=count {
        // A segment may start where another ended, at least `min_size` values before this end.
        if end == least || end >= 2 * least {
            starts.push((end - least, usize::MAX));
        }
        for (start, _) in &starts {
            let total = best[*start] + cost(*start, end) + penalty;
            if total < best[end] {
                (best[end], from[end]) = (total, *start);
            }
        }
        // A change point here is at least as good, for ends that leave a segment of `min_size` values after it.
        for (start, until) in &mut starts {
            if *until == usize::MAX && best[*start] + cost(*start, end) > best[end] {
                *until = end + least;
            }
        }
        starts.retain(|(_, until)| *until > end + 1);
    }
    let (mut found, mut end) = (Vec::new(), count);
    while from[end] > 0 {
        end = from[end];
        found.push(end);
    }
    found.reverse();
    found
}

/// A robust standard deviation of a series that may have change points and trends, from the differences of values `lag`
/// apart. When the values are means over a moving window, `lag` is its length. 0 for a series no longer than the lag.
#[must_use]
pub fn spread(values: &[f64], lag: usize) -> f64 {
    let apart: Vec<f64> = values.iter().skip(lag).zip(values).map(|(now, then)| now - then).collect();
    let middle = median(&apart);
    let off: Vec<f64> = apart.iter().map(|it| (it - middle).abs()).collect();
    MAD_TO_DEVIATION * median(&off) / std::f64::consts::SQRT_2
}
