//! Field data: what the report says, where it is of the origin, and when it changed.

use sdk::prelude::*;
use sdk::serde_json::{self, Value, json};

use super::history::{Point, changes};
use crate::trial::{SITE, website};

/// The report knows these addresses, with this layout shift.
fn serving(fake: &sdk::Fake, known: &'static [(&'static str, &'static str)]) {
    fake.provider_serves(move |_, path, body| {
        assert!(path.ends_with("records:queryRecord"), "{path}");
        let asked: Value = serde_json::from_slice(body).ok()?;
        let name = asked["url"].as_str().or(asked["origin"].as_str())?.to_owned();
        let Some((_, cls)) = known.iter().find(|it| it.0 == name) else { return Some((404, br#"{"error":{"code":404}}"#.to_vec())) };
        let bins = |a: Value, b: Value, c: Value| json!([{ "density": a }, { "density": b }, { "density": c }]);
        let record = json!({ "record": { "key": asked, "metrics": {
            "largest_contentful_paint": { "histogram": bins(json!(0.81234), json!(0.1), json!(0.08766)), "percentiles": { "p75": 2_400 } },
            "cumulative_layout_shift": { "histogram": bins(json!(0.7), json!(0.2), json!(0.1)), "percentiles": { "p75": cls } },
            "interaction_to_next_paint": { "histogram": bins(json!("NaN"), json!("NaN"), json!("NaN")), "percentiles": { "p75": null } },
            "round_trip_time": { "percentiles": { "p75": 120 } } },
            "collectionPeriod": { "firstDate": { "year": 2026, "month": 8, "day": 22 }, "lastDate": { "year": 2026, "month": 9, "day": 18 } } } });
        Some((200, record.to_string().into_bytes()))
    });
}

fn connected() -> sdk::Fake {
    website().connected("con_1", "pagespeed")
}

#[test]
fn a_page_is_told_by_itself_or_by_its_origin_or_not_at_all() {
    let fake = connected();
    serving(&fake, &[("https://shop.example/lamps", "0.05"), ("https://shop.example", "0.31")]);
    let get = |url: &str| fake.call("monitoring.crux.get", json!({ "target": url })).expect("an answer");
    let page = get("https://shop.example/lamps");
    assert_eq!(
        (&page["assessment"], &page["level"], &page["fallback"]),
        (&json!("passes"), &json!("page"), &json!(false)),
        "{page}"
    );
    assert_eq!(
        page["metrics"]["lcp"],
        json!({ "p75": 2_400.0, "good_share": 0.8123, "needs_improvement_share": 0.1, "poor_share": 0.0877 })
    );
    assert_eq!((&page["metrics"]["round_trip_time"]["p75"], &page["metrics"]["inp"]), (&json!(120.0), &Value::Null));
    assert_eq!(page["collection_period"], json!({ "from": "2026-08-22", "to": "2026-09-18" }));
    let origin = get("https://shop.example/rare");
    assert_eq!(
        (&origin["assessment"], &origin["level"], &origin["fallback"]),
        (&json!("fails"), &json!("origin"), &json!(true))
    );
    let none = get("https://unknown.example/");
    assert_eq!(
        (&none["assessment"], &none["level"], &none["degraded"][0]["what"]),
        (&json!("unknown"), &Value::Null, &json!("field_data"))
    );
    let fault = website().refusal("monitoring.crux.get", json!({ "target": "https://shop.example/" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/target")));
}

fn points(values: &[Option<f64>]) -> Vec<Point> {
    let first: Day = "2026-01-04".parse().expect("a day");
    let each = (0..).zip(values).map(|(at, it)| Point { ends_on: first.plus(7 * at), p75: *it, good_share: None });
    each.collect()
}

#[test]
fn a_new_level_is_one_change_and_noise_is_none() {
    let noise = |at: i32| f64::from((at * 37) % 11 - 5) * 4.0;
    let level = |at: i32, to: f64| Some(if at < 14 { 2_000.0 } else { to } + noise(at));
    let steady: Vec<_> = (0..30).map(|at| level(at, 2_000.0)).collect();
    assert!(changes("lcp", &points(&steady)).is_empty());
    let slower: Vec<_> = (0..30).map(|at| level(at, 2_800.0)).collect();
    let found = changes("lcp", &points(&slower));
    let told = serde_json::to_value(&found).expect("changes");
    assert_eq!(
        (found.len(), &told[0]["began_between"], &told[0]["better"]),
        (1, &json!(["2026-03-29", "2026-04-12"]), &json!(false)),
        "{told}"
    );
    assert!(told[0]["change_percent"].as_f64().is_some_and(|it| (38.0..42.0).contains(&it)));
    // A gap of two weeks is bridged, a longer one parts the series; eleven weeks are too few.
    let mut gap = slower.clone();
    (gap[5], gap[6]) = (None, None);
    assert_eq!(changes("lcp", &points(&gap)).len(), 1);
    (gap[13], gap[14], gap[15]) = (None, None, None);
    assert!(changes("lcp", &points(&gap)).is_empty());
    assert!(changes("lcp", &points(&slower[..11])).is_empty());
}

#[test]
fn the_history_names_what_happened_near_a_change() {
    let fake = connected();
    fake.put(crate::near::Annotation {
        site_id: SITE.to_owned(),
        date: "2026-04-07".parse().expect("a day"),
        title: "New theme".to_owned(),
    });
    fake.provider_serves(|_, path, body| {
        let asked: Value = serde_json::from_slice(body).ok()?;
        assert_eq!((path.rsplit(':').next(), &asked["collectionPeriodCount"]), (Some("queryHistoryRecord"), &json!(40)));
        let first: Day = "2026-01-04".parse().ok()?;
        let periods: Vec<Value> = (0..30).map(|at| { let (y, m, d) = first.plus(7 * at).civil(); json!({ "lastDate": { "year": y, "month": m, "day": d } }) }).collect();
        let p75s: Vec<Value> = (0..30).map(|at| json!(if at < 14 { 2_000 } else { 2_900 } + (at * 37) % 11 * 4)).collect();
        let record = json!({ "record": { "metrics": { "largest_contentful_paint": { "percentilesTimeseries": { "p75s": p75s }, "histogramTimeseries": [{ "densities": [0.5] }] } }, "collectionPeriods": periods } });
        Some((200, record.to_string().into_bytes()))
    });
    let told = fake
        .call("monitoring.crux.history.get", json!({ "target": "https://shop.example/", "site_id": SITE }))
        .expect("an answer");
    assert_eq!(
        (&told["weeks"], &told["change_points"][0]["events"][0]["title"]),
        (&json!(30), &json!("New theme")),
        "{told}"
    );
}

/// A series, and where ruptures finds its changes (`tests/references/monitoring/crux.py`).
#[derive(serde::Deserialize)]
struct Reference {
    values: Vec<f64>,
    breaks: Vec<usize>,
}

#[test]
fn changes_are_those_that_ruptures_finds_in_thirty_series() {
    let all: Vec<Reference> = serde_json::from_str(include_str!("changes.json")).expect("the references");
    assert_eq!(all.len(), 30);
    let monday: Day = "2026-01-05".parse().expect("a day");
    for (number, reference) in all.iter().enumerate() {
        let ends = |at: usize| monday.plus(7 * i32::try_from(at).expect("few"));
        let points: Vec<Point> = reference
            .values
            .iter()
            .enumerate()
            .map(|(at, value)| Point { ends_on: ends(at), p75: Some(*value), good_share: None })
            .collect();
        let found: Vec<Day> = changes("lcp", &points).iter().map(|it| it.began_between[1]).collect();
        let wanted: Vec<Day> = reference.breaks.iter().map(|at| ends(*at)).collect();
        assert_eq!(found, wanted, "series {number}");
    }
}
