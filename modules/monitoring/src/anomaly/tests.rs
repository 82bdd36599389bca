//! Anomalies: planted ones are found on made series, and little else is.

use std::collections::{BTreeMap, BTreeSet};

use kit::chance::Chance;
use kit::number::as_number;
use sdk::prelude::*;
use sdk::serde_json::{self, json};
use search::{DayRecord, Days, SearchType};

use super::anomalies;
use crate::trial::{SITE, website};

/// A number of a normal law (Box and Muller).
fn normal(chance: &mut Chance) -> f64 {
    let (a, b) = (chance.unit().max(1e-12), chance.unit());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// A series of 120 days with spikes and dips of five standard deviations, and missing days; where they are.
fn series(seed: u64) -> (Vec<Option<f64>>, Vec<usize>) {
    let mut chance = Chance::new(seed);
    let (level, slope, sigma) = (200.0 + 400.0 * chance.unit(), chance.unit() - 0.5, 12.0);
    let week: Vec<f64> = (0..7).map(|_| 40.0 * chance.unit()).collect();
    let mut values: Vec<Option<f64>> = (0..120)
        .map(|at| Some(level + slope * as_number(at as u64) + week[at % 7] + sigma * normal(&mut chance)))
        .collect();
    let mut planted = Vec::new();
    for _ in 0..4 {
        let at = 8 + chance.below(104);
        if planted.iter().any(|it: &usize| it.abs_diff(at) < 3) {
            continue;
        }
        let sign = if chance.below(2) == 0 { 1.0 } else { -1.0 };
        values[at] = values[at].map(|it| it + sign * 5.5 * sigma);
        planted.push(at);
    }
    for _ in 0..3 {
        let at = chance.below(120);
        if !planted.contains(&at) {
            values[at] = None;
        }
    }
    planted.sort_unstable();
    (values, planted)
}

#[test]
fn planted_spikes_and_dips_are_found_and_little_else() {
    let (mut right, mut told, mut there) = (0_u32, 0_u32, 0_u32);
    for seed in 1..=200 {
        let (values, planted) = series(seed);
        let found = anomalies(&values, 0.05);
        let days: Vec<usize> = found.anomalies.iter().flat_map(|it| it.first..=it.last).collect();
        assert!(days.iter().all(|at| values[*at].is_some()), "a missing day is no anomaly");
        right += u32::try_from(days.iter().filter(|at| planted.contains(at)).count()).expect("few");
        told += u32::try_from(days.len()).expect("few");
        there += u32::try_from(planted.len()).expect("few");
    }
    let (precision, recall) = (f64::from(right) / f64::from(told), f64::from(right) / f64::from(there));
    let f1 = 2.0 * precision * recall / (precision + recall);
    assert!(f1 >= 0.85, "precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}");
}

#[test]
fn a_spike_is_told_with_what_was_expected() {
    let fake = website();
    let last: Day = "2026-09-19".parse().expect("a day");
    for back in 0..100 {
        let day = last.plus(-back);
        let week = day.since_epoch().rem_euclid(7);
        let clicks = u64::try_from(1_000 + 50 * week + (day.since_epoch() * 37) % 11).expect("a count");
        let clicks = if back == 20 { clicks * 3 } else { clicks };
        let record = DayRecord {
            site_id: SITE.to_owned(),
            kind: SearchType::Web.name().to_owned(),
            date: day.to_string(),
            clicks,
            impressions: clicks * 10,
            positions: clicks * 50,
            ..DayRecord::default()
        };
        fake.put_as(&DayRecord::id(SITE, SearchType::Web, day), Days(record));
    }
    let told = fake
        .call("monitoring.anomaly.detect", json!({ "site_id": SITE, "metric": "search.clicks", "from": "2026-06-15" }))
        .expect("an answer");
    let first = &told["anomalies"][0];
    assert_eq!((&first["date"], &first["kind"]), (&json!("2026-08-30"), &json!("spike")), "{told}");
    assert!(first["value"].as_f64() > Some(2.5 * first["expected"].as_f64().expect("a number")), "{first}");
    assert_eq!(told["weekday_effects"].as_array().map(Vec::len), Some(7));
    let refused = |more: &str, metric: &str| {
        let fault =
            fake.refusal("monitoring.anomaly.detect", json!({ "site_id": SITE, "metric": metric, "from": more }));
        (fault.code, fault.pointer.unwrap_or_default())
    };
    assert_eq!(refused("2026-09-10", "search.clicks"), ("too_few_days".to_owned(), "/from".to_owned()));
    assert_eq!(refused("2026-06-15", "moon.phase"), ("metric_not_stored".to_owned(), "/metric".to_owned()));
}

#[test]
fn planted_spikes_are_found_in_real_series_and_little_else_comes_up_with_them() {
    let all: BTreeMap<String, Vec<f64>> = serde_json::from_str(include_str!("real.json")).expect("the series");
    assert_eq!(all.len(), 3);
    let (mut right, mut wrong, mut there) = (0_u32, 0_u32, 0_u32);
    for values in all.values() {
        let whole: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        let days = |values: &[Option<f64>]| -> BTreeSet<usize> {
            anomalies(values, 0.05).anomalies.iter().flat_map(|it| it.first..=it.last).collect()
        };
        // What is unusual in the series itself is no fault.
        let known = days(&whole);
        for seed in 1..=20 {
            let mut chance = Chance::new(seed);
            let mut values = whole.clone();
            let mut planted = BTreeSet::new();
            while planted.len() < 4 {
                let at = 14 + chance.below(values.len() - 28);
                let is_near = |it: &usize| it.abs_diff(at) < 10;
                if !planted.iter().chain(&known).any(is_near) {
                    planted.insert(at);
                }
            }
            let parts =
                kit::statistics::decompose(&values.iter().copied().map(Option::unwrap_or_default).collect::<Vec<_>>());
            let middle = kit::statistics::median(&parts.residual);
            let off: Vec<f64> = parts.residual.iter().map(|it| (it - middle).abs()).collect();
            let size = 6.0 * 1.4826 * kit::statistics::median(&off);
            for at in &planted {
                let up = chance.below(2) == 0;
                let value = values[*at].unwrap_or_default();
                let moved = match (parts.multiplicative, up) {
                    (true, true) => (value + 1.0) * size.exp() - 1.0,
                    (true, false) => (value + 1.0) * (-size).exp() - 1.0,
                    (false, true) => value + size,
                    (false, false) => value - size,
                };
                values[*at] = Some(moved);
            }
            let found = days(&values);
            right += u32::try_from(found.intersection(&planted).count()).expect("few");
            there += u32::try_from(planted.len()).expect("few");
            wrong += u32::try_from(found.iter().filter(|it| !planted.contains(it) && !known.contains(it)).count())
                .expect("few");
        }
    }
    let (precision, recall) = (f64::from(right) / f64::from(right + wrong), f64::from(right) / f64::from(there));
    let f1 = 2.0 * precision * recall / (precision + recall);
    assert!(f1 >= 0.85, "precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}");
}
