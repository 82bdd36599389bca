//! What the coverage report promises.

use sdk::json;

use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, inspected, of_site, refused, text, website};

#[test]
fn every_address_is_in_one_state_by_its_strongest_evidence() {
    let fake = website();
    Crawl::begin(&fake, RUN, 5)
        .html("/indexed", &text("a"))
        .html("/long-ago", &text("b"))
        .html("/left-out", &text("c"))
        .html("/waiting", &text("d"))
        .html("/unasked", &text("e"))
        .html("/hidden-since", "<meta name=robots content=noindex>")
        .html("/hidden", "<meta name=robots content=noindex>")
        .answer("/gone", "link", 404, HTML, "");
    inspected(&fake, "/indexed", "PASS", "Submitted and indexed", 3);
    inspected(&fake, "/long-ago", "PASS", "Submitted and indexed", 90);
    inspected(&fake, "/left-out", "NEUTRAL", "Crawled - currently not indexed", 3);
    inspected(&fake, "/waiting", "NEUTRAL", "Discovered - currently not indexed", 3);
    inspected(&fake, "/hidden-since", "PASS", "Submitted and indexed", 20);
    inspected(&fake, "/only-google", "PASS", "Indexed, not submitted in sitemap", 3);
    let report = call(&fake, "indexing.coverage.report", of_site(json!({ "limit": 100 })));
    let states: Vec<String> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{} {} {}",
                it["url"].as_str().unwrap().replace(ORIGIN, ""),
                it["state"].as_str().unwrap(),
                it["reason"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "/gone excluded client_error",
        "/hidden excluded noindex",
        "/hidden-since excluded noindex",
        "/indexed indexed ok",
        "/left-out excluded crawled_currently_not_indexed",
        "/long-ago likely_indexed inspected_long_ago",
        "/only-google indexed ok",
        "/unasked discovered_only not_inspected",
        "/waiting discovered_only discovered_currently_not_indexed",
    ];
    assert_eq!(states, expected);
    let summary = &report["summary"];
    let sum: u64 = ["indexed", "likely_indexed", "discovered_only", "excluded", "unknown"]
        .iter()
        .map(|it| summary[*it].as_u64().unwrap())
        .sum();
    assert_eq!((summary["total"].as_u64(), sum), (Some(9), 9), "states are exclusive and whole");
    assert_eq!(summary["reasons"], json!({ "client_error": 1, "crawled_currently_not_indexed": 1, "noindex": 2 }));
}

#[test]
fn states_are_filtered_and_pages_follow_each_other() {
    let fake = website();
    Crawl::begin(&fake, RUN, 1)
        .html("/a", &text("a"))
        .html("/b", &text("b"))
        .html("/c", "<meta name=robots content=noindex>");
    let first = call(&fake, "indexing.coverage.report", of_site(json!({ "state": "discovered_only", "limit": 1 })));
    assert_eq!(first["rows"][0]["url"], format!("{ORIGIN}/a"));
    let second = call(
        &fake,
        "indexing.coverage.report",
        of_site(json!({ "state": "discovered_only", "limit": 1, "cursor": first["next_cursor"] })),
    );
    assert_eq!((&second["rows"][0]["url"], &second["next_cursor"]), (&json!(format!("{ORIGIN}/b")), &json!(null)));
    assert_eq!(
        refused(&fake, "indexing.coverage.report", of_site(json!({ "segment_ref": "none" }))).0,
        "segment_not_found"
    );
    assert_eq!(refused(&fake, "indexing.coverage.report", json!({ "site_id": "1" })).0, "website_not_found");
}

#[test]
fn without_a_crawl_it_says_what_is_missing() {
    let report = call(&website(), "indexing.coverage.report", of_site(json!({})));
    assert_eq!((&report["summary"]["total"], &report["basis"]), (&json!(0), &sdk::serde_json::Value::Null));
    assert!(report["degraded"].to_string().contains("no crawl of this website has ended"), "{report}");
}

#[test]
fn verified_visits_of_the_imported_logs_stand_beside_the_evidence() {
    let fake = website();
    Crawl::begin(&fake, RUN, 5).html("/a", &text("a")).html("/b", &text("b"));
    let second = fake.now().millis() / 1_000 - 86_400;
    let (a, b) = (format!("{ORIGIN}/a"), format!("{ORIGIN}/b"));
    visits::trial::store(
        &fake,
        crate::trial::SITE,
        &[(&a, "googlebot", true, second), (&b, "googlebot", false, second)],
    );
    let report = call(&fake, "indexing.coverage.report", of_site(json!({})));
    let at = sdk::value::Moment::from_millis(second * 1_000).to_string();
    assert_eq!(
        (&report["rows"][0]["last_visit_at"], &report["rows"][1]["last_visit_at"]),
        (&json!(at), &json!(null)),
        "{report}"
    );
    assert!(!report["degraded"].to_string().contains("no log files"), "{report}");
}
