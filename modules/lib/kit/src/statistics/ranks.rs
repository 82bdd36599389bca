//! Statistics of ranks: correlation, trend, and the similarity of two rankings.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The fewest pairs of a correlation.
pub const MIN_PAIRS: usize = 10;

/// A rank correlation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// −1 to 1.
    pub value: f64,
    /// The two-sided p-value of "no correlation".
    pub p: f64,
}

/// Spearman's correlation, with mean ranks for ties and the p-value of Student's t. `None` for fewer than [`MIN_PAIRS`]
/// pairs and when one side is constant.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn spearman(pairs: &[(f64, f64)]) -> Option<Correlation> {
    if pairs.len() < MIN_PAIRS {
        return None;
    }
    let left = mean_ranks(&pairs.iter().map(|it| it.0).collect::<Vec<_>>());
    let right = mean_ranks(&pairs.iter().map(|it| it.1).collect::<Vec<_>>());
    let middle = (pairs.len() + 1) as f64 / 2.0;
    let (mut both, mut one, mut other) = (0.0, 0.0, 0.0);
    for (a, b) in left.iter().zip(&right) {
        both += (a - middle) * (b - middle);
        one += (a - middle).powi(2);
        other += (b - middle).powi(2);
    }
    if one <= 0.0 || other <= 0.0 {
        return None;
    }
    let value = (both / (one * other).sqrt()).clamp(-1.0, 1.0);
    let degrees = (pairs.len() - 2) as f64;
    let p = if value.abs() >= 1.0 {
        0.0
    } else {
        let t = value * (degrees / ((1.0 - value) * (1.0 + value))).sqrt();
        2.0 * StudentsT::new(0.0, 1.0, degrees).ok()?.sf(t.abs())
    };
    Some(Correlation { value, p })
}

/// The rank of each value, starting with 1; equal values share their mean rank.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let values = plain_zeros(values);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for same in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        let rank = before as f64 + (same.len() + 1) as f64 / 2.0;
        same.iter().for_each(|at| ranks[*at] = rank);
        before += same.len();
    }
    ranks
}

/// The values with 0 for −0, which [`f64::total_cmp`] would tell apart.
fn plain_zeros(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value + 0.0).collect()
}

/// The trend of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// The change per value: the median slope of all pairs (Theil 1950, Sen 1968).
    pub slope: f64,
    /// The two-sided p-value of "no trend" (Mann 1945, Kendall 1975), corrected for ties.
    pub p: f64,
}

/// The fewest values of a trend.
pub const MIN_VALUES: usize = 6;

/// The trend of a series; `None` for fewer than [`MIN_VALUES`] values. Quadratic in the number of values: for weeks and
/// months, not for thousands of days.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn trend(values: &[f64]) -> Option<Trend> {
    if values.len() < MIN_VALUES {
        return None;
    }
    let (mut slopes, mut score) = (Vec::with_capacity(values.len() * (values.len() - 1) / 2), 0.0);
    for (at, first) in values.iter().enumerate() {
        for (later, second) in values.iter().enumerate().skip(at + 1) {
            slopes.push((second - first) / (later - at) as f64);
            score += f64::from(i8::from(second > first) - i8::from(second < first));
        }
    }
    let count = values.len() as f64;
    let pairs = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let mut sorted = plain_zeros(values);
    sorted.sort_by(f64::total_cmp);
    let ties: f64 = sorted.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(|same| pairs(same.len() as f64)).sum();
    let variance = (pairs(count) - ties) / 18.0;
    let z = if score > 0.0 {
        score - 1.0
    } else if score < 0.0 {
        score + 1.0
    } else {
        0.0
    };
    let p = if variance > 0.0 { 2.0 * Normal::new(0.0, 1.0).ok()?.sf((z / variance.sqrt()).abs()) } else { 1.0 };
    Some(Trend { slope: super::median(&slopes), p })
}

/// The rank-biased overlap of two rankings, extrapolated beyond the shorter one (Webber, Moffat and Zobel 2010, formula
/// 32): 0 for rankings without a common item, 1 for equal ones. The top counts most: `persistence`, between 0 and 1, is the
/// probability that a reader goes on to the next rank, and 0.9 gives the first ten ranks 86 % of the weight. Only the first
/// of equal items in a ranking counts. Two empty rankings are equal; an empty and a non-empty one have no overlap.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn rank_biased_overlap<T: Eq + Hash>(left: &[T], right: &[T], persistence: f64) -> f64 {
    let (left, right) = (unique(left), unique(right));
    if left.is_empty() && right.is_empty() {
        return 1.0;
    }
    let (short, long) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
    if short.is_empty() {
        return 0.0;
    }
    let places: HashMap<&T, usize> = short.iter().enumerate().map(|(at, it)| (*it, at)).collect();
    // At each depth of the longer list: how many are in both so far.
    let mut joins: Vec<usize> = vec![0; long.len()];
    for (at, item) in long.iter().enumerate() {
        if let Some(place) = places.get(item) {
            joins[at.max(*place)] += 1;
        }
    }
    let (s, l) = (short.len(), long.len());
    let (mut shared, mut at_short, mut sum, mut weight) = (0, 0, 0.0, 1.0);
    for (at, more) in joins.iter().enumerate() {
        let depth = at + 1;
        shared += more;
        weight *= persistence;
        sum += shared as f64 / depth as f64 * weight;
        if depth == s {
            at_short = shared;
        }
        if depth > s {
            sum += at_short as f64 * (depth - s) as f64 / (s * depth) as f64 * weight;
        }
    }
    let beyond = (shared - at_short) as f64 / l as f64 + at_short as f64 / s as f64;
    ((1.0 - persistence) / persistence * sum + beyond * weight).clamp(0.0, 1.0)
}

fn unique<T: Eq + Hash>(list: &[T]) -> Vec<&T> {
    let mut seen = HashSet::new();
    list.iter().filter(|item| seen.insert(*item)).collect()
}
