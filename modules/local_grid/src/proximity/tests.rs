//! How far a business reaches.

use sdk::json;

use crate::trial::{actions_fit, at, scanned, shop};

#[test]
fn the_radius_is_where_the_line_of_ranks_crosses_the_third_and_the_tenth_place() {
    let fake = shop();
    // Rank 1 at the business, and 4 more for each kilometre to the east; rank 1 everywhere in the west.
    let run = scanned(&fake, json!({ "size": 7 }), |_, spot| {
        let east = (spot.column as f64 - 3.0).max(0.0);
        at(if spot.row == 3 { 1 + (east * 4.0) as u32 } else { 1 }, "")
    });
    let fitted = fake.call("local_grid.proximity.fit", json!({ "run_ref": run })).unwrap();
    let bearing = |name: &str| {
        fitted["by_bearing"].as_array().unwrap().iter().find(|it| it["direction"] == name).unwrap().clone()
    };
    let east = bearing("east");
    // Of the east 1 km is rank 5 and 2 km rank 9, but other pins of that direction are first: the line lies between.
    assert_eq!(east["beyond_the_grid"], true);
    assert!(east["radius_top3_km"].as_f64().unwrap() < bearing("west")["radius_top3_km"].as_f64().unwrap());
    assert_eq!((&bearing("west")["radius_top10_km"], &bearing("west")["pooled"]), (&json!(3.162), &json!(false)));
    assert_eq!(fitted["by_bearing"].as_array().unwrap().len(), 8);
    assert_eq!((&fitted["fit"]["points"], actions_fit(&fitted)), (&json!(49), 2));
}

#[test]
fn ranks_that_depend_on_distance_alone_are_explained_whole_and_have_one_radius() {
    let fake = shop();
    let rank = |metres: f64| 1 + (metres / 250.0).round() as u32;
    let run = scanned(&fake, json!({ "size": 5 }), |_, spot| at(rank(spot.distance()), ""));
    let fitted = fake.call("local_grid.proximity.fit", json!({ "run_ref": run })).unwrap();
    assert_eq!((&fitted["fit"]["explained"], &fitted["fit"]["mean_absolute_error"]), (&json!(1.0), &json!(0.0)));
    // Rank 1 at the business and 5 at 1 km: 3 is half way. 10 is between 2 km, rank 9, and the root of 5, rank 10.
    assert_eq!((&fitted["radius_top3_km"], &fitted["radius_top10_km"]), (&json!(0.5), &json!(2.236)));
    let nowhere = scanned(&fake, json!({}), |_, _| at(0, ""));
    let fitted = fake.call("local_grid.proximity.fit", json!({ "run_ref": nowhere })).unwrap();
    assert_eq!(
        (&fitted["radius_top3_km"], &fitted["radius_top10_km"], &fitted["fit"]["explained"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert_eq!(fitted["by_bearing"][0]["pooled"], true, "a grid of three has two pins in a direction");
}
