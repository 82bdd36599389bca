//! Websites through their operations and routes, against the fake host.

use kit::crawled::{RunRecord, RunState, StopReason, Totals};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Failure, Fake, json};

use crate::stored::{Audit, Claim, Website};
use site::Run;

pub(crate) const HOME: &str = "<!doctype html><html lang=\"de-DE\"><head><title>Lampen</title>\
<meta name=\"generator\" content=\"WordPress 6.8.1\"></head><body><h1>Lampen</h1></body></html>";

pub(crate) fn shop() -> Fake {
    let fake = crate::fake().serving("https://shop.example/", HOME);
    fake.serve("https://shop.example/robots.txt", 200, &[], b"User-agent: *\nSitemap: /maps/all.xml\n");
    fake.serve("https://shop.example/sitemap.xml", 404, &[], b"");
    fake
}

pub(crate) fn added(fake: &Fake, domain: &str) -> String {
    let created = fake.call("websites.create", json!({ "domain": domain })).unwrap();
    created["site_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_website_is_added_with_what_its_front_door_shows() {
    let created = shop().call("websites.create", json!({ "domain": "shop.example" })).unwrap();
    assert_eq!(created["origin"], "https://shop.example");
    assert_eq!(created["registrable_domain"], "shop.example");
    assert_eq!(created["detected"]["cms"]["name"], "WordPress");
    assert_eq!(created["detected"]["cms"]["version"], "6.8.1");
    assert_eq!(created["detected"]["language"], "de-DE");
    assert_eq!(created["detected"]["sitemaps"], json!(["https://shop.example/maps/all.xml"]));
    assert!(created["note"].is_null());
}

#[test]
fn an_id_is_a_string_of_digits_that_every_reader_keeps_exact() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let number: u64 = id.parse().unwrap();
    assert!((1..1 << 53).contains(&number), "{id}");
    assert_eq!(number.to_string(), id);
}

#[test]
fn a_site_without_https_is_reached_over_http() {
    let fake = crate::fake().serving("http://plain.example/", HOME);
    fake.fail("https://plain.example/", Failure::Unreachable);
    let created = fake.call("websites.create", json!({ "domain": "plain.example" })).unwrap();
    assert_eq!(created["origin"], "http://plain.example");
}

#[test]
fn redirects_decide_the_preferred_origin_within_the_same_domain() {
    let fake = crate::fake().serving("https://www.moved.example/", HOME);
    fake.serve("https://moved.example/", 301, &[("location", "https://www.moved.example/")], b"");
    let created = fake.call("websites.create", json!({ "domain": "moved.example" })).unwrap();
    assert_eq!(created["origin"], "https://www.moved.example");
}

#[test]
fn a_redirect_to_another_domain_is_noted_and_not_followed() {
    let fake = crate::fake().serving("https://other.example/", HOME);
    fake.serve("https://old.example/", 301, &[("location", "https://other.example/")], b"");
    let created = fake.call("websites.create", json!({ "domain": "old.example" })).unwrap();
    assert_eq!(created["origin"], "https://old.example");
    assert!(created["note"].as_str().unwrap().contains("https://other.example"), "{created}");
    assert_eq!(created["detected"]["sitemaps"], json!([]));
}

#[test]
fn the_usual_sitemap_is_found_when_robots_names_none() {
    let fake = crate::fake().serving("https://shop.example/", HOME);
    fake.serve("https://shop.example/sitemap.xml", 200, &[], b"<?xml version=\"1.0\"?><urlset></urlset>");
    let created = fake.call("websites.create", json!({ "domain": "shop.example" })).unwrap();
    assert_eq!(created["detected"]["sitemaps"], json!(["https://shop.example/sitemap.xml"]));
}

#[test]
fn a_page_that_only_pretends_to_be_a_sitemap_is_none() {
    let fake = crate::fake().serving("https://shop.example/", HOME).serving("https://shop.example/sitemap.xml", HOME);
    let created = fake.call("websites.create", json!({ "domain": "shop.example" })).unwrap();
    assert_eq!(created["detected"]["sitemaps"], json!([]));
}

#[test]
fn a_name_that_nobody_knows_and_one_inside_a_network_are_refused_alike() {
    let fake = crate::fake();
    for door in ["https://inside.example/", "http://inside.example/"] {
        fake.fail(door, Failure::Refused);
    }
    let nowhere = fake.refusal("websites.create", json!({ "domain": "nowhere.example" }));
    let inside = fake.refusal("websites.create", json!({ "domain": "inside.example" }));
    assert_eq!(nowhere, inside);
    assert_eq!(nowhere.code, "website_unreachable");
    assert!(fake.rows::<Website>().is_empty());
}

