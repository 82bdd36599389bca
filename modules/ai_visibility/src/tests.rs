//! Tests of brands, prompts, runs and reports with models in memory.

mod access;
mod pages;
mod prompts;
mod reports;
mod runs;
mod sources;

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::trial::{MODEL, Models, OTHER, PRODUCT, SITE, ended, prepared};

fn called(fake: &Fake, operation: &str, mut arguments: Value) -> Value {
    if arguments.get("site_id").is_none() {
        arguments["site_id"] = json!(SITE);
    }
    fake.call(operation, arguments).unwrap_or_else(|fault| panic!("{operation}: {fault:?}"))
}

fn refused(fake: &Fake, operation: &str, mut arguments: Value) -> (String, Option<String>) {
    if arguments.get("site_id").is_none() {
        arguments["site_id"] = json!(SITE);
    }
    let fault = fake.refusal(operation, arguments);
    (fault.code, fault.pointer)
}

fn at(code: &str, pointer: &str) -> (String, Option<String>) {
    (code.to_owned(), Some(pointer.to_owned()))
}

/// A run of all prompts with these connections and samples.
fn ran(fake: &Fake, connections: &[&str], samples: u64) -> Value {
    let started = called(fake, "ai_visibility.run.start", json!({ "connections": connections, "samples": samples }));
    let outcome = ended(fake, &started);
    assert_eq!(outcome["run_ref"], started["run_ref"]);
    outcome
}

#[test]
fn brands_are_checked_and_tried_with_sentences() {
    let fake = Models::default().fake();
    let set = |brands: Value| json!({ "brands": brands, "test_texts": ["Lumen lamps have 800 lumen.", "nothing"] });
    let kept = called(
        &fake,
        "ai_visibility.brand.set",
        set(json!([{ "name": "Lumen", "own": true, "exclude": ["800 lumen"] }])),
    );
    assert_eq!((&kept["set_version"], &kept["redetect_pending"]), (&json!(1), &json!(0)));
    assert_eq!(kept["test_matches"][0]["hits"], json!([{ "brand": "Lumen", "start": 0, "end": 5, "text": "Lumen" }]));
    assert_eq!(kept["test_matches"][1]["hits"], json!([]));
    let again = called(
        &fake,
        "ai_visibility.brand.set",
        set(json!([{ "name": "Lumen", "own": true, "exclude": ["800 lumen"] }])),
    );
    assert_eq!(again["set_version"], 1, "the same set is no new one");
    let refused = |brands: Value| refused(&fake, "ai_visibility.brand.set", set(brands));
    assert_eq!(refused(json!([{ "name": "Lumen" }])), at("own_missing", "/brands"));
    assert_eq!(refused(json!([{ "name": "Go", "own": true }])), at("too_short", "/brands/0"));
    assert_eq!(
        refused(json!([{ "name": "A One", "own": true }, { "name": "B One", "aliases": ["a ONE"] }])),
        at("alias_repeated", "/brands/1")
    );
    assert_eq!(
        refused(json!([{ "name": "Lumen", "own": true, "exclude": ["candela"] }])),
        at("excludes_nothing", "/brands/0/exclude")
    );
    assert_eq!(refused(json!([{ "name": "Lumen", "own": true }, { "name": "–" }])), at("no_letters", "/brands/1"));
}
