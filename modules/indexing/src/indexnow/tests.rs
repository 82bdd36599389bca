//! What IndexNow's key and notices promise.

use sdk::json;

use crate::stored::{IndexNowKey, Submission};
use crate::trial::{Crawl, HTML, KEY, ORIGIN, RUN, SITE, call, of_site, refused, text, website, with_key};

#[test]
fn a_key_is_made_once_and_replaced_on_demand_only() {
    let fake = website();
    let made = call(&fake, "indexing.indexnow.key.create", of_site(json!({})));
    let key = made["key"].as_str().unwrap();
    assert!(key.len() == 32 && key.bytes().all(|it| it.is_ascii_hexdigit()), "{key}");
    assert_eq!((&made["location"], &made["created"]), (&json!(format!("{ORIGIN}/{key}.txt")), &json!(true)));
    let again = call(&fake, "indexing.indexnow.key.create", of_site(json!({})));
    assert_eq!((&again["key"], &again["created"]), (&made["key"], &json!(false)));
    let own = of_site(json!({ "key": "my-own-key-1", "key_location": format!("{ORIGIN}/shop/my-own-key-1.txt") }));
    let own = call(&fake, "indexing.indexnow.key.create", own);
    assert_eq!((&own["key"], &own["scope"]), (&json!("my-own-key-1"), &json!(format!("{ORIGIN}/shop/"))));
    let new = call(&fake, "indexing.indexnow.key.create", of_site(json!({ "replace": true })));
    assert_ne!(new["key"], own["key"]);
    assert_eq!(fake.rows::<IndexNowKey>().len(), 1);
    for (arguments, code, pointer) in [
        (json!({ "key_location": "https://other.example/k.txt" }), "url_not_of_site", "/key_location"),
        (json!({ "key_location": format!("{ORIGIN}/key.html") }), "no_text_file", "/key_location"),
        (json!({ "key": "not a key!" }), "invalid_key", "/key"),
    ] {
        let refusal = refused(&fake, "indexing.indexnow.key.create", of_site(arguments));
        assert_eq!(refusal, (code.to_owned(), Some(pointer.to_owned())));
    }
}

#[test]
fn a_key_file_is_right_only_where_it_is_served_as_it_should_be() {
    let location = format!("{ORIGIN}/{KEY}.txt");
    let plain = ("content-type", "text/plain");
    for (status, headers, body, code) in [
        (200, vec![plain], KEY, None),
        (200, vec![plain], "\u{feff}0c1a57b9lampshop4f2e8d7136a5b0c9\r\n", None),
        (200, vec![("content-type", "application/octet-stream")], KEY, Some("type")),
        (200, vec![plain], "another", Some("content")),
        (200, vec![("content-type", "text/html")], "<html>not found</html>", Some("content")),
        (301, vec![("location", "/elsewhere")], "", Some("redirect")),
        (404, vec![plain], "", Some("status")),
    ] {
        let fake = with_key();
        fake.serve(&location, status, &headers, body.as_bytes());
        let verified = call(&fake, "indexing.indexnow.key.verify", of_site(json!({})));
        assert_eq!(verified["problems"][0]["code"].as_str(), code, "{verified}");
        assert_eq!(verified["verified"], code.is_none() || code == Some("type"));
    }
    assert_eq!(refused(&website(), "indexing.indexnow.key.verify", of_site(json!({}))).0, "key_required");
}

#[test]
fn changed_pages_are_handed_over_once_and_others_are_told_with_the_reason() {
    let fake = with_key();
    fake.provider_answers("POST", "/indexnow", 202, &json!({}));
    Crawl::begin(&fake, RUN, 1)
        .html("/a", &text("a"))
        .html("/hidden", "<meta name=robots content=noindex>")
        .answer("/gone", "link", 410, HTML, "");
    fake.serve(&format!("{ORIGIN}/fresh"), 200, HTML, text("fresh").as_bytes());
    let urls = ["/a", "/a", "/hidden", "/gone", "/fresh"].map(|path| format!("{ORIGIN}{path}"));
    let sent = call(&fake, "indexing.indexnow.submit", of_site(json!({ "urls": urls })));
    assert_eq!((&sent["submitted"], &sent["response_code"]), (&json!(3), &json!(202)));
    let reasons: Vec<&str> =
        sent["skipped"].as_array().unwrap().iter().map(|it| it["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["repeated", "noindex"]);
    let gone: Vec<bool> = fake.rows::<Submission>().iter().map(|it| it.removed).collect();
    assert_eq!(gone, [false, true, false]);
    let again = call(&fake, "indexing.indexnow.submit", of_site(json!({ "urls": urls })));
    assert_eq!((&again["submitted"], &again["response_code"]), (&json!(0), &sdk::serde_json::Value::Null));
    assert_eq!(fake.rows::<Submission>().len(), 3);
    let forced = call(&fake, "indexing.indexnow.submit", of_site(json!({ "urls": [urls[0]], "force": true })));
    assert_eq!(forced["submitted"], 1);
    assert_eq!(fake.reply("indexing.indexnow.submit", of_site(json!({ "urls": urls }))).unwrap().units, 5);
}

#[test]
fn nothing_is_sent_without_a_right_key_file_and_a_refusal_is_kept() {
    let url = json!({ "urls": [format!("{ORIGIN}/a")] });
    let fake = with_key();
    Crawl::begin(&fake, RUN, 1).html("/a", &text("a"));
    fake.serve(&format!("{ORIGIN}/{KEY}.txt"), 404, &[], b"");
    assert_eq!(refused(&fake, "indexing.indexnow.submit", of_site(url.clone())).0, "key_not_verified");
    assert!(fake.sent().is_empty() && fake.rows::<Submission>().is_empty());
    let fake = with_key();
    Crawl::begin(&fake, RUN, 1).html("/a", &text("a"));
    fake.provider_answers("POST", "/indexnow", 403, &json!({ "code": "SiteVerificationNotCompleted" }));
    let answer = call(&fake, "indexing.indexnow.submit", of_site(url.clone()));
    assert_eq!((&answer["submitted"], &answer["response_code"]), (&json!(0), &json!(403)));
    assert_eq!(fake.rows::<Submission>()[0].code, 403);
    let retried = call(&fake, "indexing.indexnow.submit", of_site(url));
    assert_eq!(retried["response_code"], 403, "what was refused is not taken for handed over");
    assert_eq!(refused(&website(), "indexing.indexnow.submit", of_site(json!({ "urls": [ORIGIN] }))).0, "key_required");
    let foreign =
        refused(&with_key(), "indexing.indexnow.submit", of_site(json!({ "urls": ["https://other.example/"] })));
    assert_eq!(foreign, ("url_not_of_site".to_owned(), Some("/urls/0".to_owned())));
}

#[test]
fn a_key_in_a_folder_speaks_for_that_folder_only() {
    let fake = website().connected("con_1", "indexnow");
    let location = format!("{ORIGIN}/shop/{KEY}.txt");
    fake.serve(&location, 200, &[("content-type", "text/plain")], KEY.as_bytes());
    fake.put_as(SITE, IndexNowKey { site_id: SITE.to_owned(), key: KEY.to_owned(), location, created_ms: 0 });
    let urls = json!({ "urls": [format!("{ORIGIN}/shop/a"), format!("{ORIGIN}/blog/b")] });
    assert_eq!(
        refused(&fake, "indexing.indexnow.submit", of_site(urls)),
        ("outside_key_scope".to_owned(), Some("/urls/1".to_owned()))
    );
}
