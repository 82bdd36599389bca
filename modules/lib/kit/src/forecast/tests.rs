//! What `forecast` promises, as tests: on series like those of customers, and on a measured one.

use super::{Outlook, WINDOW, smape, weekdays};
use crate::chance::Chance;

/// Daily views of the article on R in the English Wikipedia, from Friday, 1 May to 22 September 2009
/// (Wikimedia's page view statistics, CC0).
const VIEWS: &str = include_str!("views.txt");

/// Days of a made series: about a year.
const DAYS: usize = 364;
/// The longest month.
const MONTH: usize = 31;

/// About normal, by the sum of twelve.
fn normal(chance: &mut Chance) -> f64 {
    (0..12).map(|_| chance.unit()).sum::<f64>() - 6.0
}

fn series(seed: u64, mut day: impl FnMut(usize, &mut Chance) -> f64) -> Vec<f64> {
    let mut chance = Chance::new(seed);
    (0..DAYS).map(|at| day(at, &mut chance).max(0.0).round()).collect()
}

/// Points of an agency: busy from Monday to Friday, almost nothing at the weekend.
fn agency(seed: u64) -> Vec<f64> {
    const WEEK: [f64; 7] = [520.0, 560.0, 540.0, 500.0, 410.0, 40.0, 25.0];
    series(seed, |at, chance| WEEK[at % 7] * (1.0 + 0.2 * normal(chance)))
}

/// A crawl each Monday, a report each Friday, and single calls now and then.
fn scheduled(seed: u64) -> Vec<f64> {
    series(seed, |at, chance| match at % 7 {
        0 => 1_000.0 + 60.0 * normal(chance),
        4 => 150.0 + 20.0 * normal(chance),
        _ => 12.0 * chance.unit(),
    })
}

/// The same each day, with noise.
fn steady(seed: u64) -> Vec<f64> {
    series(seed, |_, chance| 200.0 + 45.0 * normal(chance))
}

/// One per cent more each week.
#[expect(clippy::cast_precision_loss, reason = "days of a year")]
fn growing(seed: u64) -> Vec<f64> {
    series(seed, |at, chance| {
        let weekend = if at % 7 > 4 { 0.4 } else { 1.0 };
        100.0 * 1.01_f64.powf(at as f64 / 7.0) * weekend * (1.0 + 0.15 * normal(chance))
    })
}

/// Every tenth day brings a burst.
fn bursts(seed: u64) -> Vec<f64> {
    series(seed, |at, chance| {
        let usual = if at % 7 > 4 { 60.0 } else { 180.0 } * (1.0 + 0.2 * normal(chance));
        if chance.unit() < 0.1 { usual * 4.0 } else { usual }
    })
}

fn measured() -> Vec<f64> {
    VIEWS.split_whitespace().map(|it| it.parse().unwrap()).collect()
}

/// Forecasts and what came, by this method and by repeating the last week.
#[derive(Default)]
struct Compared {
    ours: Vec<(f64, f64)>,
    repeated: Vec<(f64, f64)>,
}

impl Compared {
    fn errors(&self) -> (f64, f64) {
        (smape(&self.ours), smape(&self.repeated))
    }
}

/// Forecasts from every day on, a month ahead each: day by day, and of the whole sum.
fn compare(series: &[f64], days: &mut Compared, sums: &mut Compared) {
    for origin in WINDOW..series.len() - 1 {
        let (past, future) = series.split_at(origin);
        let future = &future[..future.len().min(MONTH)];
        let ours = weekdays(past, future.len()).unwrap().daily;
        let repeated: Vec<f64> = (0..future.len()).map(|day| past[past.len() - 7 + day % 7]).collect();
        days.ours.extend(ours.iter().copied().zip(future.iter().copied()));
        days.repeated.extend(repeated.iter().copied().zip(future.iter().copied()));
        let came = future.iter().sum();
        sums.ours.push((ours.iter().sum(), came));
        sums.repeated.push((repeated.iter().sum(), came));
    }
}

/// Makes a series of a kind.
type Make = fn(u64) -> Vec<f64>;

