//! Events through their operations, against the fake host.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::updates::UPDATES;
use super::{Annotation, Kind};
use crate::tests::added;

fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    (fake, site)
}

fn add(fake: &Fake, site: &str, date: &str, title: &str, kind: &str) -> String {
    let arguments = json!({ "site_id": site, "date": date, "title": title, "kind": kind });
    let added = fake.call("websites.annotation.add", arguments).unwrap();
    added["annotation_ref"].as_str().unwrap().to_owned()
}

fn list(fake: &Fake, arguments: Value) -> Value {
    fake.call("websites.annotation.list", arguments).unwrap()
}

fn titles(page: &Value) -> Vec<&str> {
    page["annotations"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect()
}

#[test]
fn events_and_updates_of_a_period_stand_together_the_newest_first() {
    let (fake, site) = shop();
    add(&fake, &site, "2025-12-20", "Relaunch", "release");
    let moved = add(&fake, &site, "2025-12-11", "Moved", "technical");
    add(&fake, &site, "2024-01-01", "Earlier", "content");
    let page = list(&fake, json!({ "site_id": site, "from": "2025-12-01", "to": "2025-12-31" }));
    assert_eq!(titles(&page), ["Relaunch", "Moved", "December 2025 core update"]);
    let own = json!({
        "annotation_ref": moved, "date": "2025-12-11", "title": "Moved", "kind": "technical", "source": "recorded",
        "end_date": null, "note": null, "segment_ref": null, "source_url": null,
    });
    assert_eq!(page["annotations"][1], own);
    let update = &page["annotations"][2];
    assert_eq!((&update["date"], &update["end_date"]), (&json!("2025-12-11"), &json!("2025-12-29")));
    assert_eq!((&update["kind"], &update["source"]), (&json!("search_update"), &json!("google")));
    assert!(update["source_url"].as_str().unwrap().starts_with("https://status.search.google.com/"));
    assert!(page["next_cursor"].is_null());
}

#[test]
fn a_period_that_an_update_rolled_into_has_it() {
    let (fake, site) = shop();
    let page = list(&fake, json!({ "site_id": site, "from": "2024-04-01", "to": "2024-04-30" }));
    assert_eq!(titles(&page), ["March 2024 core update"]);
    assert_eq!(
        titles(&list(&fake, json!({ "site_id": site, "from": "2024-05-01", "to": "2024-05-31" }))),
        Vec::<&str>::new()
    );
}

#[test]
fn a_kind_leaves_the_others_out() {
    let (fake, site) = shop();
    add(&fake, &site, "2025-12-28", "Down", "outage");
    add(&fake, &site, "2025-12-29", "Bing moved too", "search_update");
    let of = |kind: &str| list(&fake, json!({ "site_id": site, "kind": kind, "from": "2025-12-20" }));
    assert_eq!(titles(&of("outage")), ["Down"]);
    assert_eq!(titles(&of("search_update")), ["Bing moved too", "December 2025 core update"]);
}

#[test]
fn pages_hold_every_event_once_whatever_their_size() {
    let (fake, site) = shop();
    for n in 0..12 {
        // Several on one day, that day also one of an update.
        add(&fake, &site, ["2024-03-05", "2024-03-06", "2026-09-01"][n % 3], &format!("Event {n}"), "content");
    }
    let whole = list(&fake, json!({ "site_id": site, "limit": 100 }));
    assert_eq!(titles(&whole).len(), UPDATES.len() + 12);
    for limit in [1, 2, 5, 7, 53] {
        let (mut seen, mut arguments) = (Vec::new(), json!({ "site_id": site, "limit": limit }));
        loop {
            let page = list(&fake, arguments.clone());
            seen.extend(page["annotations"].as_array().unwrap().clone());
            let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
            arguments["cursor"] = next.clone();
        }
        assert_eq!(json!(seen), whole["annotations"], "{limit}");
    }
    let dates: Vec<&str> =
        whole["annotations"].as_array().unwrap().iter().map(|it| it["date"].as_str().unwrap()).collect();
    assert!(dates.windows(2).all(|pair| pair[0] >= pair[1]));
}

#[test]
fn an_event_belongs_to_its_website_and_to_a_segment_of_it() {
    let (fake, site) = shop();
    let fake = fake.serving("https://other.example/", "");
    let other = added(&fake, "other.example");
    let rules = json!([{ "match": "glob", "value": "/a/*" }]);
    let segment = fake.call("websites.segment.set", json!({ "site_id": site, "name": "A", "rules": rules })).unwrap();
    let mut arguments = json!({ "site_id": site, "date": "2026-09-01", "title": "A", "kind": "content", "segment_ref": segment["segment_ref"], "note": "all of it" });
    fake.call("websites.annotation.add", arguments.clone()).unwrap();
    let mine = list(&fake, json!({ "site_id": site, "from": "2026-09-01" }));
    assert_eq!(mine["annotations"][0]["segment_ref"], segment["segment_ref"]);
    assert_eq!(mine["annotations"][0]["note"], "all of it");
    assert_eq!(titles(&list(&fake, json!({ "site_id": other, "from": "2026-09-01" }))), Vec::<&str>::new());
    arguments["site_id"] = json!(other);
    let foreign = fake.refusal("websites.annotation.add", arguments);
    assert_eq!((foreign.code.as_str(), foreign.pointer.as_deref()), ("segment_not_found", Some("/segment_ref")));
}

#[test]
fn what_cannot_be_an_event_or_a_list_is_refused_with_its_place() {
    let (fake, site) = shop();
    let event = |change: (&str, Value)| {
        let mut event = json!({ "site_id": site, "date": "2026-09-28", "title": "A", "kind": "release" });
        event[change.0] = change.1;
        let refusal = fake.refusal("websites.annotation.add", event);
        (refusal.code.clone(), refusal.pointer.unwrap_or_default())
    };
    let expect = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(event(("date", json!("2027-09-30"))), expect("date_too_far", "/date"));
    assert_eq!(event(("date", json!("2026-02-30"))), expect("invalid_arguments", "/date"));
    assert_eq!(event(("title", json!("  "))), expect("empty_title", "/title"));
    assert_eq!(event(("kind", json!("party"))), expect("invalid_arguments", "/kind"));
    assert_eq!(event(("site_id", json!("17"))).0, "website_not_found");
    let listed = |arguments: Value| fake.refusal("websites.annotation.list", arguments);
    let reversed = listed(json!({ "site_id": site, "from": "2026-02-01", "to": "2026-01-01" }));
    assert_eq!((reversed.code.as_str(), reversed.pointer.as_deref()), ("period_reversed", Some("/from")));
    for cursor in ["a", "2026-01-01", "2026-01-01.7.a"] {
        assert_eq!(listed(json!({ "site_id": site, "cursor": cursor })).code, "invalid_cursor");
    }
    assert_eq!(listed(json!({ "site_id": "17" })).code, "website_not_found");
}

#[test]
fn a_website_has_at_most_two_thousand_events() {
    let (fake, site) = shop();
    let fake = fake.serving("https://www.other.example/", "");
    let other = added(&fake, "www.other.example");
    let event = |site: &str| Annotation {
        site_id: Id::new(site),
        date: fake.now().day(),
        title: "A".to_owned(),
        kind: Kind::Content,
        segment_ref: None,
        note: None,
        created_at: fake.now(),
    };
    for _ in 0..1_999 {
        fake.put(event(&site));
    }
    add(&fake, &site, "2026-09-28", "The last", "release");
    let more = json!({ "site_id": site, "date": "2026-09-28", "title": "One more", "kind": "release" });
    assert_eq!(fake.refusal("websites.annotation.add", more).code, "too_many_annotations");
    add(&fake, &other, "2026-09-28", "Elsewhere", "release");
}
