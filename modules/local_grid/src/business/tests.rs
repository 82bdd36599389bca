//! Businesses that are added, changed and refused.

use sdk::json;
use sdk::serde_json::Value;

use crate::stored::{Business, Location};
use crate::trial::{BUSINESS, SITE, at, scanned, shop};

fn refused(more: Value) -> (String, Option<String>) {
    let mut arguments = json!({ "site_id": SITE });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let fake = shop();
    let fault = fake.refusal("local_grid.business.add", arguments);
    assert_eq!(fake.rows::<Business>().len(), 1, "nothing is written");
    (fault.code, fault.pointer)
}

#[test]
fn a_business_is_added_with_the_rules_that_it_is_recognised_by() {
    let fake = shop();
    let arguments = json!({
        "site_id": SITE, "name": " Lamp shop Leeds ", "place_id": "ChIJleeds", "address": "2 Lamp Street, Leeds",
        "latitude": 53.8, "longitude": -1.55, "phone": "+44 (0)113 496 0202", "variants": ["Leeds Lamps", "lamp shop LEEDS!"],
    });
    let added = fake.call("local_grid.business.add", arguments).unwrap();
    let rules = json!({ "place_id": "ChIJleeds", "names": ["Lamp shop Leeds", "Leeds Lamps"], "phone": "4401134960202", "domain": "shop.example" });
    assert_eq!((&added["match_rules"], &added["updated"], &added["degraded"]), (&rules, &json!(false), &json!([])));
    assert_eq!(fake.rows::<Business>().len(), 2);
}

#[test]
fn a_business_that_is_known_is_changed_and_keeps_its_reference() {
    let fake = shop();
    let again =
        json!({ "site_id": SITE, "name": "Lamp shop", "place_id": "ChIJown", "latitude": 51.5, "longitude": -0.1 });
    let added = fake.call("local_grid.business.add", again).unwrap();
    assert_eq!((&added["business_ref"], &added["updated"]), (&json!(BUSINESS), &json!(true)));
    let by_address =
        json!({ "site_id": SITE, "name": "Lamps", "address": "3 New Road", "latitude": 51.0, "longitude": 0.0 });
    let first = fake.call("local_grid.business.add", by_address.clone()).unwrap();
    let second = fake.call("local_grid.business.add", by_address).unwrap();
    assert_eq!((&first["updated"], &second["updated"]), (&json!(false), &json!(true)));
    assert_eq!(first["business_ref"], second["business_ref"]);
    assert_eq!(fake.rows::<Business>().len(), 2);
}

#[test]
fn a_place_id_without_coordinates_is_kept_and_says_what_to_add_before_a_scan() {
    let fake = shop();
    let arguments = json!({ "site_id": SITE, "name": "Lamps", "place_id": "ChIJx" });
    let added = fake.call("local_grid.business.add", arguments).unwrap();
    assert!(added["degraded"][0]["why"].as_str().unwrap().contains("latitude and longitude"), "{added}");
    for operation in ["local_grid.grid.preview", "local_grid.run.start"] {
        let mut arguments = json!({ "business_ref": added["business_ref"] });
        if operation.ends_with("start") {
            arguments["keywords"] = json!(["lamps"]);
            arguments["language"] = json!("en");
        }
        let fault = fake.refusal(operation, arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("coordinates_missing", Some("/business_ref")));
        assert!(fault.detail.unwrap().contains("\"local_grid.business.add\""));
    }
}

#[test]
fn a_location_of_a_profile_fills_what_is_not_given() {
    let fake = shop();
    let location = Location {
        name: "Lamp shop Bath".into(),
        place_id: Some("ChIJbath".into()),
        latitude: Some(51.38),
        longitude: Some(-2.36),
        ..Location::default()
    };
    fake.put_as("loc-1", location);
    let arguments = json!({ "site_id": SITE, "location_ref": "loc-1", "phone": "+44 1225 496 033" });
    let added = fake.call("local_grid.business.add", arguments).unwrap();
    assert_eq!(added["match_rules"]["names"], json!(["Lamp shop Bath"]));
    assert_eq!(added["match_rules"]["place_id"], "ChIJbath");
    assert_eq!(added["degraded"].as_array().map(Vec::len), Some(1));
    assert_eq!(added["degraded"][0]["why"], "the address is not known");
}

#[test]
fn what_tells_no_business_from_another_is_refused_where_it_is_missing() {
    let at = |code: &str, pointer: &str| (code.to_owned(), Some(pointer.to_owned()));
    assert_eq!(refused(json!({ "place_id": "ChIJx" })), at("name_missing", "/name"));
    assert_eq!(refused(json!({ "name": "!!", "place_id": "ChIJx" })), at("name_missing", "/name"));
    assert_eq!(refused(json!({ "name": "Lamps" })), at("place_missing", "/place_id"));
    assert_eq!(refused(json!({ "name": "Lamps", "latitude": 1 })), at("coordinates_incomplete", "/longitude"));
    assert_eq!(refused(json!({ "name": "Lamps", "longitude": 1 })), at("coordinates_incomplete", "/latitude"));
    assert_eq!(refused(json!({ "name": "Lamps", "place_id": "x", "phone": "123" })), at("phone_unreadable", "/phone"));
    assert_eq!(refused(json!({ "location_ref": "none" })), at("location_not_found", "/location_ref"));
    assert_eq!(
        refused(json!({ "site_id": "7", "name": "Lamps", "place_id": "x" })),
        at("website_not_found", "/site_id")
    );
    assert_eq!(refused(json!({ "name": "Lamps", "latitude": 90.1, "longitude": 0 })).0, "invalid_arguments");
}

#[test]
fn a_list_has_the_latest_result_of_each_keyword() {
    let fake = shop();
    scanned(&fake, json!({ "keywords": ["lamp shop", "lamp repair"] }), |_, _| at(9, "Famous Lamps"));
    let last = scanned(&fake, json!({}), |_, _| at(2, "Famous Lamps"));
    let listed = fake.call("local_grid.business.list", json!({ "site_id": SITE })).unwrap();
    let latest = &listed["businesses"][0]["latest"];
    assert_eq!((&latest[0]["keyword"], &latest[0]["figures"]["arp"]), (&json!("lamp repair"), &json!(9.0)), "{listed}");
    assert_eq!(
        (&latest[1]["keyword"], &latest[1]["run_ref"], &latest[1]["figures"]["solv"]),
        (&json!("lamp shop"), &json!(last), &json!(1.0))
    );
}