/// Over five series of each kind. On a single one with bursts it can come out either way day by day, by less than a
/// hundredth: this measure likes a median better than a mean, and only a mean adds up to the sum that is asked for.
#[test]
fn it_is_no_worse_than_repeating_the_last_week_on_any_kind_of_series() {
    let made: [(&str, Make); 5] =
        [("agency", agency), ("scheduled", scheduled), ("steady", steady), ("growing", growing), ("bursts", bursts)];
    let mut all: Vec<(&str, Vec<Vec<f64>>)> =
        made.iter().map(|(name, make)| (*name, (1..=5).map(make).collect())).collect();
    all.push(("measured", vec![measured()]));
    for (name, kind) in all {
        let (mut days, mut sums) = (Compared::default(), Compared::default());
        for series in &kind {
            compare(series, &mut days, &mut sums);
        }
        for (what, (ours, repeated)) in [("days", days.errors()), ("sums", sums.errors())] {
            println!("{name}, {what}: {ours:.4}, repeated {repeated:.4}");
            assert!(ours <= repeated, "{name}, {what}: {ours} is worse than {repeated}");
        }
    }
}

#[test]
fn the_interval_holds_about_eight_of_ten_months() {
    let (mut held, mut all) = (0_u32, 0_u32);
    for seed in 1..=40 {
        for series in [agency(seed), steady(seed)] {
            for ahead in [1, 7, 15, 30] {
                for origin in (WINDOW..DAYS - 30).step_by(61) {
                    let Outlook { daily, below, above } = weekdays(&series[..origin], ahead).unwrap();
                    let actual: f64 = series[origin..origin + ahead].iter().sum();
                    let off = actual - daily.iter().sum::<f64>();
                    held += u32::from((below..=above).contains(&off));
                    all += 1;
                }
            }
        }
    }
    let share = f64::from(held) / f64::from(all);
    println!("{share:.3} of {all}");
    assert!((0.72..=0.88).contains(&share), "{share} of {all} sums lay inside");
}

#[test]
fn the_days_ahead_are_the_means_of_their_own_weekdays() {
    // Four weeks and a day: the oldest day does not count, and what comes next is the second day of the week.
    let mut past = vec![9_999.0];
    for week in 0..4_u32 {
        past.extend((0..7_u32).map(|day| f64::from(10 * day + week)));
    }
    let outlook = weekdays(&past, 9).unwrap();
    let wanted = [1.5, 11.5, 21.5, 31.5, 41.5, 51.5, 61.5, 1.5, 11.5];
    assert!(outlook.daily.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-9), "{outlook:?}");
    // All residuals are -1.5, -0.5, 0.5 and 1.5, widened by √(4/3); nine days, two of which share two means.
    let scale = (9.0 + (2.0 * 4.0 + 5.0 * 1.0) / 4.0_f64).sqrt();
    let edge = 1.5 * (4.0_f64 / 3.0).sqrt() * scale;
    assert!((outlook.above - edge).abs() < 1e-9 && (outlook.below + edge).abs() < 1e-9, "{outlook:?}");
}

#[test]
fn a_young_series_is_taken_as_one_and_an_empty_one_says_nothing() {
    assert_eq!(weekdays(&[], 5), None);
    assert_eq!(weekdays(&[4.0, 4.0], 5), None);
    let outlook = weekdays(&[1.0, 2.0, 3.0], 2).unwrap();
    assert_eq!(outlook.daily, [2.0, 2.0]);
    assert!(outlook.below < 0.0 && outlook.above > 0.0);
    let nothing = weekdays(&[0.0; 28], 10).unwrap();
    assert_eq!((nothing.below, nothing.above), (0.0, 0.0));
    assert_eq!(weekdays(&[5.0; 28], 0).unwrap(), Outlook { daily: Vec::new(), below: 0.0, above: 0.0 });
}

#[test]
fn the_error_measure_is_that_of_makridakis() {
    assert!((smape(&[(110.0, 90.0), (0.0, 0.0), (5.0, 0.0)]) - (0.2 + 0.0 + 2.0) / 3.0).abs() < 1e-12);
}
