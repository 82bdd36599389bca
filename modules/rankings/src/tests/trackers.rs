//! Trackers: creating, changing, deleting, and what is refused.

use super::*;

fn create(more: &Value) -> Value {
    let mut arguments = json!({ "site_id": SITE, "set_ref": SET, "location": "GB", "language": "en" });
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    arguments
}

#[test]
fn a_tracker_follows_its_set_and_tells_what_the_provider_bills() {
    let fake = fake(&Provider::default());
    put_set(&fake, 3, 1);
    let rivals = crate::stored::Competitors { domains: vec!["rival.example".to_owned()] };
    fake.put_as(SITE, rivals);
    let reply = fake.reply("rankings.tracker.create", create(&json!({ "depth": 45 }))).expect("a tracker");
    assert_eq!(reply.units, 0, "creating charges nothing");
    let created = reply.data;
    assert_eq!((created["checks_per_run"].as_u64(), created["provider_pages_per_check"].as_u64()), (Some(2), Some(5)));
    assert!(created["next_run"].is_string(), "{created}");
    let listed = call(&fake, "rankings.tracker.list", &json!({ "site_id": SITE }));
    let shown = &listed["trackers"][0];
    assert_eq!((shown["checks_per_run"].as_u64(), text(shown, "location")), (Some(2), "GB"));
    assert_eq!(shown["competitor_domains"], json!(["rival.example"]));
    assert_eq!((text(shown, "every"), shown["visibility"].is_null()), ("weekly", true));
}

#[test]
fn places_are_countries_codes_or_names_and_others_are_refused_with_the_nearest() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900))]);
    call(&fake, "rankings.tracker.create", &create(&json!({})));
    assert_eq!(provider.listed.get(), 0, "a country is known without asking");
    let unknown = fake.refusal("rankings.tracker.create", create(&json!({ "location": "Londn" })));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("unknown_location", Some("/location")));
    assert_eq!(detail(&unknown)["nearest"][0], "London,England,United Kingdom");
    call(&fake, "rankings.tracker.create", &create(&json!({ "location": "london,England,united kingdom" })));
    call(&fake, "rankings.tracker.create", &create(&json!({ "location": "1006976" })));
    let listed = call(&fake, "rankings.tracker.list", &json!({ "site_id": SITE }));
    let mut places = texts(list(&listed, "trackers"), "location");
    places.sort();
    assert_eq!(places, ["GB", "London,England,United Kingdom", "Londonderry,Northern Ireland,United Kingdom"]);
    let nowhere = fake.refusal("rankings.tracker.create", create(&json!({ "location": "XX" })));
    assert_eq!(nowhere.pointer.as_deref(), Some("/location"));
}

#[test]
fn a_second_tracker_of_the_same_market_and_sets_of_others_are_refused() {
    let fake = fake(&Provider::default());
    set(&fake, &[("desk lamp", Some(900))]);
    let first = tracker(&fake, &json!({}));
    let again = fake.refusal("rankings.tracker.create", create(&json!({ "depth": 10 })));
    assert_eq!((again.code.as_str(), text(&detail(&again), "tracker_ref")), ("tracker_exists", first.as_str()));
    call(&fake, "rankings.tracker.create", &create(&json!({ "device": "desktop" })));
    let foreign = fake.refusal("rankings.tracker.create", create(&json!({ "set_ref": "set_9" })));
    assert_eq!((foreign.code.as_str(), foreign.pointer.as_deref()), ("set_not_found", Some("/set_ref")));
    let other = fake.refusal("rankings.tracker.create", create(&json!({ "site_id": "82" })));
    assert_eq!((other.code.as_str(), other.pointer.as_deref()), ("website_not_found", Some("/site_id")));
}

#[test]
fn a_tracker_is_paused_resumed_and_changed_but_keeps_its_market() {
    let fake = fake(&Provider::default());
    set(&fake, &[("desk lamp", Some(900))]);
    let reference = tracker(&fake, &json!({}));
    let paused = call(&fake, "rankings.tracker.update", &json!({ "tracker_ref": reference, "every": "off" }));
    assert_eq!((text(&paused["tracker"], "every"), paused["tracker"]["next_run"].is_null()), ("off", true));
    let changed = json!({ "tracker_ref": reference, "every": "daily", "depth": 100, "competitors": ["www.rival.example", "rival.example"] });
    let changed = call(&fake, "rankings.tracker.update", &changed);
    assert_eq!(changed["tracker"]["competitor_domains"], json!(["rival.example"]));
    assert_eq!(changed["tracker"]["provider_pages_per_check"].as_u64(), Some(10));
    assert!(changed["tracker"]["next_run"].is_string());
    let market = fake.refusal("rankings.tracker.update", json!({ "tracker_ref": reference, "location": "US" }));
    assert_eq!(market.code, "invalid_arguments");
    let unknown = fake.refusal("rankings.tracker.update", json!({ "tracker_ref": "tracker_9", "depth": 20 }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("tracker_not_found", Some("/tracker_ref")));
}

#[test]
fn deleting_takes_positions_pages_and_the_schedule_with_it() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900))]);
    provider.places("desk lamp", 3);
    let reference = tracker(&fake, &json!({}));
    check(&fake, &reference);
    assert_eq!(fake.rows::<crate::stored::Serp>().len(), 1);
    let deleted = call(&fake, "rankings.tracker.delete", &json!({ "tracker_ref": reference }));
    assert_eq!((deleted["deleted"].as_bool(), deleted["snapshots"].as_u64()), (Some(true), Some(1)));
    assert!(fake.rows::<crate::stored::Serp>().is_empty() && fake.rows::<crate::stored::Check>().is_empty());
    let gone = fake.refusal("rankings.position.list", json!({ "tracker_ref": reference }));
    assert_eq!(gone.code, "tracker_not_found");
}
