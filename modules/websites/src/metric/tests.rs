//! Series through their operation, against the fake host.

use std::collections::BTreeMap;

use kit::crawled::{RunKind, Totals};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::*;
use crate::tests::added;

fn at(text: &str) -> u64 {
    text.parse::<Moment>().expect("a moment").millis()
}

fn audit(fake: &Fake, site: &str, ended: &str, score: Option<f64>, issues: u32) {
    let (ended, by_severity) = (at(ended), BTreeMap::from([("notice".to_owned(), issues), ("error".to_owned(), 1)]));
    let finished_ms = score.map(|_| ended);
    fake.put(Audit { site_id: site.into(), created_ms: ended - 1_000, finished_ms, score, pages: 9, by_severity });
}

fn crawl(fake: &Fake, site: &str, ended: &str, state: RunState, kind: RunKind, indexable: u64) {
    let (ended, totals) = (at(ended), Totals { fetched: 50, indexable, ..Totals::default() });
    let finished_ms = Some(ended);
    let created_ms = ended - 1_000;
    fake.put(Run(RunRecord {
        site_id: site.into(),
        state,
        kind,
        totals,
        created_ms,
        finished_ms,
        ..RunRecord::default()
    }));
}

fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    for (ended, score) in
        [("2026-08-31T10:00:00Z", 60.0), ("2026-09-01T10:00:00Z", 70.0), ("2026-09-03T08:00:00Z", 71.0)]
    {
        audit(&fake, &site, ended, Some(score), 4);
    }
    audit(&fake, &site, "2026-09-03T20:00:00Z", Some(75.5), 2);
    audit(&fake, &site, "2026-09-03T22:00:00Z", None, 9);
    crawl(&fake, &site, "2026-09-02T09:00:00Z", RunState::Finished, RunKind::Crawl, 30);
    crawl(&fake, &site, "2026-09-02T10:00:00Z", RunState::Stopped, RunKind::Crawl, 3);
    crawl(&fake, &site, "2026-09-02T11:00:00Z", RunState::Finished, RunKind::Check, 4);
    (fake, site)
}

fn values(fake: &Fake, arguments: Value) -> Vec<(String, Value)> {
    let series = fake.call("websites.metric.series.get", arguments).unwrap();
    let points = series["points"].as_array().unwrap();
    points.iter().map(|it| (it["date"].as_str().unwrap().to_owned(), it["value"].clone())).collect()
}

fn named(points: &[(&str, Value)]) -> Vec<(String, Value)> {
    points.iter().map(|(date, value)| ((*date).to_owned(), value.clone())).collect()
}

#[test]
fn a_day_has_its_last_value_and_a_day_without_one_is_null() {
    let (fake, site) = shop();
    let period = json!({ "site_id": site, "metric": "score", "from": "2026-09-01", "to": "2026-09-04" });
    let expected = [
        ("2026-09-01", json!(70.0)),
        ("2026-09-02", Value::Null),
        ("2026-09-03", json!(75.5)),
        ("2026-09-04", Value::Null),
    ];
    assert_eq!(values(&fake, period.clone()), named(&expected));
    let mut issues = period;
    issues["metric"] = json!("issues");
    let series = fake.call("websites.metric.series.get", issues).unwrap();
    assert_eq!(series["points"][2]["value"], 3.0);
    assert_eq!(
        (&series["unit"], &series["source"], &series["degraded"]),
        (&json!("rules with findings"), &json!("audit"), &json!([]))
    );
}

#[test]
fn weeks_begin_on_monday_and_months_on_their_first_day() {
    let (fake, site) = shop();
    let of = |grain: &str| {
        values(
            &fake,
            json!({ "site_id": site, "metric": "score", "grain": grain, "from": "2026-08-25", "to": "2026-09-09" }),
        )
    };
    let weeks = [("2026-08-24", Value::Null), ("2026-08-31", json!(75.5)), ("2026-09-07", Value::Null)];
    assert_eq!(of("week"), named(&weeks));
    assert_eq!(of("month"), named(&[("2026-08-01", json!(60.0)), ("2026-09-01", json!(75.5))]));
}

#[test]
fn months_follow_each_other_over_years() {
    let mut day = Day::from_civil(2023, 12, 1).unwrap();
    for number in 12_u32..60 {
        let (year, month) = (2022 + i32::try_from(number.div_ceil(12)).unwrap(), (number - 1) % 12 + 1);
        assert_eq!(day.civil(), (year, month, 1));
        day = after(day, Grain::Month);
    }
}

#[test]
fn a_crawl_counts_when_it_ran_to_its_end_and_was_no_mere_check() {
    let (fake, site) = shop();
    let of = |metric: &str| {
        values(&fake, json!({ "site_id": site, "metric": metric, "from": "2026-09-02", "to": "2026-09-02" }))
    };
    assert_eq!(of("indexable_pages"), named(&[("2026-09-02", json!(30.0))]));
    assert_eq!(of("crawled_pages"), named(&[("2026-09-02", json!(50.0))]));
}

#[test]
fn without_a_period_it_is_the_last_ninety_days_of_this_website_alone() {
    let (fake, site) = shop();
    let fake = fake.serving("https://other.example/", "");
    let other = added(&fake, "other.example");
    let mine = values(&fake, json!({ "site_id": site, "metric": "score" }));
    assert_eq!((mine.len(), mine[90].0.as_str()), (91, "2026-09-28"));
    assert_eq!(mine.iter().filter(|(_, value)| !value.is_null()).count(), 3);
    let theirs = values(&fake, json!({ "site_id": other, "metric": "score" }));
    assert!(theirs.iter().all(|(_, value)| value.is_null()));
}

#[test]
fn what_is_not_stored_and_what_is_no_period_is_refused_with_its_place() {
    let (fake, site) = shop();
    for (arguments, code, pointer) in [
        (json!({ "metric": "clicks" }), "metric_not_stored", "/metric"),
        (json!({ "metric": "score", "from": "2026-09-02", "to": "2026-09-01" }), "period_reversed", "/from"),
        (json!({ "metric": "score", "from": "2020-01-01" }), "period_too_long", "/from"),
        (json!({ "metric": "score", "grain": "year" }), "invalid_arguments", "/grain"),
    ] {
        let mut arguments = arguments;
        arguments["site_id"] = json!(site);
        let refusal = fake.refusal("websites.metric.series.get", arguments);
        assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), (code, Some(pointer)));
    }
    let unknown = fake.refusal("websites.metric.series.get", json!({ "site_id": "17", "metric": "score" }));
    assert_eq!(unknown.code, "website_not_found");
}

#[test]
fn of_very_many_measurements_the_newest_are_read_and_the_result_says_so() {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    for number in 0..501_u64 {
        let ended = Moment::from_millis(at("2026-09-01T00:00:00Z") + number * 3_600_000);
        audit(&fake, &site, &ended.to_string(), Some(number as f64 / 10.0), 0);
    }
    let period = json!({ "site_id": site, "metric": "score", "from": "2026-09-01", "to": "2026-09-21" });
    let series = fake.call("websites.metric.series.get", period).unwrap();
    assert_eq!(series["points"][20]["value"], 50.0);
    assert!(series["degraded"][0]["why"].as_str().unwrap().contains("newest 500"), "{series}");
}