#[test]
fn a_host_that_exists_but_does_not_answer_is_added_with_a_note() {
    let fake = crate::fake();
    for door in ["https://slow.example/", "http://slow.example/"] {
        fake.fail(door, Failure::Timeout);
    }
    let created = fake.call("websites.create", json!({ "domain": "slow.example" })).unwrap();
    assert!(created["note"].as_str().unwrap().contains("in time"), "{created}");
    assert_eq!(created["detected"], json!({ "sitemaps": [], "cms": null, "language": null }));
}

#[test]
fn no_call_makes_more_requests_than_a_read_may() {
    let fake = crate::fake();
    let _ = fake.refusal("websites.create", json!({ "domain": "nowhere.example" }));
    assert!(fake.requested().len() <= 8, "{:?}", fake.requested());
    let fake = shop();
    added(&fake, "shop.example");
    assert!(fake.requested().len() <= 8, "{:?}", fake.requested());
}

#[test]
fn the_same_domain_twice_is_a_conflict_that_names_the_first() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    for domain in ["shop.example", "WWW.shop.example", "shop.example."] {
        let refusal = fake.refusal("websites.create", json!({ "domain": domain }));
        assert_eq!(refusal.code, "website_exists", "{domain}");
        let detail: Value = sdk::serde_json::from_str(&refusal.detail.unwrap()).unwrap();
        assert_eq!(detail["site_id"], id.as_str());
    }
}

#[test]
fn what_is_no_host_name_is_refused_before_any_request() {
    let fake = crate::fake();
    for domain in [
        "ftp://shop.example",
        "https://somebody@shop.example/",
        "https://127.0.0.1/lamps",
        "shop.example:8081",
        "127.0.0.1",
        "[::1]",
        "localhost",
        "a b.example",
    ] {
        let refusal = fake.refusal("websites.create", json!({ "domain": domain }));
        assert_eq!(refusal.code, "invalid_arguments", "{domain}");
        assert_eq!(refusal.pointer.as_deref(), Some("/domain"), "{domain}");
    }
    assert!(fake.requested().is_empty());
}

#[test]
fn an_update_says_what_changed_and_leaves_the_rest() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let update = json!({ "site_id": id, "brand_terms": ["Lampe"], "countries": ["de"], "facts": { "founded": 1999, "city": "Ulm" } });
    let updated = fake.call("websites.profile.update", update.clone()).unwrap();
    assert_eq!(updated["changed"], json!(["brand_terms", "countries", "facts"]));
    assert_eq!(updated["site"]["countries"], json!(["DE"]));
    assert_eq!(fake.call("websites.profile.update", update).unwrap()["changed"], json!([]));
    let merged = fake
        .call("websites.profile.update", json!({ "site_id": id, "facts": { "city": null, "open": true } }))
        .unwrap();
    assert_eq!(merged["site"]["facts"], json!({ "founded": 1999, "open": true }));
    assert_eq!(merged["site"]["brand_terms"], json!(["Lampe"]));
}

#[test]
fn facts_and_paths_that_cannot_be_kept_are_refused_with_their_place() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let cases = [
        (json!({ "facts": { "a/b": { "deep": 1 } } }), "/facts/a~1b", "fact_value"),
        (json!({ "facts": { "long": "x".repeat(501) } }), "/facts/long", "fact_value"),
        (json!({ "facts": { "": 1 } }), "/facts/", "fact_name"),
        (json!({ "conversion_paths": ["/ok", "thanks"] }), "/conversion_paths/1", "not_a_path"),
    ];
    for (members, pointer, code) in cases {
        let mut arguments = members.clone();
        arguments["site_id"] = json!(id);
        let refusal = fake.refusal("websites.profile.update", arguments);
        assert_eq!((refusal.pointer.as_deref(), refusal.code.as_str()), (Some(pointer), code), "{members}");
    }
    let many: Value =
        (0..101).map(|number| (format!("fact {number}"), json!(number))).collect::<sdk::serde_json::Map<_, _>>().into();
    assert_eq!(fake.refusal("websites.profile.update", json!({ "site_id": id, "facts": many })).code, "too_many_facts");
}

#[test]
fn an_unknown_website_is_not_found_anywhere() {
    let fake = crate::fake();
    for operation in ["websites.profile.get", "websites.profile.update", "websites.delete"] {
        assert_eq!(fake.refusal(operation, json!({ "site_id": "12345" })).code, "website_not_found", "{operation}");
    }
    assert_eq!(fake.route("websites.get", json!({ "site_id": "12345" })).unwrap_err().code, "website_not_found");
    assert_eq!(
        fake.route("websites.list", json!({ "before_site_id": "12345" })).unwrap_err().code,
        "website_not_found"
    );
}

