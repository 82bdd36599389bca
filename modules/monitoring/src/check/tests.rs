//! Checks of registrations and of stored figures.

use std::collections::BTreeMap;

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use search::{DayRecord, Days, SearchType};
use serps::{Shown, SnapshotRecord, snapshot_id};

use super::figures::Serp;
use crate::monitor::allowed::Tracker;
use crate::psi::stored::{Field, Measured, Strategy};
use crate::trial::{SITE, website};

const PAGE: &str = "https://shop.example/lamps";

fn create(fake: &Fake, arguments: &Value) {
    let mut all = json!({ "site_id": SITE, "every": "1d" });
    all.as_object_mut().expect("an object").extend(arguments.as_object().expect("an object").clone());
    fake.call("monitoring.monitor.create", all).expect("created");
}

/// A round; the state of the monitor, the reason, and the newest event's kind and words.
fn round(fake: &Fake, every: &str) -> (String, String, String) {
    assert!(fake.come_due(&format!("every_{every}")));
    fake.work();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let listed = fake.call("monitoring.monitor.list", json!({ "site_id": SITE })).expect("a list");
    let events = fake.call("monitoring.event.list", json!({ "site_id": SITE })).expect("a list");
    let (monitor, event) = (&listed["monitors"][0], &events["events"][0]);
    (text(&monitor["state"]), text(&monitor["reason"]), text(&event["message"]))
}

fn told(state: &str, reason: &str, message: &str) -> (String, String, String) {
    (state.to_owned(), reason.to_owned(), message.to_owned())
}

#[test]
fn a_registration_is_told_before_it_ends_and_a_registry_that_says_no_end_is_unknown() {
    let fake = website();
    create(&fake, &json!({ "kind": "domain", "target": "www.shop.example" }));
    let list = json!({ "services": [[["example"], ["https://rdap.registry.example/"]]] });
    fake.serve("https://data.iana.org/rdap/dns.json", 200, &[], list.to_string().as_bytes());
    let registry = |events: Value| {
        let object = json!({ "objectClassName": "domain", "ldhName": "SHOP.EXAMPLE", "events": events });
        fake.serve("https://rdap.registry.example/domain/shop.example", 200, &[], object.to_string().as_bytes());
    };
    registry(json!([{ "eventAction": "expiration", "eventDate": "2027-09-20T10:00:00Z" }]));
    assert_eq!(round(&fake, "1d"), told("ok", "", ""));
    registry(json!([]));
    assert_eq!(round(&fake, "1d"), told("ok", "registry_tells_no_end", ""));
    registry(json!([{ "eventAction": "expiration", "eventDate": "2026-10-01T10:00:00Z" }]));
    let message = "its registration ends on 2026-10-01, in 8 days";
    assert_eq!(round(&fake, "1d"), told("failing", "", message));
}

#[test]
fn what_visitors_measured_is_held_against_what_google_calls_good() {
    let fake = website();
    create(&fake, &json!({ "kind": "cwv", "target": PAGE, "every": "7d" }));
    assert_eq!(round(&fake, "7d"), told("ok", "no_stored_field_data", ""));
    let measured = |measured_ms: u64, lcp: f64| {
        let field = Field { p75: BTreeMap::from([("lcp".to_owned(), lcp)]), ..Field::default() };
        fake.put(Measured {
            site_id: SITE.to_owned(),
            page: Measured::page_of(PAGE, Strategy::Mobile),
            url: PAGE.to_owned(),
            measured_ms,
            field: Some(field),
            ..Measured::default()
        });
    };
    measured(1, 2_400.0);
    assert_eq!(round(&fake, "7d"), told("ok", "", ""));
    measured(2, 2_900.0);
    let message = "lcp is 2900 at p75, and 2500 was called good";
    assert_eq!(round(&fake, "7d"), told("failing", "", message));
}

#[test]
fn a_keyword_that_falls_is_told_until_it_is_back() {
    let fake = website();
    fake.put_as("tracker_1", Tracker { site_id: SITE.to_owned(), language: "en".to_owned() });
    create(&fake, &json!({ "kind": "rank", "target": "Desk  Lamps", "threshold": { "tracker_ref": "tracker_1" } }));
    assert_eq!(round(&fake, "1d"), told("ok", "keyword_not_tracked", ""));
    let id: Id<Serp> = Id::new(snapshot_id("tracker_1", "desk lamps"));
    let shown = |place: u32| {
        let others = (1..=20).filter(|at| *at != place);
        let mut items: Vec<Shown> = others
            .map(|at| Shown { position: at, url: format!("https://other{at}.example/"), title: String::new() })
            .collect();
        if place <= 20 {
            items.push(Shown { position: place, url: PAGE.to_owned(), title: String::new() });
        }
        SnapshotRecord {
            site_id: SITE.to_owned(),
            tracker_ref: "tracker_1".to_owned(),
            keyword: "desk lamps".to_owned(),
            market: String::new(),
            country: "GB".to_owned(),
            date: "2026-09-20".parse().expect("a day"),
            volume: None,
            depth: 50,
            items,
            features: Vec::new(),
            questions: Vec::new(),
            above: 0,
        }
    };
    fake.put_as(id.as_str(), Serp(shown(4)));
    assert_eq!(round(&fake, "1d"), told("ok", "", ""));
    let again = |place: u32| {
        fake.forget(&id);
        fake.put_as(id.as_str(), Serp(shown(place)));
    };
    again(6);
    assert_eq!(round(&fake, "1d").0, "ok", "two places are within what is usual");
    again(30);
    let message = "not among the first 20 on 2026-09-20, at 6 before";
    assert_eq!(round(&fake, "1d"), told("failing", "", message));
    again(7);
    assert_eq!(round(&fake, "1d").0, "ok");
}

#[test]
fn a_series_outside_of_its_bounds_is_told_with_every_bound_that_it_breaks() {
    let fake = website();
    let threshold = json!({ "below": 60, "change_percent": 30, "days": 7 });
    create(&fake, &json!({ "kind": "metric", "target": "search.clicks", "threshold": threshold }));
    assert_eq!(round(&fake, "1d"), told("ok", "figures_not_imported", ""));
    let last: Day = "2026-09-18".parse().expect("a day");
    for at in 0..14 {
        let day = last.plus(at - 13);
        let row = DayRecord {
            site_id: SITE.to_owned(),
            kind: SearchType::Web.name().to_owned(),
            date: day.to_string(),
            clicks: if at < 7 { 100 } else { 50 },
            impressions: 1_000,
            ..DayRecord::default()
        };
        fake.put_as(&DayRecord::id(SITE, SearchType::Web, day), Days(row));
    }
    let message = "50 on 2026-09-18, below 60; -50.0 % in 7 days to 2026-09-18, against as many before";
    assert_eq!(round(&fake, "1d"), told("failing", "", message));
}
