//! Tests of `links.graph.summary.get`.

use sdk::json;

use super::gini;
use crate::trial::{RUN, built, ended, website};

#[test]
fn authority_that_all_have_alike_has_a_gini_of_nothing_and_of_one_alone_nearly_one() {
    assert!(gini(&[1.0, 1.0, 1.0, 1.0]).abs() < 1e-12);
    assert!((gini(&[0.0, 0.0, 0.0, 1.0]) - 0.75).abs() < 1e-12);
    assert!(gini(&[]).abs() < 1e-12 && gini(&[0.0]).abs() < 1e-12);
}

#[test]
fn the_numbers_of_a_crawl_are_told_with_its_age_and_what_to_do_next() {
    let fake = built();
    let summary = fake.call("links.graph.summary.get", json!({ "run_ref": RUN })).unwrap();
    assert_eq!(summary["state"], "succeeded");
    let numbers = &summary["summary"];
    assert_eq!(
        (&numbers["pages"], &numbers["orphans"], &numbers["components"]),
        (&json!(9), &json!(2), &json!(2)),
        "{summary}"
    );
    assert_eq!(summary["top_pages"][0]["url"], "https://shop.example/");
    assert_eq!(summary["depth_histogram"][0], json!({ "depth": 0, "pages": 1 }));
    assert_eq!(summary["basis"]["age_seconds"], 3_600);
    assert!(summary["next"].as_array().unwrap().iter().any(|it| it["operation_id"] == "links.orphan.list"));
}

#[test]
fn a_graph_that_is_not_built_is_refused_with_the_call_that_builds_it_and_a_running_one_says_so() {
    let fake = website();
    ended(&fake);
    let refused = fake.refusal("links.graph.summary.get", json!({ "run_ref": RUN }));
    assert_eq!(refused.code, "graph_not_built");
    assert!(refused.detail.unwrap().contains("links.graph.build"));
    fake.call("links.graph.build", json!({ "run_ref": RUN })).unwrap();
    let state = |fake: &sdk::Fake| fake.call("links.graph.summary.get", json!({ "run_ref": RUN })).unwrap();
    assert_eq!(state(&fake)["state"], "queued");
    fake.work_one_step();
    assert_eq!(
        (&state(&fake)["state"], &state(&fake)["progress"]["step"]),
        (&json!("running"), &json!("reading links"))
    );
    assert_eq!(fake.refusal("links.graph.summary.get", json!({ "run_ref": "other" })).code, "run_not_found");
}