#[test]
fn a_deleted_website_is_gone_and_its_domain_is_free_again() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let deleted = fake.call("websites.delete", json!({ "site_id": id })).unwrap();
    assert_eq!(deleted["deleted"], true);
    assert_eq!(deleted["counts"], json!({ "websites": 1 }));
    assert!(fake.rows::<Website>().is_empty() && fake.rows::<Claim>().is_empty());
    assert_eq!(fake.refusal("websites.delete", json!({ "site_id": id })).code, "website_not_found");
    added(&fake, "shop.example");
}

#[test]
fn a_preview_deletes_nothing_and_its_hash_holds_until_the_website_changes() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let preview = fake.call("websites.delete", json!({ "site_id": id, "preview": true })).unwrap();
    assert_eq!(preview["deleted"], false);
    fake.call("websites.profile.update", json!({ "site_id": id, "name": "Lamps" })).unwrap();
    let refusal = fake.refusal("websites.delete", json!({ "site_id": id, "confirm_hash": preview["confirm_hash"] }));
    assert_eq!(refusal.code, "confirm_hash_changed");
    let detail: Value = sdk::serde_json::from_str(&refusal.detail.unwrap()).unwrap();
    let deleted =
        fake.call("websites.delete", json!({ "site_id": id, "confirm_hash": detail["confirm_hash"] })).unwrap();
    assert_eq!(deleted["deleted"], true);
}

#[test]
fn the_list_is_newest_first_and_pages_by_the_last_id() {
    let fake = crate::fake();
    let mut ids = Vec::new();
    for number in 0..5 {
        let domain = format!("site-{number}.example");
        let fake_page = format!("https://{domain}/");
        fake.serve(&fake_page, 200, &[("content-type", "text/html")], HOME.as_bytes());
        fake.set_now(Moment::from_millis(1_790_000_000_000 + number / 2));
        ids.push(added(&fake, &domain));
    }
    let mut seen = Vec::new();
    let mut arguments = json!({ "limit": 2 });
    loop {
        let page = fake.route("websites.list", arguments.clone()).unwrap();
        let rows = page["websites"].as_array().unwrap().clone();
        assert!(rows.len() <= 2);
        seen.extend(rows.iter().map(|row| row["site_id"].as_str().unwrap().to_owned()));
        let Some(next) = page.get("next_before_site_id").filter(|it| !it.is_null()) else { break };
        arguments["before_site_id"] = next.clone();
    }
    assert_eq!(seen.len(), 5);
    assert_eq!(seen[0], ids[4]);
    let (mut seen, mut ids) = (seen, ids);
    seen.sort();
    ids.sort();
    assert_eq!(seen, ids);
    for limit in [0, 51] {
        assert_eq!(fake.route("websites.list", json!({ "limit": limit })).unwrap_err().code, "invalid_arguments");
    }
}

#[test]
fn the_status_and_metrics_follow_crawls_and_audits() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let shown = |fake: &Fake| fake.route("websites.get", json!({ "site_id": id })).unwrap();
    assert_eq!(shown(&fake)["status"], "new");
    assert_eq!(shown(&fake)["metrics"], json!({ "crawl": null, "audit": null }));
    let crawl = |state, created_ms, finished_ms| {
        let totals = Totals { fetched: 40, indexable: 30, errors: 2, links: 900, ..Totals::default() };
        let stop_reason = (state == RunState::Finished).then_some(StopReason::Completed);
        Run(RunRecord {
            site_id: id.clone(),
            state,
            created_ms,
            finished_ms,
            stop_reason,
            totals,
            ..RunRecord::default()
        })
    };
    fake.put_as("run-1", crawl(RunState::Finished, 1_000, Some(2_000)));
    assert_eq!(shown(&fake)["status"], "crawled");
    assert_eq!(shown(&fake)["metrics"]["crawl"]["pages"], 40);
    fake.put_as(
        "audit-1",
        Audit {
            site_id: id.clone(),
            created_ms: 2_500,
            finished_ms: Some(3_000),
            score: Some(81.5),
            pages: 40,
            by_severity: [("error".to_owned(), 1), ("notice".to_owned(), 4)].into(),
        },
    );
    assert_eq!(shown(&fake)["status"], "audited");
    assert_eq!(shown(&fake)["metrics"]["audit"]["score"], 81.5);
    assert_eq!(shown(&fake)["metrics"]["audit"]["issues"], 5);
    fake.put_as("run-2", crawl(RunState::Running, 4_000, None));
    assert_eq!(shown(&fake)["status"], "crawling");
    let profile = fake.call("websites.profile.get", json!({ "site_id": id })).unwrap();
    assert_eq!(profile["freshness"].as_object().unwrap().len(), 3);
    let deleted = fake.call("websites.delete", json!({ "site_id": id, "preview": true })).unwrap();
    assert_eq!(deleted["kept"], json!({ "audits": 1, "crawls": 2 }));
}
