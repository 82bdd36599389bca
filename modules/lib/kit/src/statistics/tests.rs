//! Sums of numbers; what is held beside other libraries stands in the files below.

mod counts;
mod groups;
mod orders;
mod series;

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;

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

#[test]
fn the_upper_tail_of_the_poisson_law_is_its_sum() {
    let cases =
        [(5, 1.0, 0.003_659_846_827_343_66), (1, 0.25, 0.221_199_216_928_595_12), (12, 4.5, 0.002_404_283_573_101_5)];
    for (count, mean, wanted) in cases {
        close(super::poisson_at_least(count, mean), wanted, 1e-12);
    }
    assert!(
        (super::poisson_at_least(0, 3.0) - 1.0).abs() < f64::EPSILON
            && super::poisson_at_least(1, 0.0).abs() < f64::EPSILON
    );
}

/// What a reference answered.
fn reference<T: DeserializeOwned>(packed: &[u8]) -> T {
    serde_json::from_reader(GzDecoder::new(packed)).expect("a fixture")
}

/// Asserts that two numbers are as close as `within`, by the larger of 1 and what is wanted.
#[track_caller]
fn close(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within * wanted.abs().max(1.0), "{found} where {wanted} is wanted");
}
