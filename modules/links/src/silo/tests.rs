//! Tests of `links.silo.report`.

use sdk::json;

use super::folder;
use crate::trial::{RUN, built, takes};

#[test]
fn a_page_is_in_its_first_folder_and_one_without_in_the_root() {
    for (path, wanted) in [("/", "/"), ("/lamps", "/"), ("/blog/", "/blog/"), ("/blog/a/b?x=/y", "/blog/"), ("?a", "/")]
    {
        assert_eq!(folder(path), wanted, "{path}");
    }
}

#[test]
fn links_between_parts_are_counted_and_add_up() {
    let fake = built();
    let silos = fake.call("links.silo.report", json!({ "run_ref": RUN })).unwrap();
    let cells = silos["matrix"].as_array().unwrap();
    for part in silos["cohesion"].as_object().unwrap().keys() {
        let shares: f64 = cells.iter().filter(|it| it["from"] == *part).filter_map(|it| it["share"].as_f64()).sum();
        assert!(shares == 0.0 || (shares - 1.0).abs() < 0.01, "{part}: {silos}");
    }
    assert_eq!(silos["cohesion"]["/blog/"]["pages"], 4, "{silos}");
    silos["missing_bridges"].as_array().unwrap().iter().for_each(takes);
    assert!(silos["degraded"][0]["why"].as_str().unwrap().contains("segments"));
}
