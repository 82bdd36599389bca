//! Outliers: the generalized ESD test and the modified z-score.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{deviation, mean, median};

/// Converts a median absolute deviation into the standard deviation of a normal law.
pub const MAD_TO_DEVIATION: f64 = 1.4826;

/// The estimators of centre and spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Mean and standard deviation: the published test.
    Moments,
    /// Median and median absolute deviation, which outliers do not influence.
    Medians,
}

/// The indices of at most `max` outliers, the most extreme first: the generalized extreme Studentized deviate test (Rosner
/// 1983) at significance level `level`. Empty when the values are constant or fewer than three.
#[must_use]
pub fn gesd(values: &[f64], max: usize, level: f64, spread: Spread) -> Vec<usize> {
    let mut left: Vec<usize> = (0..values.len()).collect();
    let (mut removed, mut found) = (Vec::new(), 0);
    for round in 1..=max.min(values.len().saturating_sub(2)) {
        let rest: Vec<f64> = left.iter().map(|at| values[*at]).collect();
        let (center, scale) = match spread {
            Spread::Moments => (mean(&rest), deviation(&rest)),
            Spread::Medians => {
                let center = median(&rest);
                let off: Vec<f64> = rest.iter().map(|it| (it - center).abs()).collect();
                (center, MAD_TO_DEVIATION * median(&off))
            }
        };
        if scale <= 0.0 {
            break;
        }
        let off = |at: usize| (values[at] - center).abs();
        let Some(place) = (0..left.len()).max_by(|a, b| off(left[*a]).total_cmp(&off(left[*b])).then(b.cmp(a))) else {
            break;
        };
        let farthest = left.remove(place);
        removed.push(farthest);
        if critical_value(values.len(), round, level).is_some_and(|bound| off(farthest) / scale > bound) {
            found = round;
        }
    }
    removed.truncate(found);
    removed
}

/// Rosner's λ: the critical value of the `round`-th deviate among `count` values. `None` where it is not defined.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of days")]
pub fn critical_value(count: usize, round: usize, level: f64) -> Option<f64> {
    let degrees = count.checked_sub(round + 1).filter(|it| *it > 0)? as f64;
    let rest = (count - round) as f64;
    let share = 1.0 - level / (2.0 * (rest + 1.0));
    let t = StudentsT::new(0.0, 1.0, degrees).ok()?.inverse_cdf(share);
    Some(rest * t / ((degrees + t * t) * (rest + 1.0)).sqrt())
}

/// The modified z-score of a value (Iglewicz and Hoaglin 1993); values beyond ±3.5 are outliers. When the median absolute
/// deviation is 0, the mean absolute deviation replaces it; 0 when all values are equal.
#[must_use]
pub fn modified_z(value: f64, values: &[f64]) -> f64 {
    let middle = median(values);
    let off: Vec<f64> = values.iter().map(|it| (it - middle).abs()).collect();
    let spread = median(&off);
    if spread > 0.0 {
        return 0.6745 * (value - middle) / spread;
    }
    let spread = mean(&off) * 1.2533;
    if spread > 0.0 { (value - middle) / spread } else { 0.0 }
}
