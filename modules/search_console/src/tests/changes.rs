//! Drops, their carriers and movers.

use super::*;

#[test]
fn a_planted_drop_is_dated_and_its_carrier_named_and_a_steady_site_has_none() {
    let fake = synced(&falling("2026-08-20"));
    let answer = called(&fake, "search_console.drop.explain", json!({ "from": "2026-07-01" }));
    let point = &answer["change_point"];
    let dated: Day = text(point, "date").parse().expect("a day");
    assert!((dated.since_epoch() - day("2026-08-20").since_epoch()).abs() <= 3, "{point}");
    assert_eq!(text(point, "direction"), "down");
    let drivers = answer["drivers"].as_array().unwrap();
    let leading: Vec<&str> =
        drivers.iter().filter(|it| it["leading"] == true).map(|it| text(it, "dimension")).collect();
    assert!(leading.iter().all(|it| ["page", "device", "query"].contains(it)) && !leading.is_empty(), "{drivers:?}");
    let device = drivers.iter().find(|it| text(it, "dimension") == "device").expect("the device carries it");
    assert_eq!((text(device, "key"), of(device, "share") > 0.9), ("mobile", true));
    assert!(drivers.iter().any(|it| it["inside"].is_string()), "{drivers:?}");
    assert_eq!(text(&answer, "kind"), "click_rate");
    assert!(text(&answer, "verdict").starts_with("Clicks a day went from"), "{answer}");
    let steady = synced(&steady());
    let answer = called(&steady, "search_console.drop.explain", json!({ "from": "2026-07-01" }));
    assert_eq!((text(&answer, "kind"), answer["change_point"].is_null()), ("no_break", true));
}

#[test]
fn events_near_a_change_are_named_with_their_distance() {
    let fake = synced(&falling("2026-08-20"));
    let note = |date: &str, title: &str| crate::drop::Annotation {
        site_id: Id::new(SITE),
        date: day(date),
        title: title.to_owned(),
        kind: "release".to_owned(),
    };
    fake.put_as("ann_1", note("2026-08-19", "New template"));
    fake.put_as("ann_2", note("2026-06-01", "Old news"));
    let answer = called(&fake, "search_console.drop.explain", json!({ "from": "2026-07-01" }));
    let events = answer["events"].as_array().unwrap();
    let own = events.iter().find(|it| it["title"] == "New template").expect("the annotation");
    assert!(own["days_from_change"].as_i64().is_some_and(|it| it.abs() <= 4), "{own}");
    assert!(!events.iter().any(|it| it["title"] == "Old news"));
}

#[test]
fn movers_are_those_beyond_chance_and_small_numbers_do_not_lead() {
    let fake = synced(&falling("2026-08-29"));
    let answer = called(&fake, "search_console.mover.report", json!({ "by": "page", "direction": "down" }));
    let rows = answer["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|it| text(it, "key").contains("/guides/")), "{rows:?}");
    assert!(rows.iter().all(|it| of(it, "q") < 0.05
        && it["delta"].as_i64() < Some(0)
        && it["fix"]["operation_id"] == "search_console.page.query.list"));
    let up = called(&fake, "search_console.mover.report", json!({ "by": "page", "direction": "up" }));
    assert_eq!(up["rows"], json!([]));
    let none = called(&synced(&steady()), "search_console.mover.report", json!({}));
    assert!(none["rows"].as_array().unwrap().len() <= 1, "{none}");
}

#[test]
fn days_that_google_did_not_answer_for_are_no_fall_and_hide_nothing() {
    let google = steady();
    google.dead.borrow_mut().extend((8..16).map(|at| day(&format!("2026-09-{at:02}"))));
    let fake = synced(&google);
    let movers = called(&fake, "search_console.mover.report", json!({ "by": "page" }));
    assert_eq!(movers["rows"], json!([]), "{movers}");
    assert!(movers["degraded"].to_string().contains("are stored for 20 of 28 days"), "{movers}");
    let split = called(&fake, "search_console.brand.split", json!({}));
    let answered = |it: &Shown| it.day > day("2026-08-28") && !google.dead.borrow().contains(&it.day);
    let rare = google.sums(|it| answered(it) && it.rare, |_| String::new())[""];
    assert_eq!(split["hidden"]["clicks"].as_u64(), Some(rare.clicks), "the gap is unknown, and not hidden");
}
