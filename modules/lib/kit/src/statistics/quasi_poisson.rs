//! The quasi-Poisson test of two periods of daily counts, which vary more than a Poisson law allows.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::binomial::rates;
use super::poisson::poisson;

/// Days of each period from which the model has weekdays.
const MIN_DAYS_FOR_WEEKDAYS: usize = 14;
/// Coverage of the interval.
const COVERAGE: f64 = 0.95;

/// One day of a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Day {
    /// 0 to 6; any day may be 0.
    pub weekday: u8,
    /// The count, 0 or more.
    pub count: f64,
}

/// How the second period compares with the first, per day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The second divided by the first; `None` when one of them is all zeros.
    pub ratio: Option<Ratio>,
    /// The two-sided p-value of "no change".
    pub p: f64,
    /// The variance of the days relative to a Poisson law; at least 1.
    pub dispersion: f64,
}

/// A ratio with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// The estimate.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Compares two periods. With at least 14 days in both, the model is `ln mean = weekday + period`, fitted by [`poisson`];
/// with fewer, it has no weekdays. The dispersion is Pearson's χ² divided by its degrees of freedom (McCullagh and Nelder
/// 1989, 6.2), never below 1, and the p-value is that of Student's t with these degrees. A period of zeros only is compared
/// by the exact test of the two sums ([`rates`]), after both are divided by the dispersion of the other period.
///
/// `None` when a period has no day.
#[must_use]
pub fn quasi_poisson(before: &[Day], after: &[Day]) -> Option<Change> {
    if before.is_empty() || after.is_empty() {
        return None;
    }
    let (first, second) = (sum(before), sum(after));
    if first <= 0.0 && second <= 0.0 {
        return Some(Change { ratio: None, p: 1.0, dispersion: 1.0 });
    }
    if first <= 0.0 || second <= 0.0 {
        return Some(against_zeros(before, after));
    }
    let weekly = before.len() >= MIN_DAYS_FOR_WEEKDAYS && after.len() >= MIN_DAYS_FOR_WEEKDAYS;
    Some(weekly.then(|| by_weekday(before, after)).flatten().unwrap_or_else(|| by_means(before, after)))
}

/// `None` when the fit fails, for instance because a weekday has only zeros.
fn by_weekday(before: &[Day], after: &[Day]) -> Option<Change> {
    let days: Vec<Day> = before.iter().chain(after).copied().collect();
    let mut columns: Vec<Vec<f64>> = (0..7)
        .map(|weekday| days.iter().map(|day| f64::from(u8::from(day.weekday == weekday))).collect())
        .filter(|column: &Vec<f64>| column.iter().any(|it| *it > 0.0))
        .collect();
    columns.push((0..days.len()).map(|at| f64::from(u8::from(at >= before.len()))).collect());
    let counts: Vec<f64> = days.iter().map(|day| day.count).collect();
    let fit = poisson(&counts, &columns, None).ok()?;
    let (log, error) = (*fit.coefficients.last()?, *fit.errors.last()?);
    judged(log, error, fit.dispersion?.max(1.0), fit.degrees)
}

/// The model without weekdays, in closed form.
fn by_means(before: &[Day], after: &[Day]) -> Change {
    let (first, second) = (sum(before), sum(after));
    let log = (second / length(after)).ln() - (first / length(before)).ln();
    let error = (1.0 / first + 1.0 / second).sqrt();
    let degrees = (before.len() + after.len()).saturating_sub(2);
    let pearson = pearson(before) + pearson(after);
    #[expect(clippy::cast_precision_loss, reason = "a count of days")]
    let dispersion = if degrees > 0 { (pearson / degrees as f64).max(1.0) } else { 1.0 };
    judged(log, error, dispersion, degrees.max(1)).unwrap_or(Change { ratio: None, p: 1.0, dispersion })
}

#[expect(clippy::cast_precision_loss, reason = "a count of days")]
fn judged(log: f64, error: f64, dispersion: f64, degrees: usize) -> Option<Change> {
    let law = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    let error = error * dispersion.sqrt();
    let p = (2.0 * law.sf((log / error).abs())).min(1.0);
    let reach = law.inverse_cdf(f64::midpoint(1.0, COVERAGE)) * error;
    let ratio = Ratio { value: log.exp(), low: (log - reach).exp(), high: (log + reach).exp() };
    Some(Change { ratio: Some(ratio), p, dispersion })
}

/// The comparison when one period is all zeros.
fn against_zeros(before: &[Day], after: &[Day]) -> Change {
    let other = if sum(before) > 0.0 { before } else { after };
    #[expect(clippy::cast_precision_loss, reason = "a count of days")]
    let degrees = other.len().saturating_sub(1).max(1) as f64;
    let dispersion = (pearson(other) / degrees).max(1.0);
    let p = rates(whole(sum(before) / dispersion), length(before), whole(sum(after) / dispersion), length(after));
    Change { ratio: None, p, dispersion }
}

fn sum(days: &[Day]) -> f64 {
    days.iter().map(|day| day.count).sum()
}

#[expect(clippy::cast_precision_loss, reason = "a count of days")]
fn length(days: &[Day]) -> f64 {
    days.len() as f64
}

fn pearson(days: &[Day]) -> f64 {
    let mean = sum(days) / length(days);
    days.iter().map(|day| (day.count - mean).powi(2) / mean).sum()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of counts")]
fn whole(value: f64) -> u64 {
    value.round().max(0.0) as u64
}
