//! Pictures that are whole, and colours that mean what the legend says.

use sdk::json;
use sdk::serde_json::Value;

use super::scale;
use crate::stored::Business;
use crate::trial::{BUSINESS, CENTRE, at, business, provide, result, scanned, shop, start};

#[test]
fn a_picture_has_every_pin_with_its_rank_and_a_legend_that_counts_them() {
    let fake = shop();
    fake.put_as("bus-2", Business { name: "Lamps <& \"more\">".into(), ..business(CENTRE) });
    let run = start(&fake, json!({ "business_ref": "bus-2" }));
    provide(&fake, &run, |_, spot| at([2, 7, 0][spot.row as usize], "Famous Lamps"));
    result(&fake, &run, 0, 8, 40_501, &json!(null));
    fake.work();
    let drawn = fake.call("local_grid.heatmap.render", json!({ "run_ref": run })).unwrap();
    let svg = drawn["content"].as_str().unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"));
    assert!(svg.contains("Lamps &lt;&amp; &quot;more&quot;&gt;: lamp shop"), "{svg}");
    assert_eq!(
        (
            svg.matches(">2</text>").count(),
            svg.matches(">7</text>").count(),
            svg.matches(">20+</text>").count(),
            svg.matches(">?</text>").count()
        ),
        (3, 3, 2, 1)
    );
    let legend: Vec<(String, u64)> = drawn["legend"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["means"].as_str().unwrap().to_owned(), it["pins"].as_u64().unwrap()))
        .collect();
    let of = |means: &str| legend.iter().find(|it| it.0 == means).unwrap().1;
    assert_eq!(
        (of("1 to 3"), of("7 to 10"), of("not among the first 20"), of("no result"), of("4 to 6")),
        (3, 3, 2, 1, 0)
    );
    let size = format!("width=\"{}\" height=\"{}\"", drawn["width"], drawn["height"]);
    assert!(svg.contains(&size), "{size}");
    let again = fake.call("local_grid.heatmap.render", json!({ "run_ref": run })).unwrap();
    assert_eq!(drawn["content_ref"], again["content_ref"]);
}

#[test]
fn a_difference_map_shows_places_won_and_lost_since_the_earlier_scan() {
    let fake = shop();
    let before = scanned(&fake, json!({}), |_, _| at(8, ""));
    let after = scanned(&fake, json!({}), |_, spot| at([2, 8, 10][spot.row as usize], ""));
    let drawn = fake.call("local_grid.heatmap.render", json!({ "run_ref": after, "compare_to": before })).unwrap();
    let svg = drawn["content"].as_str().unwrap();
    assert_eq!(
        (svg.matches(">+6<").count(), svg.matches(">0<").count(), svg.matches(">\u{2212}2<").count()),
        (3, 3, 3)
    );
    assert!(svg.contains("rank 10 instead of 8") && svg.contains("Change of map ranks"));
    let other = scanned(&fake, json!({ "spacing_m": 300 }), |_, _| at(8, ""));
    let fault = fake.refusal("local_grid.heatmap.render", json!({ "run_ref": after, "compare_to": other }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("scans_not_comparable", Some("/compare_to")));
}

#[test]
fn geojson_has_a_point_with_rank_and_colour_for_each_pin_of_the_keyword() {
    let fake = shop();
    let run =
        scanned(&fake, json!({ "keywords": ["lamp shop", "lamp repair"] }), |keyword, _| at(2 + keyword * 10, ""));
    let arguments = json!({ "run_ref": run, "keyword": "Lamp repair", "format": "geojson" });
    let drawn = fake.call("local_grid.heatmap.render", arguments).unwrap();
    assert_eq!(
        (&drawn["media_type"], &drawn["width"], &drawn["keyword"]),
        (&json!("application/geo+json"), &json!(0), &json!("lamp repair"))
    );
    let map: Value = serde_json::from_str(drawn["content"].as_str().unwrap()).unwrap();
    let features = map["features"].as_array().unwrap();
    assert_eq!((features.len(), &features[4]["properties"]["title"]), (9, &json!("12")));
    assert_eq!(features[4]["properties"]["marker-color"], scale::rank(12).colour);
    let fault = fake.refusal("local_grid.heatmap.render", json!({ "run_ref": run, "keyword": "sofas" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("keyword_not_scanned", Some("/keyword")));
}

/// Relative luminance of a colour (WCAG 2.2).
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

#[test]
fn ranks_can_be_told_apart_in_grey_and_every_number_read_on_its_colour() {
    // The lightness of CIE 1976, from 0 to 100: a step of two or three is just seen.
    let light: Vec<f64> = scale::ranks()[..5].iter().map(|it| 116.0 * luminance(it.colour).cbrt() - 16.0).collect();
    assert!(light.windows(2).all(|pair| pair[1] > pair[0] + 9.0), "lighter with each step: {light:?}");
    for step in scale::ranks().into_iter().chain(scale::differences()) {
        let (ink, ground) = (luminance(step.ink), luminance(step.colour));
        let contrast = (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05);
        assert!(contrast >= 4.5, "{}: {contrast}", step.colour);
    }
}

/// Writes the pictures that people look at: `DRAWN=folder cargo test -p local_grid --lib heatmap`.
#[test]
fn pictures_for_the_eye() {
    let Some(folder) = option_env!("DRAWN") else { return };
    let fake = shop();
    for (shape, size) in [("square", 9), ("hex", 7), ("circle", 15)] {
        let grid = json!({ "business_ref": BUSINESS, "shape": shape, "size": size, "spacing_m": 500 });
        let rank = |far: f64, lean: f64| ((far / 450.0 + lean).max(0.0) * 1.8) as u32 + 1;
        let before = scanned(&fake, grid.clone(), |_, spot| at(rank(spot.distance(), 1.0), "Famous Lamps"));
        let after = scanned(&fake, grid, |_, spot| at(rank(spot.distance(), spot.east / 900.0), "Famous Lamps"));
        for (name, arguments) in
            [("ranks", json!({ "run_ref": after })), ("change", json!({ "run_ref": after, "compare_to": before }))]
        {
            let drawn = fake.call("local_grid.heatmap.render", arguments).unwrap();
            std::fs::write(format!("{folder}/{shape}-{name}.svg"), drawn["content"].as_str().unwrap()).unwrap();
        }
    }
}
