//! Effects of known size, and those of statsmodels.

use serde_json::Value;

use super::{DRAWS, daily_mean, differences, effect, interval, nearest, placebo, weights};
use crate::chance::Chance;

const BEFORE: usize = 56;
const AFTER: usize = 28;
const CHANGED: usize = 12;
const POOL: usize = 80;

/// Pages of a website, day by day: each has its own level, week and small trend; all share the ups and downs of demand;
/// noise goes on to the next day by 0.3; clicks are counted.
fn website(chance: &mut Chance, lift: f64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let demand: Vec<f64> = {
        let mut now = 0.0;
        (0..BEFORE + AFTER)
            .map(|day| {
                now = 0.7 * now + 0.05 * normal(chance);
                now + 0.002 * day as f64
            })
            .collect()
    };
    let mut page = |lift: f64| -> Vec<f64> {
        let (level, slope) = (3.8 + 0.8 * normal(chance), 0.000_3 * normal(chance));
        let week: [f64; 7] = std::array::from_fn(|day| if day < 5 { 0.08 } else { -0.2 } + 0.05 * normal(chance));
        let mut noise = 0.15 * normal(chance);
        (0..BEFORE + AFTER)
            .map(|day| {
                noise = 0.3 * noise + 0.15 * (1.0_f64 - 0.09).sqrt() * normal(chance);
                let more = if day >= BEFORE { lift } else { 0.0 };
                let mean = (level + slope * day as f64 + week[day % 7] + demand[day] + noise + more).exp();
                // Counts of some dozen and more: the normal law stands in for Poisson's.
                (mean + mean.sqrt() * normal(chance)).round().max(0.0)
            })
            .collect()
    };
    let changed = (0..CHANGED).map(|_| page(lift)).collect();
    (changed, (0..POOL).map(|_| page(0.0)).collect())
}

/// Box and Muller.
fn normal(chance: &mut Chance) -> f64 {
    let (a, b) = (chance.unit().max(1e-12), chance.unit());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

fn ask(changed: &[Vec<f64>], pool: &[Vec<f64>], chance: &mut Chance) -> (f64, [f64; 2]) {
    let before = |pages: &[Vec<f64>]| -> Vec<Vec<f64>> { pages.iter().map(|it| it[..BEFORE].to_vec()).collect() };
    let matches = nearest(&before(changed), &before(pool), super::MOST_CONTROLS);
    let own = daily_mean(changed, &vec![1.0; changed.len()]);
    let others = daily_mean(pool, &weights(&matches, pool.len()));
    let days = differences(&own, &others);
    (effect(&days, BEFORE), interval(&days, BEFORE, DRAWS, chance).unwrap())
}

#[test]
fn in_500_runs_the_interval_holds_the_truth_as_often_as_it_says() {
    let mut chance = Chance::new(2_026);
    let (mut held, mut false_alarms, mut sum) = (0, 0, 0.0);
    for _ in 0..500 {
        let (changed, pool) = website(&mut chance, 1.2_f64.ln());
        let (effect, [low, high]) = ask(&changed, &pool, &mut chance);
        held += u32::from(low <= 1.2_f64.ln() && 1.2_f64.ln() <= high);
        sum += effect;
        let (changed, pool) = website(&mut chance, 0.0);
        let (_, [low, high]) = ask(&changed, &pool, &mut chance);
        false_alarms += u32::from(low > 0.0 || high < 0.0);
    }
    assert!((465..=485).contains(&held), "{held} of 500, which is not 93 to 97 %");
    assert!(false_alarms <= 30, "{false_alarms} of 500, which is more than 6 %");
    assert!((sum / 500.0 - 1.2_f64.ln()).abs() < 0.005, "{}", sum / 500.0);
}

#[test]
fn with_fixed_controls_the_effect_is_that_of_ordinary_least_squares() {
    let cases: Value = serde_json::from_str(include_str!("statsmodels.json")).unwrap();
    let numbers = |it: &Value| -> Vec<f64> { it.as_array().unwrap().iter().filter_map(Value::as_f64).collect() };
    let pages = |it: &Value| -> Vec<Vec<f64>> { it.as_array().unwrap().iter().map(numbers).collect() };
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 20);
    for case in cases {
        let (changed, controls) = (pages(&case["changed"]), pages(&case["controls"]));
        let own = daily_mean(&changed, &vec![1.0; changed.len()]);
        let others = daily_mean(&controls, &numbers(&case["weights"]));
        let change = case["change"].as_u64().unwrap() as usize;
        let ours = effect(&differences(&own, &others), change);
        assert!((ours - case["coefficient"].as_f64().unwrap()).abs() < 1e-6, "{ours} {}", case["coefficient"]);
    }
}

#[test]
fn controls_are_the_pages_that_look_most_alike() {
    let page = |level: f64, slope: f64, weekend: f64| -> Vec<f64> {
        (0..BEFORE).map(|day| level * (slope * day as f64).exp() * if day % 7 >= 5 { weekend } else { 1.0 }).collect()
    };
    let pool = [
        page(100.0, 0.0, 1.0),
        page(100.0, 0.0, 0.3),
        page(100.0, 0.02, 1.0),
        page(5.0, 0.0, 1.0),
        page(110.0, 0.0, 1.05),
    ];
    let matches = nearest(&[page(105.0, 0.0, 1.0), page(90.0, 0.0, 0.35)], &pool, 2);
    assert_eq!((matches[0].len(), matches[1][0]), (2, 1));
    assert!(matches[0].contains(&0) && matches[0].contains(&4), "{matches:?}");
    let weights = weights(&matches, pool.len());
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(nearest(&[page(1.0, 0.0, 1.0)], &[], 3)[0].is_empty());
}

#[test]
fn a_placebo_counts_itself_so_that_p_is_never_nothing() {
    assert_eq!(placebo(0.5, &[]), None);
    assert_eq!(placebo(0.5, &[0.1; 19]), Some(0.05));
    assert_eq!(placebo(-0.5, &[0.6, 0.1, -0.7]), Some(0.75));
}

#[test]
fn a_side_without_days_has_no_effect() {
    assert!(effect(&[1.0, 2.0], 2).abs() < f64::EPSILON && effect(&[], 0).abs() < f64::EPSILON);
    assert!(daily_mean(&[], &[]).is_empty());
}
