//! Numbers that sum up other numbers.

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

/// Rounded to `digits` digits after the point, for results that people read.
#[must_use]
pub fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::{deviation, mean, quantile, round};

    #[test]
    fn the_quartiles_are_those_of_numpy() {
        let values = [7.0, 1.0, 3.0, 10.0, 4.0];
        assert!((quantile(&values, 0.25) - 3.0).abs() < 1e-12);
        assert!((quantile(&values, 0.5) - 4.0).abs() < 1e-12);
        assert!((quantile(&values, 0.9) - 8.8).abs() < 1e-12);
        assert!((quantile(&values, 1.0) - 10.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_mean_and_one_value_no_spread() {
        assert!(mean(&[]).abs() < f64::EPSILON && quantile(&[], 0.5).abs() < f64::EPSILON);
        assert!(deviation(&[3.0]).abs() < f64::EPSILON);
        assert!((deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]) - 2.138_089_935_3).abs() < 1e-9);
        assert!((round(1.005_1, 2) - 1.01).abs() < f64::EPSILON);
    }
}
