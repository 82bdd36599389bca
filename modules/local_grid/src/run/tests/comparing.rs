//! Two scans beside each other.

use sdk::json;

use crate::stored::Business;
use crate::trial::{CENTRE, actions_fit, at, business, provide, result, scanned, shop, start};

#[test]
fn the_directions_that_were_won_and_lost_are_named_with_the_p_value_of_the_sign_test() {
    let fake = shop();
    let before = scanned(&fake, json!({ "size": 5 }), |_, _| at(8, ""));
    // Better in the two rows of the north, worse in the very south, lost in one pin of it.
    let after = scanned(&fake, json!({ "size": 5 }), |_, spot| match (spot.row, spot.column) {
        (0 | 1, _) => at(3, ""),
        (4, 2) => at(0, ""),
        _ => at(8, ""),
    });
    let compared = fake.call("local_grid.run.compare", json!({ "run_a": before, "run_b": after })).unwrap();
    assert_eq!(
        (&compared["improved"], &compared["declined"], &compared["unchanged"]),
        (&json!(10), &json!(1), &json!(14))
    );
    // 2 × (1 + 11) / 2^11
    assert!((compared["p_value"].as_f64().unwrap() - 24.0 / 2_048.0).abs() < 1e-12);
    assert_eq!(compared["verdict"], "improved");
    let sector =
        |name: &str| compared["sectors"].as_array().unwrap().iter().find(|it| it["direction"] == name).unwrap().clone();
    assert_eq!((&sector("north")["verdict"], &sector("north")["mean_gain"]), (&json!("improved"), &json!(5.0)));
    assert_eq!((&sector("south")["declined"], &sector("south")["verdict"]), (&json!(1), &json!("declined")));
    assert_eq!(sector("east")["verdict"], "unchanged");
    assert_eq!(compared["sectors"].as_array().unwrap().len(), 9, "eight directions and the business itself");
    assert_eq!(actions_fit(&compared), 1);
}

#[test]
fn a_change_that_chance_may_have_made_is_none() {
    let fake = shop();
    let before = scanned(&fake, json!({}), |_, _| at(8, ""));
    let after = scanned(&fake, json!({}), |_, spot| at(if spot.row == 0 { 7 } else { 8 }, ""));
    let compared = fake.call("local_grid.run.compare", json!({ "run_a": before, "run_b": after })).unwrap();
    assert_eq!((&compared["improved"], &compared["verdict"]), (&json!(3), &json!("unchanged")));
    assert!((compared["p_value"].as_f64().unwrap() - 0.25).abs() < 1e-12);
}

#[test]
fn pins_and_keywords_that_one_of_them_lacks_are_left_out_and_said() {
    let fake = shop();
    let before = scanned(&fake, json!({ "keywords": ["lamp shop", "lamp repair"] }), |_, _| at(8, ""));
    let after = start(&fake, json!({}));
    provide(&fake, &after, |_, _| at(7, ""));
    result(&fake, &after, 0, 0, 40_501, &json!(null));
    fake.work();
    let compared = fake.call("local_grid.run.compare", json!({ "run_a": before, "run_b": after })).unwrap();
    assert_eq!((&compared["improved"], compared["keywords"].as_array().unwrap().len()), (&json!(8), 1));
    assert_eq!(compared["degraded"].as_array().unwrap().len(), 2, "{compared}");
}

#[test]
fn scans_of_other_pins_words_or_businesses_are_not_compared() {
    let fake = shop();
    let one = scanned(&fake, json!({}), |_, _| at(8, ""));
    let wider = scanned(&fake, json!({ "spacing_m": 2000 }), |_, _| at(8, ""));
    let words = scanned(&fake, json!({ "keywords": ["lamp repair"] }), |_, _| at(8, ""));
    let moved = fake.put_as("bus-2", Business { name: "Other".into(), ..business(CENTRE) });
    let other = scanned(&fake, json!({ "business_ref": moved.id }), |_, _| at(8, ""));
    for second in [wider, words, other] {
        let fault = fake.refusal("local_grid.run.compare", json!({ "run_a": one, "run_b": second }));
        assert_eq!(fault.code, "scans_not_comparable");
    }
}
