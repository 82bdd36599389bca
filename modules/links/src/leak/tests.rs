//! Tests of `links.leak.report`.

use sdk::json;

use crate::trial::{RUN, built, takes};

#[test]
fn authority_that_is_lost_is_told_by_cause_with_the_call_that_regains_it() {
    let fake = built();
    let lost = fake.call("links.leak.report", json!({ "run_ref": RUN })).unwrap();
    let causes = lost["causes"].as_object().unwrap();
    let names: Vec<&str> = causes.keys().map(String::as_str).collect();
    assert_eq!(names, ["failing", "nofollow", "noindex", "redirect"], "{lost}");
    let sum: f64 = causes.values().filter_map(|it| it.as_f64()).sum();
    assert!((sum - lost["lost_share"].as_f64().unwrap()).abs() < 0.003 && sum > 0.0 && sum < 1.0, "{lost}");
    let fixes = lost["fixes"].as_array().unwrap();
    let regained: Vec<f64> = fixes.iter().filter_map(|it| it["regained"].as_f64()).collect();
    assert!(regained.len() == fixes.len() && regained.is_sorted_by(|a, b| a >= b), "{lost}");
    let redirect = fixes.iter().find(|it| it["cause"] == "redirect").unwrap();
    assert_eq!(redirect["leads_to"], "https://shop.example/lamps");
    fixes.iter().for_each(takes);
}
