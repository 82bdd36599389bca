//! One live page against every page rule.

use sdk::prelude::*;
use sdk::{Failure, json};

const PAGE: &str = "https://shop.example/lamps";

#[test]
fn a_live_page_is_told_what_it_breaks_with_element_and_fix() {
    let fake = crate::fake()
        .serving(PAGE, "<!doctype html><html lang=en><title>Lamps of brass</title><h1>Lamps</h1><img src=/a.jpg>");
    let checked = fake.call("audit.page.check", json!({ "url": PAGE })).unwrap();
    let failed = checked["failed"].as_array().unwrap();
    let alt = failed.iter().find(|it| it["rule"] == "image.alt_missing").unwrap();
    assert_eq!(alt["evidence"]["element"], "<img src=\"https://shop.example/a.jpg\">");
    assert_eq!(alt["fix"]["operation_id"], "onpage.alt_text.suggest");
    assert_eq!(alt["fix"]["arguments"], json!({ "url": PAGE }));
    assert_eq!(alt["fix_operation"], "cms.alt_text.bulk_update");
    assert_eq!(checked["passed"].as_u64().unwrap() + failed.len() as u64, checked["asked"].as_u64().unwrap());
    assert!(checked["score"].as_f64().unwrap() < 100.0);
    assert_eq!(fake.requested(), [PAGE]);
}

#[test]
fn only_the_rules_asked_for_are_asked() {
    let fake = crate::fake().serving(PAGE, "<title>Lamps of brass</title>");
    let checked = fake
        .call("audit.page.check", json!({ "url": PAGE, "rules": ["title.missing", "description.missing"] }))
        .unwrap();
    assert_eq!(checked["asked"], 2);
    assert_eq!(checked["passed"], 1);
    assert_eq!(checked["failed"][0]["rule"], "description.missing");
}

#[test]
fn a_page_that_does_not_answer_is_a_finding_and_not_a_refusal() {
    let fake = crate::fake();
    fake.fail(PAGE, Failure::Timeout);
    let checked = fake.call("audit.page.check", json!({ "url": PAGE })).unwrap();
    assert_eq!(checked["status"], 0);
    assert_eq!(checked["failed"][0]["rule"], "response.no_answer");
    assert_eq!(checked["failed"][0]["evidence"]["value"], "timeout");
}

#[test]
fn an_address_that_is_not_public_is_refused() {
    let fake = crate::fake();
    fake.fail("http://127.0.0.1:22/", Failure::Refused);
    let refusal = fake.refusal("audit.page.check", json!({ "url": "http://127.0.0.1:22/" }));
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("url_refused", Some("/url")));
}

#[test]
fn site_rules_and_unknown_rules_are_refused_for_a_page() {
    let fake = crate::fake().serving(PAGE, "<title>Lamps</title>");
    for rule in ["title.duplicate", "no.rule"] {
        let refusal = fake.refusal("audit.page.check", json!({ "url": PAGE, "rules": ["title.missing", rule] }));
        assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("unknown_rule", Some("/rules/1")), "{rule}");
    }
    assert_eq!(fake.refusal("audit.page.check", json!({ "url": PAGE, "site_id": "7" })).code, "website_not_found");
    assert!(fake.requested().is_empty());
}

#[test]
fn the_rule_catalog_is_listed_in_pages_and_searched() {
    let fake = crate::fake();
    let mut ids = Vec::new();
    let mut arguments = json!({ "limit": 40 });
    loop {
        let page = fake.call("audit.rule.list", arguments.clone()).unwrap();
        ids.extend(page["rules"].as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap().to_owned()));
        let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
        arguments["cursor"] = next.clone();
    }
    assert_eq!(ids, crate::rules::all().map(|rule| rule.id).collect::<Vec<_>>());
    let found = fake.call("audit.rule.list", json!({ "query": "DESCRIPTION", "area": "metadata" })).unwrap();
    assert!(found["rules"].as_array().unwrap().iter().any(|rule| rule["threshold"] == "920 px"), "{found}");
    assert_eq!(fake.refusal("audit.rule.list", json!({ "cursor": "x" })).code, "invalid_cursor");
}

#[test]
fn time_is_not_part_of_what_a_page_check_says() {
    let fake = crate::fake().serving(PAGE, "<title>Lamps of brass</title>");
    let first = fake.call("audit.page.check", json!({ "url": PAGE })).unwrap();
    fake.set_now(Moment::from_millis(1));
    assert_eq!(fake.call("audit.page.check", json!({ "url": PAGE })).unwrap(), first);
}
