//! Markup that is put on a page, and what is refused before anything is written.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::{Deployment, State, publish};
use crate::tests::{PAGE, host};

const POSTS: &str = "/wp-json/wp/v2/posts";
const MARKUP: &str = r#"{"@context":"https://schema.org","@type":"Organization","name":"Lampshop"}"#;

fn post(raw: &str) -> Value {
    json!({ "id": 7, "link": PAGE, "status": "publish", "modified_gmt": "2026-09-01T00:00:00", "content": { "raw": raw, "protected": false },
        "_links": { "wp:action-unfiltered-html": [{}] } })
}

/// A shop whose product page is post 7 of its WordPress.
pub(crate) fn wordpress(raw: &str) -> Fake {
    let fake = host().connected("con_1", "wordpress");
    fake.provider_answers("GET", "/wp-json", 200, &json!({ "home": "https://shop.example" }));
    fake.provider_answers("GET", POSTS, 200, &json!([post(raw)]));
    fake.provider_answers("GET", &format!("{POSTS}/7"), 200, &post(raw));
    fake.provider_answers("GET", &format!("{POSTS}/7/revisions"), 200, &json!([]));
    fake.provider_answers("POST", &format!("{POSTS}/7"), 200, &post(raw));
    fake
}

#[test]
fn what_cannot_be_deployed_is_refused_before_the_job() {
    let fake = wordpress("<p>a</p>");
    let items = |url: &str, jsonld: &str| json!({ "site_id": "81", "items": [{ "url": url, "jsonld": jsonld }] });
    for (arguments, code, pointer) in [
        (json!({ "site_id": "81" }), "template_or_items", "/items"),
        (items("https://else.example/", MARKUP), "url_not_of_site", "/items/0/url"),
        (items(PAGE, "[1]"), "not_json_ld", "/items/0/jsonld"),
        (items(PAGE, r#"{"@type":"Organization","name":"x"}"#), "invalid_markup", "/items/0/jsonld"),
        (
            items(PAGE, r#"{"@context":"https://schema.org","@type":"Organization"}"#),
            "invalid_markup",
            "/items/0/jsonld",
        ),
        (json!({ "site_id": "81", "template_ref": "tpl_9" }), "template_not_found", "/template_ref"),
    ] {
        let refused = fake.refusal("schema.deploy", arguments);
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)));
    }
    let unconnected = host().refusal("schema.deploy", items(PAGE, MARKUP));
    assert_eq!(unconnected.code, "connection_required");
    assert!(fake.sent().is_empty());
}

#[test]
fn a_dry_run_finds_the_item_and_writes_nothing() {
    let fake = wordpress("<p>a</p>");
    let items = json!([{ "url": PAGE, "jsonld": MARKUP }]);
    fake.call("schema.deploy", json!({ "site_id": "81", "items": items, "dry_run": true })).unwrap();
    fake.work();
    assert!(fake.sent().iter().all(|it| it.starts_with("GET ")), "{:?}", fake.sent());
    assert!(fake.rows::<Deployment>().is_empty());
}

#[test]
fn markup_that_the_user_may_not_write_and_content_of_a_page_builder_are_left_alone() {
    for (raw, links, code) in [
        ("<p>a</p>", json!({}), "unfiltered_html_missing"),
        ("[et_pb_section]a[/et_pb_section]", json!({ "wp:action-unfiltered-html": [{}] }), "page_builder"),
    ] {
        let fake = wordpress(raw);
        let mut post = post(raw);
        post["_links"] = links;
        fake.provider_answers("GET", POSTS, 200, &json!([post]));
        let items = json!([{ "url": PAGE, "jsonld": MARKUP }]);
        let started = fake.call("schema.deploy", json!({ "site_id": "81", "items": items })).unwrap();
        fake.work();
        let job = sdk::value::Id::new(started["job_ref"].as_str().unwrap());
        let outcome: Value = fake.jobs().get(&job).unwrap().result().unwrap();
        assert_eq!(outcome["failed"][0]["code"], code);
        assert!(fake.sent().iter().all(|it| it.starts_with("GET ")) && fake.rows::<Deployment>().is_empty());
    }
}

#[test]
fn what_a_live_page_shows_of_a_markup_is_told_apart() {
    let Value::Object(markup) = serde_json::from_str(MARKUP).unwrap() else { panic!() };
    let block = super::block::written("dep_1", &markup);
    assert_eq!(publish::seen(&format!("<p>a</p>{block}"), "dep_1", &markup), State::Live);
    assert_eq!(publish::seen(&block.replace("Lampshop", "Other"), "dep_1", &markup), State::Changed);
    assert_eq!(publish::seen(&block.replace("\"@type\"", "&#8220;@type"), "dep_1", &markup), State::Invalid);
    assert_eq!(publish::seen("<p>a</p>", "dep_1", &markup), State::Missing);
}
