//! Sources: what is saved, changed and refused.

use sdk::json;

use crate::trial::{self, SITE};

#[test]
fn a_source_is_saved_once_by_its_name_and_opens_an_upload() {
    let fake = trial::website();
    let arguments =
        json!({ "site_id": SITE, "name": "web", "format": "combined", "timezone": "Europe/Berlin", "ip": "drop" });
    let saved = trial::call(&fake, "logs.source.save", &arguments);
    assert_eq!(saved["created"], true);
    assert!(saved["upload"]["url"].as_str().is_some_and(|it| it.starts_with("http")), "{saved}");
    assert_eq!(saved["next"][0]["arguments"]["upload_ref"], saved["upload"]["upload_ref"]);
    let again = trial::call(
        &fake,
        "logs.source.save",
        &json!({ "site_id": SITE, "name": "web", "format": "common", "open_upload": false }),
    );
    assert_eq!((&again["created"], &again["source_ref"]), (&json!(false), &saved["source_ref"]));
    assert_eq!((&again["upload"], &again["format"]), (&json!(null), &json!("common")));
}

#[test]
fn what_no_line_can_be_read_with_is_refused() {
    let fake = trial::website();
    let refused = |more: sdk::serde_json::Value| {
        let mut arguments = json!({ "site_id": SITE, "name": "web", "format": "combined" });
        more.as_object().expect("an object").iter().for_each(|(name, value)| arguments[name] = value.clone());
        let fault = fake.refusal("logs.source.save", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let pair = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(refused(json!({ "pattern": "$status" })), pair("pattern_not_taken", "/pattern"));
    assert_eq!(refused(json!({ "format": "nginx" })), pair("pattern_required", "/pattern"));
    assert_eq!(refused(json!({ "format": "nginx", "pattern": "$status" })), pair("pattern_unreadable", "/pattern"));
    assert_eq!(refused(json!({ "format": "regex", "pattern": "(?P<x>" })), pair("pattern_unreadable", "/pattern"));
    assert_eq!(refused(json!({ "timezone": "Mars/Olympus" })), pair("unknown_timezone", "/timezone"));
    assert_eq!(refused(json!({ "proxies": ["10.0.0.0/8", "proxy"] })), pair("not_a_range", "/proxies/1"));
    assert_eq!(refused(json!({ "site_id": "1" })), pair("website_not_found", "/site_id"));
}

#[test]
fn a_website_has_as_many_sources_as_a_report_looks_at() {
    let fake = trial::website();
    let save =
        |at: usize| json!({ "site_id": SITE, "name": format!("web-{at}"), "format": "combined", "open_upload": false });
    for at in 0..crate::given::MOST_SOURCES {
        trial::call(&fake, "logs.source.save", &save(at));
    }
    let refused = fake.refusal("logs.source.save", save(crate::given::MOST_SOURCES));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("too_many_sources", Some("/name")));
    assert_eq!(trial::call(&fake, "logs.source.save", &save(0))["created"], false);
}
