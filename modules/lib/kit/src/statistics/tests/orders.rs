//! Lines, curves and orders beside those of scikit-learn, lifelines, scipy, pymannkendall and rbo.

use serde::Deserialize;

use super::super::{
    Direction, MIN_PAIRS, MIN_VALUES, Point, isotonic, mean_ranks, median_survival, rank_biased_overlap, spearman,
    survival, trend,
};
use super::{close, reference};

#[derive(Deserialize)]
struct Line {
    x: Vec<f64>,
    y: Vec<f64>,
    weight: Vec<f64>,
    falling: bool,
    at: Vec<f64>,
    fitted: Vec<f64>,
}

#[test]
fn lines_that_never_turn_are_those_of_scikit_learn_with_weights_and_ties() {
    let cases: Vec<Line> = reference(include_bytes!("../fixtures/isotonic.json.gz"));
    assert_eq!(cases.len(), 200);
    for case in cases {
        let points: Vec<Point> = case
            .x
            .iter()
            .zip(&case.y)
            .zip(&case.weight)
            .map(|((x, y), weight)| Point { x: *x, y: *y, weight: *weight })
            .collect();
        let line = isotonic(&points, if case.falling { Direction::Falling } else { Direction::Rising });
        assert_eq!(line.len(), case.at.len());
        for ((knot, x), wanted) in line.iter().zip(case.at).zip(case.fitted) {
            close(knot.x, x, 1e-12);
            close(knot.y, wanted, 1e-12);
        }
    }
    assert!(isotonic(&[Point { x: 1.0, y: 1.0, weight: 0.0 }], Direction::Rising).is_empty());
}

#[derive(Deserialize)]
struct Lives {
    times: Vec<f64>,
    ended: Vec<bool>,
    at: Vec<f64>,
    share: Vec<f64>,
    low: Vec<Option<f64>>,
    high: Vec<Option<f64>>,
    median: Option<f64>,
}

#[test]
fn what_is_left_after_a_time_is_as_lifelines_has_it() {
    let cases: Vec<Lives> = reference(include_bytes!("../fixtures/survival.json.gz"));
    assert_eq!(cases.len(), 51);
    for case in cases {
        let lives: Vec<(f64, bool)> = case.times.into_iter().zip(case.ended).collect();
        let curve = survival(&lives);
        assert_eq!(curve.len(), case.at.len());
        for (at, step) in curve.iter().enumerate() {
            close(step.time, case.at[at], 1e-12);
            close(step.share, case.share[at], 1e-9);
            // Where nothing is left lifelines has no interval.
            for (found, wanted) in [(step.low, case.low[at]), (step.high, case.high[at])] {
                if let Some(wanted) = wanted.filter(|_| step.share > 0.0) {
                    close(found, wanted, 1e-9);
                }
            }
        }
        // Where exactly half survives, rounding decides in lifelines.
        if curve.iter().all(|step| (step.share - 0.5).abs() > 1e-9) {
            assert_eq!(median_survival(&curve), case.median);
        }
    }
    assert!(survival(&[]).is_empty() && median_survival(&[]).is_none());
}

#[derive(Deserialize)]
struct Orders {
    spearman: Vec<Pairs>,
    trend: Vec<Series>,
    overlap: Vec<Rankings>,
}

#[derive(Deserialize)]
struct Pairs {
    left: Vec<f64>,
    right: Vec<f64>,
    value: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Series {
    values: Vec<f64>,
    slope: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Rankings {
    left: Vec<u32>,
    right: Vec<u32>,
    value: f64,
}

fn orders() -> Orders {
    reference(include_bytes!("../fixtures/ranks.json.gz"))
}

#[test]
fn rank_correlations_are_those_of_scipy_and_few_pairs_have_none() {
    let cases = orders().spearman;
    assert_eq!(cases.len(), 200);
    for case in cases {
        let pairs: Vec<(f64, f64)> = case.left.into_iter().zip(case.right).collect();
        let found = spearman(&pairs).expect("pairs enough");
        close(found.value, case.value, 1e-12);
        close(found.p, case.p, 1e-9);
        assert!(spearman(&pairs[..MIN_PAIRS - 1]).is_none());
    }
    assert!(spearman(&[(1.0, 2.0); 20]).is_none());
    assert_eq!(mean_ranks(&[3.0, 1.0, 3.0, 7.0]), [2.5, 1.0, 2.5, 4.0]);
}

#[test]
fn trends_are_those_of_pymannkendall() {
    let cases = orders().trend;
    assert_eq!(cases.len(), 200);
    for case in cases {
        let found = trend(&case.values).expect("values enough");
        close(found.slope, case.slope, 1e-9);
        close(found.p, case.p, 1e-9);
    }
    assert!(trend(&[1.0; MIN_VALUES - 1]).is_none());
    let flat = trend(&[1.0; 8]).expect("values enough");
    assert!(flat.slope.abs() < f64::EPSILON && (flat.p - 1.0).abs() < f64::EPSILON);
}

#[test]
fn rankings_overlap_as_rbo_says_and_the_beginning_of_a_list_overlaps_fully() {
    let cases = orders().overlap;
    assert!(cases.len() >= 450);
    for case in cases {
        close(rank_biased_overlap(&case.left, &case.right, 0.9), case.value, 1e-9);
        close(rank_biased_overlap(&case.right, &case.left, 0.9), case.value, 1e-9);
    }
    close(rank_biased_overlap(&[1, 2, 3], &[1, 2, 3, 4, 5], 0.9), 1.0, 1e-12);
    close(rank_biased_overlap::<u32>(&[], &[], 0.9), 1.0, 0.0);
    close(rank_biased_overlap(&[1], &[], 0.9), 0.0, 0.0);
    close(rank_biased_overlap(&[1, 1, 2], &[1, 2], 0.9), 1.0, 1e-12);
}
