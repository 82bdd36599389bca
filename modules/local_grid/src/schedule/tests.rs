//! Scans that repeat themselves.

use sdk::serde_json::{self, Value};
use sdk::{Every, json};

use crate::stored::Business;
use crate::trial::{BUSINESS, SITE, business, shop};

fn grid() -> Value {
    json!({ "language": "en", "size": 9, "spacing_m": 500 })
}

#[test]
fn a_recurring_scan_has_the_same_grid_each_time_and_says_what_each_costs() {
    let fake = shop();
    let arguments = json!({ "business_ref": BUSINESS, "keywords": ["Lamp Shop", "lamp repair"], "every": "weekly", "grid": grid() });
    let set = fake.call("local_grid.schedule.set", arguments).unwrap();
    assert_eq!((&set["price_per_run"], &set["schedule"]["every"]), (&json!(6.48), &json!("weekly")));
    assert!(set["next_run"].is_string());
    let kept = fake.schedules().get(BUSINESS).unwrap();
    assert_eq!(
        (kept.cadence.every, kept.cadence.minute, kept.calls[0].operation.as_str()),
        (Every::Week, 240, "local_grid.run.start")
    );
    let call: Value = serde_json::from_str(&kept.calls[0].arguments).unwrap();
    let wanted = json!({
        "business_ref": BUSINESS, "keywords": ["lamp shop", "lamp repair"], "language": "en", "shape": "square",
        "size": 9, "spacing_m": 500, "depth": 20,
    });
    assert_eq!(call, wanted);
    // What the host will call is what the operation takes.
    fake.call("local_grid.run.start", call).unwrap();
}

#[test]
fn every_two_weeks_is_every_week_unless_there_was_a_scan() {
    let fake = shop();
    let arguments = json!({ "business_ref": BUSINESS, "keywords": ["lamp shop"], "every": "biweekly", "grid": grid() });
    let set = fake.call("local_grid.schedule.set", arguments).unwrap();
    assert_eq!(set["schedule"]["every"], "biweekly");
    let call: Value = serde_json::from_str(&fake.schedules().get(BUSINESS).unwrap().calls[0].arguments).unwrap();
    assert_eq!(call["unless_within_days"], 13);
    let monthly = json!({ "business_ref": BUSINESS, "keywords": ["lamp shop"], "every": "monthly", "grid": grid() });
    assert_eq!(fake.call("local_grid.schedule.set", monthly).unwrap()["schedule"]["every"], "monthly");
}

#[test]
fn what_is_set_is_listed_until_it_is_switched_off() {
    let fake = shop();
    let set =
        |every: &str| json!({ "business_ref": BUSINESS, "keywords": ["lamp shop"], "every": every, "grid": grid() });
    fake.call("local_grid.schedule.set", set("monthly")).unwrap();
    let listed = || fake.call("local_grid.business.list", json!({ "site_id": SITE })).unwrap()["businesses"][0].clone();
    assert_eq!(
        (&listed()["schedule"]["every"], &listed()["schedule"]["keywords"]),
        (&json!("monthly"), &json!(["lamp shop"]))
    );
    let off = fake.call("local_grid.schedule.set", set("off")).unwrap();
    assert_eq!(off, json!({ "schedule": null, "next_run": null, "price_per_run": 0.0 }));
    assert!(listed()["schedule"].is_null());
}

#[test]
fn what_could_not_be_scanned_cannot_be_set() {
    let fake = shop();
    let set = |more: Value| {
        let mut arguments =
            json!({ "business_ref": BUSINESS, "keywords": ["lamp shop"], "every": "weekly", "grid": grid() });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let fault = fake.refusal("local_grid.schedule.set", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let at = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(set(json!({ "keywords": ["lamps", "inurl:lamps"] })), at("keyword_operator", "/keywords/1"));
    let corner = json!({ "latitude": 51, "longitude": 0 });
    let open = json!({ "grid": { "language": "en", "exclude_polygon": [corner, corner] } });
    assert_eq!(set(open), at("polygon_incomplete", "/grid/exclude_polygon"));
    assert_eq!(set(json!({ "every": "hourly" })).0, "invalid_arguments");
    assert_eq!(set(json!({ "grid": { "size": 5 } })).0, "invalid_arguments", "the language is needed");
    fake.put_as("bus-2", Business { point: None, ..business(crate::trial::CENTRE) });
    assert_eq!(set(json!({ "business_ref": "bus-2" })), at("coordinates_missing", "/business_ref"));
    assert!(fake.schedules().get(BUSINESS).is_none());
}
