//! Seasons, shares and surprising counts beside those of statsmodels and nltk.

use serde::Deserialize;

use super::super::seasons::seasons;
use super::super::{ShareParts, log_likelihood, quasi_binomial};
use super::{close, reference};

#[derive(Deserialize)]
struct Months {
    values: Vec<f64>,
    trend: Vec<Option<f64>>,
    indices: Vec<f64>,
    strength: f64,
}

#[test]
fn seasons_are_those_of_statsmodels() {
    let cases: Vec<Months> = reference(include_bytes!("../fixtures/seasons.json.gz"));
    assert_eq!(cases.len(), 200);
    for case in cases {
        let season = seasons(&case.values).expect("two years");
        for (found, wanted) in season.trend.iter().zip(case.trend) {
            assert_eq!(found.is_some(), wanted.is_some());
            close(found.unwrap_or(0.0), wanted.unwrap_or(0.0), 1e-9);
        }
        season.indices.iter().zip(case.indices).for_each(|(found, wanted)| close(*found, wanted, 1e-9));
        close(season.strength, case.strength, 1e-8);
    }
    assert!(seasons(&[1.0; 23]).is_none() && seasons(&[0.0; 30]).is_none());
    assert!(seasons(&[5.0; 24]).is_some_and(|it| it.strength.abs() < f64::EPSILON));
}

#[derive(Deserialize)]
struct Shares {
    one: Vec<(f64, f64)>,
    other: Vec<(f64, f64)>,
    p: f64,
    dispersion: f64,
}

#[test]
fn shares_are_compared_as_statsmodels_does() {
    let cases: Vec<Shares> = reference(include_bytes!("../fixtures/proportions.json.gz"));
    assert!(cases.len() > 190);
    for case in cases {
        let parts = |rows: &[(f64, f64)]| {
            let mut parts = ShareParts::default();
            rows.iter().for_each(|(hits, trials)| parts.add(*hits, *trials));
            parts
        };
        let (one, other) = (parts(&case.one), parts(&case.other));
        let found = quasi_binomial(one, other).expect("shares inside 0 and 1");
        close(found.p, case.p, 1e-8);
        close(found.dispersion, case.dispersion, 1e-8);
        let mut both = one;
        case.other.iter().for_each(|(hits, trials)| both.add(*hits, *trials));
        let rest = both.without(one);
        assert_eq!(rest.count, other.count);
        close(rest.share(), other.share(), 1e-9);
    }
    assert!(quasi_binomial(ShareParts::default(), ShareParts::default()).is_none());
}

#[derive(Deserialize)]
struct Counts {
    count: f64,
    total: f64,
    other: f64,
    other_total: f64,
    ratio: f64,
}

#[test]
fn surprising_counts_are_those_of_nltk_with_a_sign() {
    let cases: Vec<Counts> = reference(include_bytes!("../fixtures/associations.json.gz"));
    for case in cases {
        let found = log_likelihood(case.count, case.total, case.other, case.other_total);
        close(found.abs(), case.ratio, 1e-9);
        assert_eq!(found < 0.0, case.count / case.total < case.other / case.other_total);
    }
    assert!(log_likelihood(3.0, 0.0, 1.0, 10.0).abs() < f64::EPSILON);
}
