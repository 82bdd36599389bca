//! The table's age, and the errors of `@adobe/structured-data-validator` on the same items.

use std::io::Read;

use serde_json::{Map, Value};

use super::feature;
use super::rule::check;
use super::{CHECKED, Standing};
use crate::check::{Found, Severity};
use crate::vocabulary;

const ITEMS: &[u8] = include_bytes!("../../fixtures/required.json.gz");

#[test]
#[expect(clippy::disallowed_methods, reason = "the table's age is counted from the day on which the test runs")]
fn the_table_was_compared_with_the_documentation_within_the_last_180_days() {
    let checked: sdk::value::Day = CHECKED.parse().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let today = i64::try_from(now.as_secs() / 86_400).unwrap();
    let age = today - i64::from(checked.since_epoch());
    assert!(age <= 180, "google/feature.rs was written {age} days ago: compare it with Google's documentation");
}

#[test]
fn errors_are_those_of_the_reference_validator_on_150_items() {
    let mut text = String::new();
    flate2::read::GzDecoder::new(ITEMS).read_to_string(&mut text).unwrap();
    let fixtures: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(fixtures.len(), 150);
    let mut kinds = std::collections::BTreeSet::new();
    for fixture in &fixtures {
        let item: &Map<String, Value> = fixture["item"].as_object().unwrap();
        kinds.insert(item["@type"].as_str().unwrap());
        let line = |it: &Found| format!("{} {}", it.pointer, it.properties.join("|"));
        let mut ours: Vec<String> = check(item).iter().filter(|it| it.severity == Severity::Error).map(line).collect();
        let mut theirs: Vec<String> =
            fixture["errors"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{:#}", fixture["item"]);
    }
    assert!(kinds.len() >= 12, "{kinds:?}");
}

#[test]
fn a_price_that_cannot_be_read_is_malformed_and_not_missing() {
    let product = serde_json::json!({
        "@type": "Product", "name": "Lamp", "image": "https://a.example/l.jpg",
        "offers": { "@type": "Offer", "price": "9,99 €", "priceCurrency": "EUR" },
    });
    let found = check(product.as_object().unwrap());
    let code = found.iter().find(|it| it.pointer == "/offers" && it.severity == Severity::Error).map(|it| it.code);
    assert_eq!(code, Some("malformed_value"), "{found:?}");
}

#[test]
fn every_feature_names_types_and_properties_of_the_vocabulary() {
    let all = vocabulary::get();
    // `x-input` is the form of an action's `x` that a visitor fills in; `xPath` is Google's spelling of `xpath`.
    let known = |name: &str| all.property(name.trim_end_matches("-input")).is_some() || name == "xPath";
    for feature in feature::all() {
        assert!(feature.types.iter().all(|it| all.kind(it).is_some()), "{}", feature.id);
        let names = feature.required.iter().chain(feature.recommended).flat_map(|it| it.split(['|', '.']));
        for name in names {
            assert!(known(name), "{}: {name}", feature.id);
        }
        let since = matches!(feature.standing, Standing::Retired(since) if !since.starts_with("20"));
        assert!(!since, "{}", feature.id);
    }
    let gone = [
        "how_to",
        "faq",
        "course_info",
        "claim_review",
        "estimated_salary",
        "learning_video",
        "special_announcement",
        "vehicle_listing",
        "sitelinks_searchbox",
        "practice_problem",
    ];
    for id in gone {
        let feature = feature::all().find(|it| it.id == id).unwrap();
        assert!(matches!(feature.standing, Standing::Retired(_)), "{id}");
    }
}
