//! Updates: the models are those of statsmodels, and a planted effect is found and told.

use sdk::prelude::*;
use sdk::serde_json::{self, Value, json};
use search::{DayRecord, Days, SearchType};

use super::feed;
use super::model::{Window, effect_of_clicks, effect_of_positions};
use crate::trial::{SITE, website};

#[test]
fn effects_are_those_of_statsmodels() {
    let all: Vec<Value> = serde_json::from_str(include_str!("windows.json")).expect("the windows");
    for case in &all {
        let number = |name: &str| i32::try_from(case[name].as_i64().expect("a day")).expect("a day");
        let window = |name: &str| {
            let values = case[name].as_array().expect("values").iter().map(|it| it.as_f64().expect("a number"));
            Window {
                days: (number("start")..).zip(values).collect(),
                first: number("first"),
                last: Some(number("last")),
            }
        };
        let right = |name: &str| -> Vec<f64> { serde_json::from_value(case[name].clone()).expect("numbers") };
        let clicks = effect_of_clicks(&window("counts")).expect("an effect");
        let position = effect_of_positions(&window("positions")).expect("an effect");
        for (effect, right) in [(clicks, right("clicks")), (position, right("position"))] {
            let half = (effect.interval()[1] - effect.interval()[0]) / 2.0;
            assert!((effect.value - right[0]).abs() < 1e-6, "{} {}", effect.value, right[0]);
            assert!((effect.p - right[2]).abs() < 1e-5, "{} {}", effect.p, right[2]);
            assert!(half > 1.9 * right[1] && half < 2.1 * right[1], "{half} {}", right[1]);
        }
    }
    assert_eq!(all.len(), 6);
}

#[test]
fn the_feed_is_read_in_the_days_of_los_angeles() {
    let said = json!([
        { "begin": "2026-09-24T16:00:00+00:00", "end": "2026-10-02T05:00:00+00:00", "external_desc": "September 2026 spam update", "service_name": "Ranking", "uri": "incidents/abc" },
        { "begin": "2026-11-01T01:00:00+00:00", "external_desc": "November 2026 core update", "service_name": "Ranking", "uri": "incidents/def" },
        { "begin": "2026-01-01T00:00:00+00:00", "external_desc": "Delays", "service_name": "Indexing" },
    ]);
    let known = feed::parse(&said).expect("the updates");
    let told: Vec<(String, String, Option<String>)> =
        known.iter().map(|it| (it.name.clone(), it.first.to_string(), it.last.map(|it| it.to_string()))).collect();
    assert_eq!(
        told,
        [
            ("September 2026 spam update".to_owned(), "2026-09-24".to_owned(), Some("2026-10-01".to_owned())),
            ("November 2026 core update".to_owned(), "2026-10-31".to_owned(), None),
        ]
    );
    assert!(feed::parse(&json!({ "error": 1 })).is_none());
}

/// Figures of 150 days up to 2026-09-19, with another level from a day on.
fn planted(fake: &sdk::Fake, from: &str, factor: f64) {
    let turn: Day = from.parse().expect("a day");
    let last: Day = "2026-09-19".parse().expect("a day");
    let mut chance = kit::chance::Chance::new(11);
    for back in 0..150 {
        let day = last.plus(-back);
        let level = if day >= turn { factor } else { 1.0 };
        let week = 1.0 + 0.2 * f64::from(day.since_epoch().rem_euclid(7)) / 7.0;
        let clicks = kit::number::as_count(1_000.0 * level * week * (0.95 + 0.1 * chance.unit()));
        let record = DayRecord {
            site_id: SITE.to_owned(),
            kind: SearchType::Web.name().to_owned(),
            date: day.to_string(),
            clicks,
            impressions: clicks * 20,
            positions: clicks * 120,
            ..DayRecord::default()
        };
        fake.put_as(&DayRecord::id(SITE, SearchType::Web, day), Days(record));
    }
}

#[test]
fn a_planted_loss_is_told_and_its_update_named() {
    let fake = website();
    planted(&fake, "2026-08-10", 0.6);
    let incidents = json!([
        { "begin": "2026-08-08T16:00:00+00:00", "end": "2026-08-11T05:00:00+00:00", "external_desc": "August 2026 core update", "service_name": "Ranking", "uri": "incidents/abc" },
        { "begin": "2026-09-15T16:00:00+00:00", "end": "2026-09-17T16:00:00+00:00", "external_desc": "September 2026 spam update", "service_name": "Ranking", "uri": "incidents/def" },
    ]);
    fake.serve(
        "https://status.search.google.com/incidents.json",
        200,
        &[("content-type", "application/json")],
        incidents.to_string().as_bytes(),
    );
    let told = fake
        .call("monitoring.update_impact.analyze", json!({ "site_id": SITE, "from": "2026-07-01" }))
        .expect("an answer");
    assert_eq!(
        (&told["updates_from"], &told["updates"][0]["verdict"], &told["updates"][1]["verdict"]),
        (&json!("feed"), &json!("unknown"), &json!("lost")),
        "{told}"
    );
    let lost = &told["updates"][1];
    let change = lost["click_change"]["change"].as_f64().expect("a change");
    assert!((-46.0..=-34.0).contains(&change) && lost["click_change"]["ci95"][1].as_f64() < Some(-25.0), "{lost}");
    assert_eq!(
        (&lost["source_url"], &lost["overlapping"]),
        (&json!("https://status.search.google.com/incidents/abc"), &json!([]))
    );
    // While it goes on, the days so far are the effect.
    let going = json!([{ "begin": "2026-08-10T16:00:00+00:00", "external_desc": "August 2026 core update", "service_name": "Ranking" }]);
    let address = "https://status.search.google.com/incidents.json";
    fake.serve(address, 200, &[("content-type", "application/json")], going.to_string().as_bytes());
    let told = fake
        .call("monitoring.update_impact.analyze", json!({ "site_id": SITE, "from": "2026-07-01" }))
        .expect("an answer");
    assert_eq!(
        (&told["updates"][0]["verdict"], &told["updates"][0]["last_day"]),
        (&json!("lost"), &Value::Null),
        "{told}"
    );
    // Without the feed there is the table, and it is said.
    let fake = website();
    planted(&fake, "2026-08-10", 1.0);
    let told = fake
        .call("monitoring.update_impact.analyze", json!({ "site_id": SITE, "from": "2025-12-01" }))
        .expect("an answer");
    assert_eq!((&told["updates_from"], &told["degraded"][0]["what"]), (&json!("table"), &json!("updates")), "{told}");
    let fake = website();
    let fault = fake.refusal("monitoring.update_impact.analyze", json!({ "site_id": SITE }));
    assert_eq!(fault.code, "figures_not_imported");
}
