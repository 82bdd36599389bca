//! The level after an update against the weeks before: weekdays, one trend, the rollout and what is after.

use kit::number::as_number;
use kit::statistics::poisson;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Days before that are needed.
const FEWEST_BEFORE: usize = 28;
/// Days that an error remembers (Newey and West 1987).
const LAGS: usize = 7;

/// The days of an update, as days since 1970 with their values.
pub(super) struct Window {
    pub(super) days: Vec<(i32, f64)>,
    /// The rollout; none for its end while it goes on: then its days so far are the effect.
    pub(super) first: i32,
    pub(super) last: Option<i32>,
}

/// An estimated effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effect {
    pub(super) value: f64,
    error: f64,
    degrees: f64,
    pub(super) p: f64,
    pub(super) before: u32,
    pub(super) after: u32,
}

impl Window {
    /// Whether a day is one of those whose level is the effect.
    fn is_after(&self, day: i32) -> bool {
        self.last.map_or(day >= self.first, |last| day > last)
    }
}

impl Effect {
    /// The 95 % interval.
    pub(super) fn interval(&self) -> [f64; 2] {
        let law = StudentsT::new(0.0, 1.0, self.degrees).ok();
        let reach = law.map_or(f64::INFINITY, |it| it.inverse_cdf(0.975) * self.error);
        [self.value - reach, self.value + reach]
    }

    fn of(value: f64, error: f64, degrees: usize, window: &Window) -> Option<Self> {
        if !value.is_finite() || !error.is_finite() || error <= 0.0 || degrees == 0 {
            return None;
        }
        let degrees = as_number(degrees as u64);
        let p = f64::min(2.0 * StudentsT::new(0.0, 1.0, degrees).ok()?.sf(f64::abs(value / error)), 1.0);
        let count = |holds: &dyn Fn(i32) -> bool| {
            u32::try_from(window.days.iter().filter(|it| holds(it.0)).count()).unwrap_or(u32::MAX)
        };
        let (before, after) = (count(&|day| day < window.first), count(&|day| window.is_after(day)));
        Some(Self { value, error, degrees, p, before, after })
    }
}

/// The columns of the model, the effect last: weekdays that occur, the trend in weeks from the rollout, the rollout, what is after.
/// None with too few days before or after.
pub(super) fn columns(window: &Window) -> Option<Vec<Vec<f64>>> {
    let before = window.days.iter().filter(|it| it.0 < window.first).count();
    let after = window.days.iter().filter(|it| window.is_after(it.0)).count();
    if before < FEWEST_BEFORE || after < LAGS {
        return None;
    }
    let flag = |holds: &dyn Fn(i32) -> bool| -> Vec<f64> {
        window.days.iter().map(|it| f64::from(u8::from(holds(it.0)))).collect()
    };
    let mut columns: Vec<Vec<f64>> = (0..7)
        .map(|weekday| flag(&|day| day.rem_euclid(7) == weekday))
        .filter(|it| it.iter().any(|it| *it > 0.0))
        .collect();
    // One line over all days: the effect is the step beside it.
    columns.push(window.days.iter().map(|it| f64::from(it.0 - window.first) / 7.0).collect());
    let rollout = flag(&|day| day >= window.first && !window.is_after(day));
    if rollout.iter().any(|it| *it > 0.0) {
        columns.push(rollout);
    }
    columns.push(flag(&|day| window.is_after(day)));
    Some(columns)
}

/// The effect on counts, as the logarithm of a ratio (quasi-Poisson).
pub(super) fn effect_of_clicks(window: &Window) -> Option<Effect> {
    let columns = columns(window)?;
    let counts: Vec<f64> = window.days.iter().map(|it| it.1).collect();
    if counts.iter().sum::<f64>() <= 0.0 {
        return None;
    }
    let fit = poisson(&counts, &columns, None).ok()?;
    let dispersion = fit.dispersion?.max(1.0);
    Effect::of(*fit.coefficients.last()?, fit.errors.last()? * dispersion.sqrt(), fit.degrees, window)
}

/// The effect on positions: least squares, with standard errors that allow for unequal spread and a week's memory.
pub(super) fn effect_of_positions(window: &Window) -> Option<Effect> {
    let columns = columns(window)?;
    let values: Vec<f64> = window.days.iter().map(|it| it.1).collect();
    let (n, k) = (values.len(), columns.len());
    let degrees = n.checked_sub(k).filter(|it| *it > 0)?;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let gram: Vec<Vec<f64>> = columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
    let inverse = inverted(gram)?;
    let right: Vec<f64> = columns.iter().map(|it| dot(it, &values)).collect();
    let coefficients: Vec<f64> = inverse.iter().map(|row| dot(row, &right)).collect();
    let residual: Vec<f64> = (0..n)
        .map(|at| values[at] - columns.iter().zip(&coefficients).map(|(it, b)| it[at] * b).sum::<f64>())
        .collect();
    // Sandwich of Newey and West with Bartlett weights and the correction for small samples.
    let mut middle = vec![vec![0.0; k]; k];
    for lag in 0..=LAGS.min(n - 1) {
        let weight = 1.0 - as_number(lag as u64) / as_number(LAGS as u64 + 1);
        for at in lag..n {
            let product = residual[at] * residual[at - lag] * weight;
            for i in 0..k {
                for j in 0..k {
                    let one = columns[i][at] * columns[j][at - lag];
                    let other = if lag == 0 { 0.0 } else { columns[i][at - lag] * columns[j][at] };
                    middle[i][j] += product * (one + other);
                }
            }
        }
    }
    let last = inverse.last()?;
    let variance: f64 = (0..k).map(|i| (0..k).map(|j| last[i] * middle[i][j] * last[j]).sum::<f64>()).sum();
    let small = as_number(n as u64) / as_number(degrees as u64);
    Effect::of(*coefficients.last()?, (variance * small).max(0.0).sqrt(), degrees, window)
}

/// The inverse of a symmetric matrix, by Gauss and Jordan with pivots; none for one that has none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let k = matrix.len();
    let mut out: Vec<Vec<f64>> = (0..k).map(|i| (0..k).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..k {
        let pivot = (column..k).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        out.swap(column, pivot);
        let scale = matrix[column][column];
        for at in 0..k {
            matrix[column][at] /= scale;
            out[column][at] /= scale;
        }
        let (own, own_out) = (matrix[column].clone(), out[column].clone());
        for row in (0..k).filter(|it| *it != column) {
            let factor = matrix[row][column];
            for at in 0..k {
                matrix[row][at] -= factor * own[at];
                out[row][at] -= factor * own_out[at];
            }
        }
    }
    Some(out)
}
