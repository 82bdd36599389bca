//! Segments through their operations, against the fake host.

use kit::crawled::{RunKind, RunRecord, RunState, Totals};
use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::known::Row;
use crate::segment::Segment;
use crate::tests::added;
use site::Run;

fn run(fake: &Fake, id: &str, site: &str, state: RunState, kind: RunKind, fetched: u64) {
    let totals = Totals { fetched, ..Totals::default() };
    let finished_ms = (state != RunState::Running).then_some(5_000);
    fake.put_as(id, Run(RunRecord { site_id: site.into(), state, kind, totals, finished_ms, ..RunRecord::default() }));
}

fn row(fake: &Fake, run: &str, seq: u64, path: &str, content_type: &str) {
    let url = format!("https://shop.example{path}");
    fake.put(Row { run: run.into(), seq, url, content_type: Some(content_type.into()) });
}

/// A website with a crawl of six addresses, and a newer crawl that runs.
fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    run(&fake, "run-0", &site, RunState::Finished, RunKind::Crawl, 1);
    row(&fake, "run-0", 1, "/blog/old", "text/html");
    run(&fake, "run-1", &site, RunState::Finished, RunKind::Crawl, 6);
    let paths = ["/", "/blog/a", "/blog/b?page=2", "/shop/lamp", "/shop/lamp?color=red", "/shop/manual.pdf"];
    for (seq, path) in (1..).zip(paths) {
        row(&fake, "run-1", seq, path, if path.ends_with("pdf") { "application/pdf" } else { "text/html" });
    }
    run(&fake, "run-2", &site, RunState::Finished, RunKind::Check, 1);
    run(&fake, "run-3", &site, RunState::Running, RunKind::Crawl, 1);
    row(&fake, "run-3", 1, "/blog/new", "text/html");
    (fake, site)
}

fn set(fake: &Fake, site: &str, name: &str, rules: Value) -> Value {
    fake.call("websites.segment.set", json!({ "site_id": site, "name": name, "rules": rules })).unwrap()
}

fn glob(value: &str) -> Value {
    json!([{ "match": "glob", "value": value }])
}

#[test]
fn a_segment_counts_the_addresses_of_the_newest_crawl_that_has_ended() {
    let (fake, site) = shop();
    let blog = set(&fake, &site, "Blog", glob("/blog/*"));
    assert_eq!((&blog["matched_urls"], &blog["run_ref"]), (&json!(2), &json!("run-1")));
    assert_eq!(blog["sample"], json!(["https://shop.example/blog/a", "https://shop.example/blog/b?page=2"]));
    assert_eq!((&blog["known_urls"], &blog["looked_at"], &blog["degraded"]), (&json!(6), &json!(6), &json!([])));
    let pages = set(
        &fake,
        &site,
        "Shop pages",
        json!([
            { "match": "regex", "value": "^/shop/" },
            { "match": "type", "value": "application/pdf", "negate": true },
            { "match": "param", "value": "color", "negate": true },
        ]),
    );
    assert_eq!(pages["sample"], json!(["https://shop.example/shop/lamp"]));
}

#[test]
fn the_same_name_replaces_the_segment_and_keeps_its_reference() {
    let (fake, site) = shop();
    let first = set(&fake, &site, "Blog", glob("/blog/*"));
    let again = set(&fake, &site, "  blog ", glob("/shop/*"));
    assert_eq!(first["segment_ref"], again["segment_ref"]);
    assert_eq!(
        (&first["replaced"], &again["replaced"], &again["matched_urls"]),
        (&json!(false), &json!(true), &json!(3))
    );
    let rows = fake.rows::<Segment>();
    assert_eq!((rows.len(), rows[0].rules[0].value.as_str()), (1, "/shop/*"));
    let other = added(&fake.serving("https://other.example/", ""), "other.example");
    assert_ne!(other, site);
}

#[test]
fn two_websites_may_have_segments_of_one_name() {
    let (fake, site) = shop();
    let fake = fake.serving("https://other.example/", "");
    let other = added(&fake, "other.example");
    let (a, b) = (set(&fake, &site, "Blog", glob("/a")), set(&fake, &other, "Blog", glob("/b")));
    assert_ne!(a["segment_ref"], b["segment_ref"]);
    let shown = fake.call("websites.profile.get", json!({ "site_id": other })).unwrap();
    assert_eq!(shown["segments"][0]["segment_ref"], b["segment_ref"]);
    assert_eq!(shown["segments"].as_array().unwrap().len(), 1);
}

#[test]
fn without_a_crawl_the_segment_is_kept_and_the_result_says_why_it_counts_nothing() {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    let blog = set(&fake, &site, "Blog", glob("/blog/*"));
    assert_eq!((&blog["matched_urls"], &blog["sample"], &blog["run_ref"]), (&json!(0), &json!([]), &json!(null)));
    assert!(blog["degraded"][0]["why"].as_str().unwrap().contains("no crawl"), "{blog}");
    assert_eq!(fake.rows::<Segment>().len(), 1);
}

