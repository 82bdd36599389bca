//! Tests of counts beside those of scipy and statsmodels.

use serde::Deserialize;

use super::super::{Day, FitError, Side, binomial, false_discovery, poisson, quasi_poisson, rates, sign_test, wilson};
use super::{close, reference};

#[test]
fn binomial_tails_are_those_of_scipy_up_to_ten_million_trials() {
    let cases: Vec<(u64, u64, f64, String, f64)> = reference(include_bytes!("../fixtures/binomial.json.gz"));
    assert!(cases.len() >= 1_500);
    for (count, trials, share, side, wanted) in cases {
        let side = match side.as_str() {
            "less" => Side::Less,
            "greater" => Side::Greater,
            _ => Side::Both,
        };
        let found = binomial(count, trials, share, side);
        assert!(
            (found - wanted).abs() <= 1e-9 * wanted.max(1e-300),
            "{count} of {trials} at {share}, {side:?}: {found} where {wanted} is wanted"
        );
    }
}

#[test]
fn two_counts_of_nothing_do_not_differ_and_no_share_is_no_finding() {
    close(rates(0, 7.0, 0, 7.0), 1.0, 0.0);
    close(sign_test(0, 0), 1.0, 0.0);
    close(sign_test(7, 7), 1.0, 0.0);
    close(sign_test(8, 1), sign_test(1, 8), 0.0);
    close(sign_test(8, 1), 20.0 / 512.0, 1e-12);
    close(rates(12, 7.0, 12, 7.0), 1.0, 1e-12);
    assert!(rates(40, 7.0, 10, 7.0) < 1e-4 && rates(40, 28.0, 10, 7.0) > 0.9);
    for share in [-0.1, 1.1, f64::NAN] {
        close(binomial(3, 10, share, Side::Both), 1.0, 0.0);
    }
    close(binomial(11, 10, 0.5, Side::Less), 1.0, 0.0);
}

#[derive(Deserialize)]
struct Regression {
    counts: Vec<f64>,
    columns: Vec<Vec<f64>>,
    offset: Option<Vec<f64>>,
    coefficients: Vec<f64>,
    errors: Vec<f64>,
    dispersion: f64,
}

#[test]
fn poisson_regressions_are_those_of_statsmodels() {
    let cases: Vec<Regression> = reference(include_bytes!("../fixtures/poisson.json.gz"));
    assert_eq!(cases.len(), 100);
    for case in cases {
        let fit = poisson(&case.counts, &case.columns, case.offset.as_deref()).expect("a fit");
        for (found, wanted) in fit.coefficients.iter().zip(&case.coefficients) {
            close(*found, *wanted, 1e-8);
        }
        for (found, wanted) in fit.errors.iter().zip(&case.errors) {
            close(*found, *wanted, 1e-8);
        }
        close(fit.dispersion.expect("degrees of freedom"), case.dispersion, 1e-8);
    }
}

#[test]
fn a_column_that_says_nothing_of_its_own_is_named_and_other_shapes_are_refused() {
    let counts = [3.0, 1.0, 4.0, 1.0, 5.0];
    let ones = vec![1.0; 5];
    let twice = vec![2.0; 5];
    assert_eq!(poisson(&counts, &[ones.clone(), twice], None).unwrap_err(), FitError::Singular(1));
    assert_eq!(poisson(&counts, &[vec![0.0; 5]], None).unwrap_err(), FitError::Singular(0));
    assert_eq!(poisson(&counts, &[vec![1.0; 4]], None).unwrap_err(), FitError::Shape);
    assert_eq!(poisson(&counts, &[], None).unwrap_err(), FitError::Shape);
    assert_eq!(poisson(&counts, &vec![ones; 13], None).unwrap_err(), FitError::Shape);
}

#[derive(Deserialize)]
struct Spans {
    first: usize,
    counts: Vec<f64>,
    dispersion: f64,
    ratio: f64,
    low: f64,
    high: f64,
    p: f64,
}

