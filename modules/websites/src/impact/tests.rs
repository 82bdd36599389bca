//! `websites.impact.analyze` against the fake host.

use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use sdk::{Fake, json};

use crate::tests::added;
use kit::pack::Search;

/// The day of the change.
const CHANGE: &str = "2026-10-05";

fn row(page: &str, date: Day, clicks: u64, position: f64) -> (Day, String, Search) {
    let impressions = 20 * clicks + 1;
    let positions = (position * impressions as f64).round() as u64;
    (date, format!("https://shop.example{page}"), Search { impressions, clicks, positions })
}

/// A website with pages `/a0` and on that gain half again on the day of the change, and pages `/b0` and on that do not.
fn shop(before: i32, after: i32, changed: u32, others: u32) -> (Fake, String) {
    shop_at(CHANGE, before, after, changed, others)
}

/// The same with a change on another day.
fn shop_at(change: &str, before: i32, after: i32, changed: u32, others: u32) -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    let change: Day = change.parse().unwrap();
    let mut rows = Vec::new();
    for day in -before..after {
        // Demand has a week, a slow rise, and a jolt that both groups share.
        let week = if (day + 700) % 7 >= 5 { 0.7 } else { 1.0 };
        let demand = week * (1.0 + f64::from(day) / 1_000.0) * if (10..14).contains(&day) { 1.6 } else { 1.0 };
        let mut wobble = (day + 1_000) as u64;
        for (name, count) in [("a", changed), ("b", others)] {
            for page in 0..count {
                wobble = wobble.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(page) + 1);
                let noise = 0.9 + 0.2 * ((wobble >> 33) % 1_000) as f64 / 1_000.0;
                let lift = name == "a" && day >= 0;
                let clicks = f64::from(40 + 5 * page) * demand * noise * if lift { 1.5 } else { 1.0 };
                let position = if lift { 4.0 } else { 8.0 } * noise;
                rows.push(row(&format!("/{name}{page}"), change.plus(day), clicks.round() as u64, position));
            }
        }
    }
    ::search::trial::store_pages(&fake, &site, &rows);
    (fake, site)
}

fn urls(pages: std::ops::Range<u32>) -> Value {
    pages.map(|page| json!(format!("https://shop.example/a{page}"))).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_change_that_brought_half_again_is_seen_with_its_size() {
    let (fake, site) = shop(150, 28, 2, 8);
    let asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..2) });
    let impact = fake.call("websites.impact.analyze", asked.clone()).unwrap();
    assert!((number(&impact["effect_percent"]) - 50.0).abs() < 5.0, "{impact}");
    let (low, high) = (number(&impact["ci95"][0]), number(&impact["ci95"][1]));
    assert!(low < number(&impact["effect"]) && number(&impact["effect"]) < high && low > 0.3, "{low} to {high}");
    assert_eq!(impact["significant"], true);
    assert_eq!((&impact["treated_count"], &impact["control_count"]), (&json!(2), &json!(8)));
    assert_eq!((&impact["pre_days"], &impact["post_days"]), (&json!(56), &json!(28)));
    assert_eq!(impact["placebo_dates"], 20);
    assert!(number(&impact["p_placebo"]) < 0.06, "{}", impact["p_placebo"]);
    let series = impact["series"].as_array().unwrap();
    assert_eq!((series.len(), &series[56]["date"]), (84, &json!(CHANGE)));
    assert_eq!(impact["degraded"], json!([]));
    assert_eq!(fake.call("websites.impact.analyze", asked).unwrap(), impact, "the same question, the same answer");
}

#[test]
fn where_nothing_was_changed_no_effect_is_claimed() {
    let (fake, site) = shop(150, 28, 2, 10);
    let untouched = json!(["https://shop.example/b2", "https://shop.example/b5"]);
    let asked = json!({ "site_id": site, "change_date": "2026-09-05", "treated_urls": untouched });
    let impact = fake.call("websites.impact.analyze", asked).unwrap();
    assert_eq!(impact["significant"], false, "{impact}");
    assert!(number(&impact["effect_percent"]).abs() < 6.0);
}

#[test]
fn a_better_position_is_a_negative_effect() {
    let (fake, site) = shop(90, 28, 2, 6);
    let asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..2), "metric": "position" });
    let impact = fake.call("websites.impact.analyze", asked).unwrap();
    // From 8 to 4: ln 5 − ln 9.
    assert!((number(&impact["effect"]) + 0.588).abs() < 0.05, "{}", impact["effect"]);
    assert!(number(&impact["ci95"][1]) < 0.0);
}

#[test]
fn a_segment_stands_for_its_pages() {
    let (fake, site) = shop(90, 28, 3, 6);
    let rules = json!([{ "match": "glob", "value": "/a*" }]);
    let segment = json!({ "site_id": site, "name": "A", "rules": rules });
    let segment = fake.call("websites.segment.set", segment).unwrap()["segment_ref"].clone();
    let ask = |fake: &Fake, extra: Value| {
        let mut asked = json!({ "site_id": site, "change_date": CHANGE });
        asked.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        fake.call("websites.impact.analyze", asked).unwrap()
    };
    let by_segment = ask(&fake, json!({ "segment_ref": segment }));
    let by_pages = ask(&fake, json!({ "treated_urls": urls(0..3) }));
    assert_eq!((&by_segment["treated_count"], &by_segment["effect"]), (&json!(3), &by_pages["effect"]));
    assert!(by_segment["controls"].as_array().unwrap().iter().all(|it| it.as_str().unwrap().contains("/b")));
}