#[test]
fn a_test_tells_matches_overlaps_and_what_is_left_and_stores_nothing() {
    let (fake, site) = shop();
    let shop = set(&fake, &site, "Shop", glob("/shop/*"));
    set(&fake, &site, "Blog", glob("/blog/*"));
    let tested = fake
        .call(
            "websites.segment.test",
            json!({ "site_id": site, "rules": [{ "match": "param", "value": "color" }, { "match": "type", "value": "*/pdf" }], "sample": 1 }),
        )
        .unwrap();
    assert_eq!((&tested["matched"], &tested["unassigned"]), (&json!(2), &json!(1)));
    assert_eq!(tested["sample"], json!(["https://shop.example/shop/lamp?color=red"]));
    assert_eq!(tested["unassigned_sample"], json!(["https://shop.example/"]));
    let overlap = json!([{ "segment_ref": shop["segment_ref"], "name": "Shop", "shared": 2, "matched": 3 }]);
    assert_eq!(tested["overlap"], overlap);
    assert_eq!(fake.rows::<Segment>().len(), 2);
}

#[test]
fn a_large_crawl_is_looked_at_as_far_as_a_call_may_and_the_result_says_so() {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    run(&fake, "run-1", &site, RunState::Stopped, RunKind::Crawl, 1_600);
    for seq in 1..=1_600 {
        row(&fake, "run-1", seq, &format!("/p/{seq}"), "text/html");
    }
    let all = set(&fake, &site, "All", glob("*"));
    assert_eq!(
        (&all["matched_urls"], &all["looked_at"], &all["known_urls"]),
        (&json!(1_500), &json!(1_500), &json!(1_600))
    );
    assert!(all["degraded"][0]["why"].as_str().unwrap().contains("1500 of 1600"), "{all}");
    assert_eq!(all["sample"].as_array().unwrap().len(), 20);
    let tested = fake.call("websites.segment.test", json!({ "site_id": site, "rules": glob("*") })).unwrap();
    assert_eq!((&tested["matched"], &tested["degraded"]), (&json!(1_600), &json!([])));
    // As many costly rules as there can be: the work of a call stays bounded.
    let costly: Vec<Value> = (0..20).map(|n| json!({ "match": "regex", "value": format!("{n}$") })).collect();
    for n in 0..9 {
        set(&fake, &site, &format!("S{n}"), json!(costly));
    }
    let tested = fake.call("websites.segment.test", json!({ "site_id": site, "rules": costly })).unwrap();
    assert!(tested["looked_at"].as_u64().unwrap() < 1_600, "{tested}");
    assert!(tested["degraded"][0]["why"].as_str().unwrap().contains("of 1600"));
}

#[test]
fn rules_that_cannot_be_asked_are_refused_with_their_place() {
    let (fake, site) = shop();
    for (rules, code, pointer) in [
        (
            json!([{ "match": "glob", "value": "/a" }, { "match": "regex", "value": "(" }]),
            "wrong_regex",
            "/rules/1/value",
        ),
        (json!([{ "match": "glob", "value": "a" }]), "glob_start", "/rules/0/value"),
        (json!([]), "invalid_arguments", "/rules"),
        (
            json!(vec![json!({ "match": "glob", "value": format!("/{}", "ü".repeat(250)) }); 20]),
            "rules_too_long",
            "/rules",
        ),
        (json!([{ "match": "host", "value": "a" }]), "invalid_arguments", "/rules/0/match"),
    ] {
        for id in ["websites.segment.set", "websites.segment.test"] {
            let mut arguments = json!({ "site_id": site, "rules": rules });
            if id.ends_with("set") {
                arguments["name"] = json!("A");
            }
            let refusal = fake.refusal(id, arguments);
            assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), (code, Some(pointer)), "{id}");
        }
    }
    let unnamed = fake.refusal("websites.segment.set", json!({ "site_id": site, "name": " ", "rules": glob("/a") }));
    assert_eq!((unnamed.code.as_str(), unnamed.pointer.as_deref()), ("segment_name", Some("/name")));
    assert!(fake.rows::<Segment>().is_empty());
}

#[test]
fn a_website_has_at_most_fifty_segments_and_two_hundred_expressions_and_an_unknown_one_has_none() {
    let (fake, site) = shop();
    for n in 0..50 {
        set(&fake, &site, &format!("S{n}"), glob("/never"));
    }
    let full =
        fake.refusal("websites.segment.set", json!({ "site_id": site, "name": "One more", "rules": glob("/a") }));
    assert_eq!(full.code, "too_many_segments");
    set(&fake, &site, "S7", glob("/a"));
    let costly: Vec<Value> = (0..20).map(|n| json!({ "match": "regex", "value": format!("^/{n}") })).collect();
    for n in 0..10 {
        set(&fake, &site, &format!("S{n}"), json!(costly));
    }
    set(&fake, &site, "S9", json!(costly));
    let one = json!([{ "match": "regex", "value": "a" }]);
    let more = fake.refusal("websites.segment.set", json!({ "site_id": site, "name": "S10", "rules": one }));
    assert_eq!((more.code.as_str(), more.pointer.as_deref()), ("too_many_expressions", Some("/rules")));
    for id in ["websites.segment.set", "websites.segment.test"] {
        let mut arguments = json!({ "site_id": "17", "rules": glob("/a") });
        if id.ends_with("set") {
            arguments["name"] = json!("A");
        }
        assert_eq!(fake.refusal(id, arguments).code, "website_not_found");
    }
}
