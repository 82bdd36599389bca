//! The normal law.

use statrs::distribution::{ContinuousCDF as _, Normal};

/// The probability that a standard normal value is at least as far from 0 as this one.
#[must_use]
pub fn two_sided_normal(value: f64) -> f64 {
    Normal::new(0.0, 1.0).map_or(1.0, |law| (2.0 * law.sf(value.abs())).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::two_sided_normal;

    #[test]
    fn the_tails_are_those_of_scipy() {
        // scipy.stats.norm.sf(z) * 2.
        for (value, wanted) in [(0.0, 1.0), (1.959_963_984_540_054, 0.05), (-4.0, 6.334_248_366_623_993e-5)] {
            assert!((two_sided_normal(value) / wanted - 1.0_f64).abs() < 1e-9, "{value}");
        }
    }
}