#[test]
fn shorter_data_is_used_and_said() {
    let (fake, site) = shop(30, 10, 2, 6);
    let asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..2) });
    let impact = fake.call("websites.impact.analyze", asked).unwrap();
    assert_eq!((&impact["pre_days"], &impact["post_days"]), (&json!(30), &json!(10)));
    assert_eq!((&impact["p_placebo"], &impact["data_until"]), (&Value::Null, &json!("2026-10-14")));
    assert_eq!(impact["degraded"].as_array().unwrap().len(), 2, "{}", impact["degraded"]);
}

#[test]
fn many_changed_pages_are_compared_as_far_as_one_call_reads() {
    let (fake, site) = shop(75, 15, 20, 30);
    let asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..20), "pre_days": 180, "post_days": 180 });
    let impact = fake.call("websites.impact.analyze", asked).unwrap();
    assert!(impact["treated_count"].as_u64().unwrap() >= 15, "{}", impact["treated_count"]);
    assert!((number(&impact["effect_percent"]) - 50.0).abs() < 5.0, "{impact}");
}

#[test]
fn what_cannot_be_told_is_refused_with_what_is_missing() {
    let (fake, site) = shop(30, 28, 2, 6);
    let refused = |extra: Value| {
        let mut asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..1) });
        asked.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let refusal = fake.refusal("websites.impact.analyze", asked);
        (refusal.code.clone(), refusal.pointer.unwrap_or_default())
    };
    let expect = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(refused(json!({ "site_id": "17" })).0, "website_not_found");
    assert_eq!(refused(json!({ "segment_ref": "seg_0" })), expect("one_of_two", "/treated_urls"));
    let segment = json!({ "site_id": site, "change_date": CHANGE, "segment_ref": "seg_0" });
    assert_eq!(fake.refusal("websites.impact.analyze", segment).code, "segment_not_found");
    let foreign = json!({ "treated_urls": ["https://shop.example/a0", "https://evil.example/"] });
    assert_eq!(refused(foreign), expect("foreign_url", "/treated_urls/1"));
    assert_eq!(refused(json!({ "change_date": "2026-10-29" })), expect("change_too_recent", "/change_date"));
    assert_eq!(refused(json!({ "change_date": "2026-09-08" })), expect("history_too_short", "/change_date"));
    let nowhere = json!({ "treated_urls": ["https://shop.example/nowhere"] });
    assert_eq!(refused(nowhere), expect("treated_not_seen", "/treated_urls"));
    assert_eq!(refused(json!({ "pre_days": 3 })), expect("invalid_arguments", "/pre_days"));
    let (fake, site) = shop(30, 28, 2, 2);
    let asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..2) });
    assert_eq!(fake.refusal("websites.impact.analyze", asked).code, "too_few_controls");
}

#[test]
fn without_search_data_the_refusal_names_what_brings_it() {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    let asked = json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..1) });
    let refusal = fake.refusal("websites.impact.analyze", asked);
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("search_data_missing", Some("/site_id")));
    let sync = json!({ "operation_id": "search_console.sync.run", "arguments": { "site_id": site } });
    let detail: Option<Value> = refusal.detail.map(|it| serde_json::from_str(&it).unwrap());
    assert_eq!(detail, sdk::served("search_console.sync.run").then_some(sync));
}

#[test]
fn positions_are_not_compared_across_a_known_fault_of_googles_figures_and_clicks_are() {
    let (fake, site) = shop(60, 28, 2, 8);
    let asked =
        |metric: &str| json!({ "site_id": site, "change_date": CHANGE, "treated_urls": urls(0..2), "metric": metric });
    let whole = fake.call("websites.impact.analyze", asked("position")).unwrap();
    assert_eq!((&whole["pre_days"], &whole["measurement"]), (&json!(56), &json!([])));
    // The same history, with the end of the fault of 2025 and 2026 twenty days before the change.
    let (fake, site) = shop_at("2026-05-18", 60, 28, 2, 8);
    let asked = |metric: &str| json!({ "site_id": site, "change_date": "2026-05-18", "treated_urls": urls(0..2), "metric": metric });
    let cut = fake.call("websites.impact.analyze", asked("position")).unwrap();
    assert_eq!((&cut["pre_days"], &cut["measurement"]), (&json!(20), &json!([])), "{cut}");
    let told = cut["degraded"].as_array().unwrap().iter().find(|it| it["what"] == "period").expect("told");
    assert!(told["why"].as_str().unwrap().contains("known fault"), "{told}");
    let clicks = fake.call("websites.impact.analyze", asked("clicks")).unwrap();
    assert_eq!((&clicks["pre_days"], clicks["measurement"].as_array().unwrap().len()), (&json!(56), 1));
}
