//! Who stands where.

use sdk::json;

use crate::trial::{actions_fit, at, scanned, shop};

#[test]
fn competitors_are_reported_by_their_share_of_first_places_with_where_they_beat_the_business() {
    let fake = shop();
    // In the north another is first and the business tenth; elsewhere the business is first and the famous one second.
    let run = scanned(&fake, json!({}), |_, spot| {
        let mut names = if spot.row == 0 { at(10, "North Lights") } else { at(1, "") };
        names[1] = "Famous Lamps".to_owned();
        names
    });
    let reported = fake.call("local_grid.competitor.report", json!({ "run_ref": run, "limit": 5 })).unwrap();
    let competitors = reported["competitors"].as_array().unwrap();
    assert_eq!(competitors.len(), 5);
    let first = &competitors[0];
    assert_eq!((&first["name"], &first["solv"], &first["arp"]), (&json!("Famous Lamps"), &json!(1.0), &json!(2.0)));
    assert_eq!(
        (&first["beats_pins"], &first["votes_difference"], &first["same_category"]),
        (&json!(3), &json!(880), &json!(true))
    );
    let north = competitors.iter().find(|it| it["name"] == "North Lights").unwrap();
    assert_eq!((&north["found_pins"], &north["beats_pins"]), (&json!(3), &json!(3)));
    let directions: Vec<_> = north["beats_in"].as_array().unwrap().iter().map(|it| it["direction"].clone()).collect();
    assert_eq!(directions, [json!("north"), json!("north_east"), json!("north_west")]);
    assert_eq!((&reported["own"]["name"], &reported["own"]["votes"]), (&json!("Lamp shop London"), &json!(20)));
    assert!(competitors.iter().all(|it| it["name"] != "Lamp shop London"));
    assert_eq!(actions_fit(&reported), 2);
}

#[test]
fn a_business_that_is_nowhere_is_beaten_by_all_and_has_nothing_to_compare() {
    let fake = shop();
    let run = scanned(&fake, json!({}), |_, _| at(0, "Candle Corner"));
    let reported = fake.call("local_grid.competitor.report", json!({ "run_ref": run })).unwrap();
    assert_eq!((&reported["seen"], reported["competitors"].as_array().unwrap().len()), (&json!(20), 20));
    assert_eq!(reported["competitors"][0]["beats_pins"], 9);
    assert!(reported["own"]["name"].is_null() && reported["competitors"][0]["rating_difference"].is_null());
}
