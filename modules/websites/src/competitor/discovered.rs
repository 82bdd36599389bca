//! `websites.competitor.discover` against the fake host.

use kit::ctr::expected;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, json};
use serps::{Shown, Snapshot, SnapshotRecord};

use crate::tests::added;

fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    (fake, site)
}

fn serp(fake: &Fake, site: &str, keyword: &str, date: &str, volume: Option<u64>, hosts: &[&str]) {
    let items = (1..)
        .zip(hosts)
        .map(|(position, host)| Shown { position, url: format!("https://{host}/a"), ..Shown::default() })
        .collect();
    let (date, market): (Day, String) = (date.parse().unwrap(), "google de mobile".into());
    let mut record = SnapshotRecord::of(&serps::Page::default(), site, keyword, &market, "DE", date, 100);
    (record.volume, record.items) = (volume, items);
    fake.put(Snapshot(record));
}

fn ask(fake: &Fake, site: &str, extra: Value) -> Value {
    let mut asked = json!({ "site_id": site, "min_shared": 2 });
    asked.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    fake.call("websites.competitor.discover", asked).unwrap()
}

#[test]
fn overlap_is_the_share_of_the_clicks_of_one_who_stands_first_everywhere() {
    let (fake, site) = shop();
    serp(&fake, &site, "lamp", "2026-09-01", None, &["www.rival.example", "shop.example", "wikipedia.org"]);
    serp(
        &fake,
        &site,
        "desk lamp",
        "2026-09-02",
        None,
        &["shop.example", "blog.rival.example", "rival.example", "wikipedia.org"],
    );
    serp(&fake, &site, "bulb", "2026-09-03", None, &["once.example", "wikipedia.org"]);
    let found = ask(&fake, &site, json!({}));
    let most = 3.0 * expected(1.0);
    let close =
        |value: &Value, wanted: f64| assert!((value.as_f64().unwrap() - wanted).abs() < 1e-6, "{value} {wanted}");
    let first = &found["candidates"][0];
    assert_eq!(
        (&first["domain"], &first["shared_keywords"], &first["ahead"]),
        (&json!("rival.example"), &json!(2), &json!(1))
    );
    // Of two pages of one domain the better one counts.
    close(&first["overlap"], (expected(1.0) + expected(2.0)) / most);
    assert_eq!(first["examples"][0], json!({ "keyword": "lamp", "position": 1, "own_position": 2 }));
    close(&found["candidates"][1]["overlap"], (expected(3.0) + expected(4.0) + expected(2.0)) / most);
    close(&found["own_overlap"], (expected(2.0) + expected(1.0)) / most);
    assert_eq!(found["candidates"].as_array().unwrap().len(), 2, "one shared keyword is too few");
    assert_eq!((&found["keywords"], &found["weighted_by"]), (&json!(3), &json!("keyword")));
    assert_eq!((&found["snapshots"], &found["degraded"]), (&json!(["2026-09-01", "2026-09-03"]), &json!([])));
}

#[test]
fn the_newest_snapshot_of_a_keyword_counts_and_searches_weigh() {
    let (fake, site) = shop();
    serp(&fake, &site, "lamp", "2026-08-01", Some(900), &["old.example", "rival.example"]);
    serp(&fake, &site, "Lamp", "2026-09-01", Some(900), &["rival.example", "other.example"]);
    serp(&fake, &site, "bulb", "2026-09-01", Some(100), &["other.example", "rival.example"]);
    let found = ask(&fake, &site, json!({}));
    assert_eq!((&found["weighted_by"], &found["keywords"]), (&json!("volume"), &json!(2)));
    let domains: Vec<&Value> = found["candidates"].as_array().unwrap().iter().map(|it| &it["domain"]).collect();
    assert_eq!(domains, ["rival.example", "other.example"]);
    let overlap = (900.0 * expected(1.0) + 100.0 * expected(2.0)) / (1_000.0 * expected(1.0));
    assert!((found["candidates"][0]["overlap"].as_f64().unwrap() - overlap).abs() < 1e-6);
}

#[test]
fn marketplaces_are_dropped_when_asked_and_tracked_rivals_are_marked() {
    let (fake, site) = shop();
    for keyword in ["lamp", "bulb"] {
        serp(&fake, &site, keyword, "2026-09-01", None, &["www.amazon.de", "rival.example", "third.example"]);
    }
    fake.call("websites.competitor.set", json!({ "site_id": site, "domains": ["rival.example"] })).unwrap();
    assert_eq!(ask(&fake, &site, json!({}))["candidates"][0]["domain"], "amazon.de");
    let found = ask(&fake, &site, json!({ "drop_marketplaces": true, "limit": 1 }));
    assert_eq!(found["dropped"], json!(["amazon.de"]));
    assert_eq!(found["candidates"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&found["candidates"][0]["domain"], &found["candidates"][0]["tracked"]),
        (&json!("rival.example"), &json!(true))
    );
}

#[test]
fn without_snapshots_the_list_is_empty_and_says_what_brings_them() {
    let (fake, site) = shop();
    let found = ask(&fake, &site, json!({}));
    assert_eq!((&found["candidates"], &found["snapshots"], &found["keywords"]), (&json!([]), &Value::Null, &json!(0)));
    let degraded = found["degraded"].to_string();
    assert!(degraded.contains("rankings.tracker.create") && degraded.contains("rankings.check.run"), "{degraded}");
    serp(&fake, "82", "lamp", "2026-09-01", None, &["rival.example"]);
    assert_eq!(ask(&fake, &site, json!({}))["keywords"], 0, "another website's snapshots");
}

#[test]
fn unknown_websites_and_numbers_out_of_bounds_are_refused() {
    let (fake, site) = shop();
    assert_eq!(fake.refusal("websites.competitor.discover", json!({ "site_id": "17" })).code, "website_not_found");
    let few = fake.refusal("websites.competitor.discover", json!({ "site_id": site, "min_shared": 1 }));
    assert_eq!((few.code.as_str(), few.pointer.as_deref()), ("invalid_arguments", Some("/min_shared")));
}
