//! Weak pins that hang together, and why.

use sdk::json;

use crate::layout::Spot;
use crate::trial::{actions_fit, at, scanned, shop};

/// A scan of five by five pins with these weak ones, `#` in rows from the north; in them this one is first.
fn detected(map: [&str; 5], first: &str, rank: u32, shape: &str) -> sdk::serde_json::Value {
    let fake = shop();
    let weak = |spot: &Spot| map[spot.row as usize].as_bytes()[spot.column as usize] == b'#';
    let run =
        scanned(
            &fake,
            json!({ "size": 5, "shape": shape }),
            |_, spot| {
                if weak(spot) { at(rank, first) } else { at(1, "") }
            },
        );
    fake.call("local_grid.zone.detect", json!({ "run_ref": run })).unwrap()
}

#[test]
fn weak_pins_that_touch_by_a_side_or_a_corner_are_one_zone() {
    let found = detected(["##...", "..#..", ".....", ".....", "....#"], "Famous Lamps", 15, "square");
    let zones = found["zones"].as_array().unwrap();
    assert_eq!((zones.len(), &found["weak_pins"], &found["pins"]), (2, &json!(4), &json!(25)));
    assert_eq!((&zones[0]["pins"], &zones[0]["mean_rank"]), (&json!(3), &json!(15.0)));
    // Two cells side by side and one below to the right: the hull is their bounding box without two triangles.
    assert_eq!((&zones[0]["area_km2"], &zones[1]["area_km2"]), (&json!(4.5), &json!(1.0)));
    assert_eq!(
        (&zones[1]["direction"], &zones[1]["bearing"], &zones[1]["distance_km"]),
        (&json!("south_east"), &json!(135.0), &json!(2.828))
    );
    assert_eq!(actions_fit(&found), 2);
}

#[test]
fn diagonal_pins_of_a_hexagonal_grid_touch_only_where_they_are_neighbours() {
    // In a hexagonal grid the lower row is moved to the east: (0,1) and (1,0) touch, (0,0) and (1,1) do not.
    let touching = detected([".#...", "#....", ".....", ".....", "....."], "Famous Lamps", 15, "hex");
    assert_eq!(touching["zones"].as_array().unwrap().len(), 1);
    let apart = detected(["#....", ".#...", ".....", ".....", "....."], "Famous Lamps", 15, "hex");
    assert_eq!(apart["zones"].as_array().unwrap().len(), 2);
}

#[test]
fn the_reason_is_distance_where_the_leader_is_much_nearer() {
    let found = detected([".....", ".....", ".....", ".....", "....."], "North Lights", 15, "square");
    assert_eq!(found["zones"], json!([]), "a strong scan has no zones");
    // The northern row is 2 km away from the business and 1 km from this leader.
    let found = detected([".###.", ".....", ".....", ".....", "....."], "North Lights", 15, "square");
    let zone = &found["zones"][0];
    assert_eq!(
        (&zone["reason"], &zone["leader"]["name"], &zone["leader"]["first_in"]),
        (&json!("distance"), &json!("North Lights"), &json!(3))
    );
    assert_eq!(
        (&zone["next"][0]["operation_id"], &zone["direction"]),
        (&json!("local_grid.proximity.fit"), &json!("north"))
    );
    assert!(zone["because"].as_str().unwrap().contains("km from these pins"), "{zone}");
}

#[test]
fn the_reason_is_relevance_where_the_leader_is_something_else_or_the_business_is_not_shown() {
    let category = detected(["#....", ".....", ".....", ".....", "....."], "Candle Corner", 15, "square");
    let zone = &category["zones"][0];
    assert_eq!(
        (&zone["reason"], &zone["because"]),
        (&json!("relevance"), &json!("the leader is listed as candle store, the business as lighting store"))
    );
    let absent = detected(["#....", ".....", ".....", ".....", "....."], "Famous Lamps", 0, "square");
    assert_eq!(absent["zones"][0]["because"], "the business is not among the results of 1 of 1 pins at all");
}

#[test]
fn the_reason_is_prominence_where_neither_place_nor_category_tells_them_apart() {
    let found = detected(["#....", ".....", ".....", ".....", "....."], "Famous Lamps", 15, "square");
    let zone = &found["zones"][0];
    assert_eq!(
        (&zone["reason"], &zone["because"]),
        (&json!("prominence"), &json!("the leader has 900 ratings, the business 20"))
    );
    assert_eq!(zone["next"][0]["operation_id"], "local_grid.gmb_signals.sources.get");
}

#[test]
fn the_reason_is_unknown_where_the_business_has_more_ratings_than_the_leader() {
    let found = detected(["#....", ".....", ".....", ".....", "....."], "Small Lamps", 15, "square");
    let zone = &found["zones"][0];
    assert_eq!(zone["reason"], "unknown", "{zone}");
    assert!(zone["because"].as_str().unwrap().ends_with("the business has 20 ratings, the leader 3"), "{zone}");
    assert_eq!(zone["next"][0]["operation_id"], "local_grid.competitor.report");
}

#[test]
fn a_pin_is_weak_behind_the_threshold_and_not_at_it() {
    let fake = shop();
    let run = scanned(&fake, json!({}), |_, _| at(10, ""));
    let zones = |threshold: u32| {
        let found = fake.call("local_grid.zone.detect", json!({ "run_ref": run, "threshold": threshold })).unwrap();
        found["zones"].as_array().unwrap().len()
    };
    assert_eq!((zones(10), zones(9)), (0, 1));
}
