//! What inspecting many addresses promises.

use sdk::json;
use sdk::serde_json::Value;

use crate::stored::UrlState;
use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, ended, inspected, of_site, refused, text, website};

fn connected() -> sdk::Fake {
    let fake = website().connected("con_1", "google_search_console");
    let sites = json!({ "siteEntry": [{ "siteUrl": format!("{ORIGIN}/"), "permissionLevel": "siteOwner" }] });
    fake.provider_answers("GET", "/webmasters/v3/sites", 200, &sites);
    let said = json!({ "inspectionResult": { "indexStatusResult": { "verdict": "PASS", "coverageState": "Submitted and indexed" } } });
    fake.provider_answers("POST", "/v1/urlInspection/index:inspect", 200, &said);
    fake
}

fn stored(fake: &sdk::Fake) -> Vec<String> {
    let mut urls: Vec<String> = fake.rows::<UrlState>().iter().map(|it| it.url.replace(ORIGIN, "")).collect();
    urls.sort();
    urls
}

#[test]
fn the_strongest_indexable_pages_are_asked_first_and_what_google_says_is_kept() {
    let fake = connected();
    Crawl::begin(&fake, RUN, 1)
        .html("/", &text("home"))
        .html("/a", &text("a"))
        .html("/a/b/c/d", &text("deep"))
        .answer("/gone", "link", 404, HTML, "");
    let started = call(&fake, "indexing.inspection.run", of_site(json!({ "max": 2 })));
    assert_eq!((&started["quota_left"], &started["property"]), (&json!(2_000), &json!("https://shop.example/")));
    let result = ended(&fake, &started);
    assert_eq!((&result["inspected"], &result["quota_left"]), (&json!(2), &json!(1_998)));
    assert_eq!(result["states"], json!({ "Submitted and indexed": 2 }));
    assert_eq!(stored(&fake), ["/", "/a"]);
    let again = call(&fake, "indexing.inspection.run", of_site(json!({ "choose": "not_indexed" })));
    assert_eq!(again["quota_left"], 1_998);
    ended(&fake, &again);
    assert_eq!(stored(&fake), ["/", "/a", "/a/b/c/d"]);
}

#[test]
fn given_addresses_are_asked_alone_and_stale_ones_before_fresh_ones() {
    let fake = connected();
    Crawl::begin(&fake, RUN, 1).html("/a", &text("a")).html("/b", &text("b"));
    inspected(&fake, "/a", "PASS", "Submitted and indexed", 100);
    inspected(&fake, "/b", "PASS", "Submitted and indexed", 3);
    let result = ended(&fake, &call(&fake, "indexing.inspection.run", of_site(json!({ "choose": "stale" }))));
    assert_eq!(result["inspected"], 1);
    let listed = of_site(json!({ "choose": "listed", "urls": [format!("{ORIGIN}/c")] }));
    ended(&fake, &call(&fake, "indexing.inspection.run", listed));
    assert_eq!(stored(&fake), ["/a", "/b", "/c"]);
}

#[test]
fn googles_wish_to_wait_ends_the_job_with_what_was_asked() {
    let fake = connected();
    Crawl::begin(&fake, RUN, 1).html("/a", &text("a"));
    fake.provider_fails("POST", "/v1/urlInspection/index:inspect", sdk::SendFailure::RateLimited(Some(60)));
    let result = ended(&fake, &call(&fake, "indexing.inspection.run", of_site(json!({}))));
    assert_eq!((&result["inspected"], &result["quota_left"]), (&json!(0), &json!(0)));
    assert!(result["degraded"].to_string().contains("quota is used up"), "{result}");
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_sent() {
    let fake = connected();
    let code = |arguments: Value| refused(&fake, "indexing.inspection.run", of_site(arguments));
    assert_eq!(code(json!({ "choose": "listed" })), ("urls_needed".to_owned(), Some("/urls".to_owned())));
    assert_eq!(
        code(json!({ "urls": ["https://other.example/"] })),
        ("url_not_of_site".to_owned(), Some("/urls/0".to_owned()))
    );
    assert_eq!(code(json!({})).0, "crawl_required");
    assert!(fake.sent().is_empty());
    assert_eq!(
        refused(&website(), "indexing.inspection.run", of_site(json!({ "urls": [ORIGIN], "choose": "listed" }))).0,
        "connection_required"
    );
}
