//! Series beside what statsmodels, ruptures and scikit-posthocs make of them.

use serde::Deserialize;

use super::super::change_points::{cusum, pelt, spread, without_weekdays};
use super::super::ets::{Model, Parameters, State, fit, smooth};
use super::super::{Spread, critical_value, decompose, gesd, mean, modified_z};
use super::{close, reference};
use crate::chance::Chance;

#[derive(Deserialize)]
struct Smoothed {
    values: Vec<f64>,
    parameters: [f64; 4],
    start: (f64, f64, [f64; 7]),
    errors: Vec<f64>,
    forecast: Vec<f64>,
    variance: Vec<f64>,
    best: f64,
}

fn smoothed() -> Vec<Smoothed> {
    reference(include_bytes!("../fixtures/smoothing.json.gz"))
}

fn seen(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

#[test]
fn smoothing_with_given_parameters_is_that_of_statsmodels() {
    let cases = smoothed();
    assert_eq!(cases.len(), 100);
    for case in cases {
        let [alpha, beta, gamma, phi] = case.parameters;
        let (level, slope, season) = case.start;
        let (parameters, start) = (Parameters { alpha, beta, gamma, phi }, State { level, slope, season });
        let path = smooth(&seen(&case.values), parameters, start);
        let errors: Vec<f64> = path.errors.into_iter().flatten().collect();
        for (found, wanted) in errors.iter().zip(&case.errors) {
            close(*found, *wanted, 1e-9);
        }
        let variance = mean(&errors.iter().map(|it| it * it).collect::<Vec<_>>());
        let model = Model { parameters, start, end: path.end, variance, days: errors.len(), filled: 0 };
        for (at, wanted) in case.forecast.iter().enumerate() {
            let found = model.day(at + 1);
            close(found.mean, *wanted, 1e-9);
            close(found.variance, case.variance[at], 1e-9);
        }
    }
}

#[test]
fn the_fit_is_as_good_as_that_of_statsmodels() {
    let cases = smoothed();
    let as_good = cases
        .iter()
        .filter(|case| {
            let model = fit(&seen(&case.values)).expect("days enough");
            #[expect(clippy::cast_precision_loss, reason = "a count of days")]
            let squares = model.variance * case.values.len() as f64;
            squares <= case.best * 1.005
        })
        .count();
    assert!(as_good >= 95, "{as_good} of {}", cases.len());
}

#[test]
fn the_mean_of_coming_days_varies_less_than_a_day_and_more_than_independent_days() {
    let model = fit(&seen(&smoothed()[0].values)).expect("days enough");
    let (month, day) = (model.days(1, 28), model.day(28));
    assert!(month.variance < day.variance && month.variance > model.variance / 28.0, "{month:?} {day:?}");
    let daily: Vec<f64> = (1..=28).map(|ahead| model.day(ahead).mean).collect();
    close(month.mean, mean(&daily), 1e-12);
}

#[test]
fn short_gaps_are_bridged_and_after_a_long_one_the_series_begins_anew() {
    let values = seen(&smoothed()[1].values);
    let mut gap = values.clone();
    gap[40..45].fill(None);
    let model = fit(&gap).expect("days enough");
    assert_eq!((model.days, model.filled), (values.len(), 5));
    let mut torn = values.clone();
    torn[10..20].fill(None);
    assert_eq!(fit(&torn).expect("days enough").days, values.len() - 20);
    let mut ended = values.clone();
    let days = ended.len();
    ended[days - 8..].fill(None);
    assert!(fit(&ended).is_none());
    assert!(fit(&values[..27]).is_none() && fit(&[]).is_none());
    let flat = fit(&seen(&[5.0; 60])).expect("days enough");
    assert!(flat.variance < 1e-12);
    close(flat.day(9).mean, 5.0, 1e-6);
}

#[derive(Deserialize)]
struct Broken {
    values: Vec<f64>,
    least: usize,
    penalty: f64,
    all: Vec<usize>,
    strongest: usize,
}

#[test]
fn breaks_are_where_ruptures_finds_them() {
    let cases: Vec<Broken> = reference(include_bytes!("../fixtures/breaks.json.gz"));
    assert_eq!(cases.len(), 300);
    for case in cases {
        assert_eq!(pelt(&case.values, case.least, case.penalty), case.all);
        let one = cusum(&case.values, &mut Chance::new(1)).expect("days enough");
        assert_eq!(one.at, case.strongest);
    }
    assert!(cusum(&[1.0; 34], &mut Chance::new(1)).is_none());
    assert!(pelt(&[], 7, 3.0).is_empty() && pelt(&[1.0; 13], 7, 3.0).is_empty());
}

/// Counts of `days` days with weekdays, noise that goes on from day to day by `memory`, and from `change` on `factor`
/// times as many.
fn clicks(chance: &mut Chance, days: usize, memory: f64, change: usize, factor: f64) -> Vec<f64> {
    let week = [1.1, 1.15, 1.1, 1.05, 1.0, 0.7, 0.6];
    let mut noise = 0.0;
    (0..days)
        .map(|day| {
            let (one, other) = (chance.unit().max(1e-300), chance.unit());
            let normal = (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos();
            noise = memory * noise + 0.12 * (1.0 - memory * memory).sqrt() * normal;
            (400.0 * week[day % 7] * f64::exp(noise) * if day >= change { factor } else { 1.0 }).round()
        })
        .collect()
}

#[test]
fn a_drop_of_a_quarter_is_found_near_its_day_and_none_where_there_is_none() {
    let mut chance = Chance::of("drops");
    for (memory, found_at_least, alarms_at_most) in [(0.0, 98, 6), (0.5, 95, 8)] {
        let (mut found, mut near, mut alarms) = (0, 0, 0);
        for round in 0..100_u64 {
            let fallen = without_weekdays(&clicks(&mut chance, 90, memory, 50, 0.75));
            let one = cusum(&fallen, &mut Chance::new(round)).expect("days enough");
            found += usize::from(one.p < 0.05 && one.step < 0.0);
            near += usize::from(one.at.abs_diff(50) <= 3);
            let steady = without_weekdays(&clicks(&mut chance, 90, memory, 50, 1.0));
            alarms += usize::from(cusum(&steady, &mut Chance::new(round)).expect("days enough").p < 0.05);
        }
        assert!(found >= found_at_least && near >= 90 && alarms <= alarms_at_most, "{memory}: {found} {near} {alarms}");
    }
}

#[derive(Deserialize)]
struct Deviant {
    values: Vec<f64>,
    outliers: Vec<usize>,
    bounds: Vec<f64>,
}

#[test]
fn outliers_are_those_of_rosner_and_scikit_posthocs() {
    let cases: Vec<Deviant> = reference(include_bytes!("../fixtures/outliers.json.gz"));
    assert_eq!((cases.len(), cases[0].outliers.len()), (51, 3));
    for case in cases {
        let mut found = gesd(&case.values, 10, 0.05, Spread::Moments);
        found.sort_unstable();
        assert_eq!(found, case.outliers);
        for (at, wanted) in case.bounds.iter().enumerate() {
            close(critical_value(case.values.len(), at + 1, 0.05).expect("values enough"), *wanted, 1e-9);
        }
    }
    assert!(
        gesd(&[4.0; 30], 5, 0.05, Spread::Medians).is_empty() && gesd(&[1.0, 9.0], 5, 0.05, Spread::Moments).is_empty()
    );
}

#[test]
fn one_wild_day_does_not_hide_behind_another_when_medians_are_asked() {
    let mut values: Vec<f64> = (0..40).map(|it| f64::from(it % 5)).collect();
    (values[7], values[21]) = (400.0, 390.0);
    assert_eq!(gesd(&values, 5, 0.05, Spread::Medians), [7, 21]);
    assert!(modified_z(400.0, &values) > 100.0);
    close(modified_z(3.0, &[3.0; 9]), 0.0, 0.0);
    assert!(modified_z(4.0, &[3.0, 3.0, 3.0, 3.0, 4.0]) > 0.0);
}

#[test]
fn a_series_is_the_sum_of_its_parts_and_the_week_is_found() {
    let mut chance = Chance::of("parts");
    let values = clicks(&mut chance, 120, 0.0, 200, 1.0);
    let parts = decompose(&values);
    for (at, value) in values.iter().enumerate() {
        let level = if parts.multiplicative { value.ln_1p() } else { *value };
        close(parts.trend[at] + parts.season[at] + parts.residual[at], level, 1e-9);
    }
    assert!(parts.season[1] > parts.season[6] && parts.season[8] > parts.season[13]);
    assert!(decompose(&[]).trend.is_empty());
    assert!(decompose(&[3.0; 9]).residual.iter().all(|it| it.abs() < 1e-12));
}

#[test]
fn the_spread_of_a_series_does_not_see_its_steps() {
    let mut chance = Chance::of("spread");
    let noise = clicks(&mut chance, 200, 0.0, 999, 1.0);
    let residual = without_weekdays(&noise);
    let mut stepped = residual.clone();
    stepped[100..].iter_mut().for_each(|it| *it += 5.0);
    close(spread(&stepped, 1), spread(&residual, 1), 0.05);
    assert!((spread(&residual, 1) - 0.12).abs() < 0.03, "{}", spread(&residual, 1));
    close(spread(&[1.0], 4), 0.0, 0.0);
}
