//! Grids that are shown before anybody pays for them.

use sdk::json;

use crate::trial::{BUSINESS, CENTRE, shop};

#[test]
fn a_preview_says_how_many_pins_where_and_for_how_much() {
    let arguments = json!({ "business_ref": BUSINESS, "size": 7, "spacing_m": 500, "keywords": 3 });
    let laid = shop().call("local_grid.grid.preview", arguments).unwrap();
    assert_eq!((&laid["pins"], &laid["excluded"], &laid["area_km2"]), (&json!(49), &json!(0), &json!(12.25)));
    assert_eq!(laid["radius_km"], 2.121);
    let price = json!({ "credits": 5.88, "pins": 147, "provider_tasks": 147, "points": 11 });
    assert_eq!(laid["price"], price);
    let features = laid["geojson"]["features"].as_array().unwrap();
    assert_eq!((features.len(), &features[24]["properties"]["distance_km"]), (49, &json!(0.0)));
    let middle = &features[24]["geometry"]["coordinates"];
    assert!((middle[0].as_f64().unwrap() - CENTRE.longitude).abs() < 1e-9, "longitude comes first (RFC 7946)");
}

#[test]
fn an_area_takes_its_pins_away_and_their_price_with_them() {
    let corner = |bearing: f64| {
        let point = CENTRE.towards(bearing, 9_000.0);
        json!({ "latitude": point.latitude, "longitude": point.longitude })
    };
    let north = json!([corner(270.0), corner(315.0), corner(0.0), corner(45.0), corner(90.0)]);
    let arguments = json!({ "business_ref": BUSINESS, "size": 5, "exclude_polygon": north });
    let laid = shop().call("local_grid.grid.preview", arguments).unwrap();
    // Two rows are north of the line, and whether the middle row is decided by the rounding of its corners.
    assert_eq!(laid["pins"].as_u64().unwrap() + laid["excluded"].as_u64().unwrap(), 25);
    assert!((10..=15).contains(&laid["excluded"].as_u64().unwrap()), "{laid}");
    let left = laid["pins"].as_f64().unwrap();
    assert!((laid["price"]["credits"].as_f64().unwrap() - left * 0.04).abs() < 1e-9, "{laid}");
}

#[test]
fn an_area_that_is_none_or_leaves_nothing_is_refused() {
    let corner = |bearing: f64| {
        let point = CENTRE.towards(bearing, 90_000.0);
        json!({ "latitude": point.latitude, "longitude": point.longitude })
    };
    for (area, code) in [
        (json!([corner(0.0), corner(90.0)]), "polygon_incomplete"),
        (json!([corner(0.0), corner(120.0), corner(240.0)]), "no_pins_left"),
    ] {
        let fault =
            shop().refusal("local_grid.grid.preview", json!({ "business_ref": BUSINESS, "exclude_polygon": area }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some("/exclude_polygon")));
    }
    for (member, value) in [
        ("size", json!(2)),
        ("size", json!(16)),
        ("spacing_m", json!(99)),
        ("shape", json!("star")),
        ("keywords", json!(51)),
    ] {
        let mut arguments = json!({ "business_ref": BUSINESS });
        arguments[member] = value;
        assert_eq!(shop().refusal("local_grid.grid.preview", arguments).code, "invalid_arguments", "{member}");
    }
}
