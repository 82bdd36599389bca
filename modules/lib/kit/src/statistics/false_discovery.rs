//! Correction for many tests: the false discovery rate.

/// The q-value of each p-value: the smallest false discovery rate at which its test is significant (Benjamini and Hochberg
/// 1995, "Controlling the false discovery rate"). In the order of the p-values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of tests are far below 2^52")]
pub fn false_discovery(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut found = vec![1.0; p_values.len()];
    let mut least = 1.0_f64;
    for (rank, at) in order.iter().enumerate().rev() {
        least = least.min(p_values[*at] * p_values.len() as f64 / (rank + 1) as f64);
        found[*at] = least;
    }
    found
}
