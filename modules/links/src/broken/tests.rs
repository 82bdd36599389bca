//! Tests of `links.broken.list`.

use sdk::json;

use crate::trial::{RUN, build, built, shop_beside, takes, website};

#[test]
fn each_broken_target_comes_with_its_sources_and_what_took_its_place() {
    let fake = built();
    let listed = fake.call("links.broken.list", json!({ "run_ref": RUN })).unwrap();
    let rows = listed["links"].as_array().unwrap();
    let row =
        |target: &str| rows.iter().find(|it| it["target"] == target).unwrap_or_else(|| panic!("{target}: {listed}"));
    let gone = row("https://shop.example/blog/clean-brass-lamps-guide");
    assert_eq!((&gone["status"], &gone["scope"]), (&json!(404), &json!("internal")));
    assert_eq!(gone["replacement"], "https://shop.example/blog/clean-brass-lamps");
    assert_eq!(gone["sources"][0]["url"], "https://shop.example/");
    let dead = row("https://dead.example/");
    assert_eq!((&dead["scope"], dead.get("replacement").filter(|it| !it.is_null())), (&json!("external"), None));
    rows.iter().for_each(takes);
    let internal = fake.call("links.broken.list", json!({ "run_ref": RUN, "scope": "internal" })).unwrap();
    assert_eq!(internal["links"].as_array().unwrap().len(), rows.len() - 1);
}

#[test]
fn a_target_that_keeps_crawlers_out_is_counted_and_not_called_broken() {
    let fake = website();
    shop_beside(&fake, RUN, 403);
    build(&fake, json!({ "run_ref": RUN }));
    let listed = fake.call("links.broken.list", json!({ "run_ref": RUN, "scope": "external" })).unwrap();
    assert_eq!(listed["links"], json!([]), "{listed}");
    let told = listed["degraded"].as_array().unwrap().iter().find(|it| it["what"] == "blocked").unwrap();
    assert!(told["why"].as_str().unwrap().starts_with("1 linked address"), "{told}");
}