fn days(counts: &[f64]) -> Vec<Day> {
    counts.iter().zip((0..7).cycle()).map(|(count, weekday)| Day { weekday, count: *count }).collect()
}

#[test]
fn spans_of_days_differ_as_quasi_poisson_of_statsmodels_says() {
    let cases: Vec<Spans> = reference(include_bytes!("../fixtures/quasi.json.gz"));
    assert_eq!(cases.len(), 200);
    for case in cases {
        let all = days(&case.counts);
        let (before, after) = all.split_at(case.first);
        let found = quasi_poisson(before, after).expect("days");
        let ratio = found.ratio.expect("counts on both sides");
        close(found.dispersion, case.dispersion, 1e-8);
        for (found, wanted) in [(ratio.value, case.ratio), (ratio.low, case.low), (ratio.high, case.high)] {
            close(found, wanted, 1e-8);
        }
        close(found.p, case.p, 1e-8);
    }
}

/// A span of `count` days of counts about `level` that vary by `noise`, as a share, from day to day.
fn noisy(chance: &mut crate::chance::Chance, count: usize, level: f64, noise: f64) -> Vec<f64> {
    let mut normal = || {
        let (one, other) = (chance.unit().max(1e-300), chance.unit());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
    };
    (0..count)
        .map(|_| {
            let mean = level * (noise * normal()).exp();
            (mean + mean.sqrt() * normal()).round().max(0.0)
        })
        .collect()
}

#[test]
fn without_a_change_one_test_in_twenty_finds_one_whatever_the_noise() {
    let mut chance = crate::chance::Chance::of("no change");
    for noise in [0.0, 0.25, 0.5] {
        let alarms = (0..2_000)
            .filter(|_| {
                let all = days(&noisy(&mut chance, 56, 200.0, noise));
                quasi_poisson(&all[..28], &all[28..]).expect("days").p < 0.05
            })
            .count();
        let share = f64::from(u32::try_from(alarms).unwrap()) / 2_000.0;
        assert!((0.03..=0.065).contains(&share), "{share} of the tests at a noise of {noise}");
    }
}

#[test]
fn a_span_of_zeros_has_no_ratio_and_a_chance_of_its_own() {
    let (none, some) = (days(&[0.0; 20]), days(&[3.0; 20]));
    let gone = quasi_poisson(&some, &none).expect("days");
    assert!(gone.ratio.is_none() && gone.p < 1e-6, "{gone:?}");
    let nothing = quasi_poisson(&none, &none).expect("days");
    assert!(nothing.ratio.is_none() && (nothing.p - 1.0).abs() < f64::EPSILON);
    assert!(quasi_poisson(&[], &some).is_none() && quasi_poisson(&some, &[]).is_none());
    let one = quasi_poisson(&days(&[5.0]), &days(&[6.0])).expect("a day each");
    assert!(one.p > 0.3, "{one:?}");
}

#[derive(Deserialize)]
struct Discoveries {
    values: Vec<f64>,
    found: Vec<f64>,
}

#[test]
fn shares_of_false_findings_are_those_of_scipy() {
    let cases: Vec<Discoveries> = reference(include_bytes!("../fixtures/discovery.json.gz"));
    assert_eq!(cases.len(), 100);
    for case in cases {
        for (found, wanted) in false_discovery(&case.values).into_iter().zip(case.found) {
            close(found, wanted, 1e-12);
        }
    }
    assert!(false_discovery(&[]).is_empty());
}

#[test]
fn the_interval_of_a_share_is_that_of_wilson() {
    // statsmodels 0.14, proportion_confint(count, nobs, method="wilson").
    for (part, whole, low, high) in [
        (8, 10, 0.490_162_471_536_642, 0.943_317_848_545_658),
        (0, 20, 0.0, 0.161_125_158_052_819),
        (50, 50, 0.928_652_400_867_139, 1.0),
    ] {
        let [from, to] = wilson(part, whole);
        close(from, low, 1e-9);
        close(to, high, 1e-9);
    }
    assert_eq!(wilson(0, 0), [0.0, 1.0]);
}
