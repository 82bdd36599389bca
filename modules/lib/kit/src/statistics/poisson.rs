//! Poisson regression with a log link.

/// Iterations before the fit counts as not converging.
const MAX_ITERATIONS: usize = 50;
/// The fit has converged when no coefficient changes by more.
const TOLERANCE: f64 = 1e-10;
/// The most columns of a fit.
pub const MAX_COLUMNS: usize = 12;
/// A column whose part that is independent of the columns before it is smaller, relative to the whole, is singular.
const SINGULAR: f64 = 1e-10;

/// The probability of `count` or more events where `mean` are expected: the upper tail of the Poisson law, by the regularised
/// incomplete gamma function.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of events are far below 2^52")]
pub fn poisson_at_least(count: u64, mean: f64) -> f64 {
    match (count, mean > 0.0) {
        (0, _) => 1.0,
        (_, false) => 0.0,
        (_, true) => statrs::function::gamma::gamma_lr(count as f64, mean),
    }
}

/// A fitted regression.
#[derive(Debug, Clone)]
pub struct Fit {
    /// One for each column.
    pub coefficients: Vec<f64>,
    /// Standard errors of the coefficients for a dispersion of 1; multiply by its square root otherwise.
    pub errors: Vec<f64>,
    /// Pearson's χ² divided by the degrees of freedom; about 1 for Poisson counts, `None` without degrees of freedom.
    pub dispersion: Option<f64>,
    /// Degrees of freedom: rows minus columns.
    pub degrees: usize,
}

/// Why there is no fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitError {
    /// This column is zero or a linear combination of the columns before it.
    Singular(usize),
    /// No rows, no columns, more than [`MAX_COLUMNS`] columns, or lengths that differ.
    Shape,
    /// No convergence, for instance because one column separates all zeros from the rest.
    NotConverged,
}

/// Fits `ln mean = Σ coefficient · column + offset` by iteratively reweighted least squares
/// (McCullagh and Nelder 1989, 2.5).
///
/// # Errors
/// See [`FitError`].
pub fn poisson(counts: &[f64], columns: &[Vec<f64>], offset: Option<&[f64]>) -> Result<Fit, FitError> {
    let mut lengths = columns.iter().map(Vec::len).chain(offset.map(<[f64]>::len));
    let alike = lengths.all(|length| length == counts.len());
    if counts.is_empty() || columns.is_empty() || columns.len() > MAX_COLUMNS || !alike {
        return Err(FitError::Shape);
    }
    let shift = |row: usize| offset.map_or(0.0, |it| it[row]);
    let mut means: Vec<f64> = counts.iter().map(|count| (count + crate::statistics::mean(counts)) / 2.0).collect();
    means.iter_mut().for_each(|it| *it = it.max(1e-12));
    let mut linear: Vec<f64> = means.iter().map(|it| it.ln()).collect();
    let mut coefficients = vec![0.0; columns.len()];
    for _ in 0..MAX_ITERATIONS {
        let working: Vec<f64> =
            (0..counts.len()).map(|row| linear[row] - shift(row) + (counts[row] - means[row]) / means[row]).collect();
        let factor = Factor::of(columns, &means)?;
        let next = factor.solve(&moments(columns, &means, &working));
        let moved = next.iter().zip(&coefficients).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        coefficients = next;
        for row in 0..counts.len() {
            let sum: f64 = columns.iter().zip(&coefficients).map(|(column, it)| column[row] * it).sum();
            linear[row] = sum + shift(row);
            means[row] = linear[row].clamp(-700.0, 700.0).exp();
        }
        if moved < TOLERANCE {
            return Ok(summed_up(counts, columns, &means, coefficients));
        }
    }
    Err(FitError::NotConverged)
}

fn summed_up(counts: &[f64], columns: &[Vec<f64>], means: &[f64], coefficients: Vec<f64>) -> Fit {
    let degrees = counts.len().saturating_sub(columns.len());
    let pearson: f64 = counts.iter().zip(means).map(|(count, mean)| (count - mean).powi(2) / mean).sum();
    let errors = Factor::of(columns, means).map_or_else(
        |_| vec![f64::INFINITY; columns.len()],
        |factor| (0..columns.len()).map(|at| factor.variance(at).sqrt()).collect(),
    );
    #[expect(clippy::cast_precision_loss, reason = "a count of days")]
    let dispersion = (degrees > 0).then(|| pearson / degrees as f64);
    Fit { coefficients, errors, dispersion, degrees }
}

/// `Xᵀ W z`.
fn moments(columns: &[Vec<f64>], weights: &[f64], values: &[f64]) -> Vec<f64> {
    columns
        .iter()
        .map(|column| column.iter().zip(weights).zip(values).map(|((x, weight), value)| x * weight * value).sum())
        .collect()
}

/// The lower triangle `L` of `L Lᵀ = Xᵀ W X` (Cholesky).
struct Factor(Vec<Vec<f64>>);

impl Factor {
    fn of(columns: &[Vec<f64>], weights: &[f64]) -> Result<Self, FitError> {
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(columns.len());
        for (at, column) in columns.iter().enumerate() {
            let mut row = Vec::with_capacity(at + 1);
            for (other, before) in lower.iter().enumerate() {
                let product: f64 = product(column, &columns[other], weights);
                let known: f64 = before.iter().zip(&row).map(|(a, b): (&f64, &f64)| a * b).take(other).sum();
                row.push((product - known) / before[other]);
            }
            let all = product(column, column, weights);
            let left = all - row.iter().map(|it| it * it).sum::<f64>();
            if left.is_nan() || left <= all * SINGULAR {
                return Err(FitError::Singular(at));
            }
            row.push(left.sqrt());
            lower.push(row);
        }
        Ok(Self(lower))
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(lower) = self;
        let mut half: Vec<f64> = Vec::with_capacity(right.len());
        for (at, row) in lower.iter().enumerate() {
            let known: f64 = row.iter().zip(&half).map(|(a, b)| a * b).sum();
            half.push((right[at] - known) / row[at]);
        }
        for at in (0..half.len()).rev() {
            let known: f64 = (at + 1..half.len()).map(|below| lower[below][at] * half[below]).sum();
            half[at] = (half[at] - known) / lower[at][at];
        }
        half
    }

    /// The element of the inverse on its diagonal.
    fn variance(&self, at: usize) -> f64 {
        let unit: Vec<f64> = (0..self.0.len()).map(|it| if it == at { 1.0 } else { 0.0 }).collect();
        self.solve(&unit)[at]
    }
}

fn product(left: &[f64], right: &[f64], weights: &[f64]) -> f64 {
    left.iter().zip(right).zip(weights).map(|((a, b), weight)| a * b * weight).sum()
}
