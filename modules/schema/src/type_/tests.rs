//! Types explained and suggested.

use sdk::json;
use sdk::serde_json::Value;

use crate::check::Severity;
use crate::judge::{self, Profile};
use crate::tests::{PAGE, actions_fit, host};

#[test]
fn a_type_is_explained_and_a_mistyped_one_refused_with_the_nearest() {
    let fake = host();
    let told = fake.call("schema.type.get", json!({ "type": "https://schema.org/Restaurant" })).unwrap();
    assert_eq!((&told["type"], &told["parents"][0]), (&json!("Restaurant"), &json!("FoodEstablishment")));
    assert!(told["google"]["required"].to_string().contains("address"), "{}", told["google"]);
    assert!(told["properties"].as_array().unwrap().len() > 80);
    assert_eq!(actions_fit(&told), 1);
    let retired = fake.call("schema.type.get", json!({ "type": "HowTo" })).unwrap();
    assert!(retired["google"]["retired"][0].as_str().unwrap().contains("2023"), "{}", retired["google"]);
    let refused = fake.refusal("schema.type.get", json!({ "type": "Prodct" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("type_not_found", Some("/type")));
    assert!(refused.message.contains("Product"));
}

#[test]
fn the_example_of_every_type_has_no_error_and_gets_its_features() {
    let all: Vec<&str> = include_str!("../../data/vocabulary.tsv")
        .lines()
        .filter_map(|it| it.strip_prefix("T\t")?.split('\t').next())
        .collect();
    assert!(all.len() > 900);
    let today = sdk::value::Day::from_civil(2026, 9, 28).unwrap();
    for kind in all {
        let example = super::example::of(kind);
        let errors: Vec<_> = judge::found(&example, Profile::Both, today)
            .into_iter()
            .filter(|it| it.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{kind}: {errors:?}\n{}", Value::Object(example));
        for asked in judge::asked(&example, today).into_iter().filter(|it| it.feature.asks.is_empty()) {
            assert_eq!(asked.missing, Vec::<String>::new(), "{kind} {}", asked.feature.id);
        }
    }
}

#[test]
fn a_page_is_given_the_types_that_its_signals_speak_for() {
    let fake = host();
    let suggested = fake.call("schema.type.suggest", json!({ "url": PAGE })).unwrap();
    let kinds: Vec<&str> =
        suggested["suggestions"].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"Product") && kinds.contains(&"BreadcrumbList"), "{suggested:#}");
    assert!(!kinds.contains(&"Recipe") && !kinds.contains(&"JobPosting"));
    let product = suggested["suggestions"].as_array().unwrap().iter().find(|it| it["type"] == "Product").unwrap();
    assert_eq!(product["declared"], true);
    assert!(product["evidence"].to_string().contains("a price of 89.00"), "{product}");
    assert_eq!(actions_fit(&suggested), kinds.len());
    let bare = host().serving("https://shop.example/x", "<title>a</title><p>Hello.");
    let none = bare.call("schema.type.suggest", json!({ "url": "https://shop.example/x" })).unwrap();
    assert_eq!(none["suggestions"], json!([]));
}

/// Takes a property out, at `a.b` out of the inner item or items; whether it was there.
fn without(value: &mut Value, path: &[&str]) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().map(|it| without(it, path)).fold(false, |any, it| any | it),
        Value::Object(object) => match path {
            [last] => object.remove(*last).is_some(),
            [first, rest @ ..] => object.get_mut(*first).is_some_and(|it| without(it, rest)),
            [] => false,
        },
        _ => false,
    }
}

#[test]
fn what_is_required_of_a_type_is_required_wherever_it_is_judged() {
    let fake = host();
    let today = sdk::value::Day::from_civil(2026, 9, 28).unwrap();
    let all: Vec<&str> = include_str!("../../data/vocabulary.tsv")
        .lines()
        .filter_map(|it| it.strip_prefix("T\t")?.split('\t').next())
        .collect();
    let (mut silent, mut looked) = (Vec::new(), 0);
    for kind in all {
        let told = fake.call("schema.type.get", json!({ "type": kind })).unwrap();
        let example = told["example"].clone();
        for required in told["google"]["required"].as_array().unwrap().iter().filter_map(Value::as_str) {
            let mut broken = example.clone();
            // Of `a|b` one is enough, so that both go.
            let removed = required.split('|').map(|one| without(&mut broken, &one.split('.').collect::<Vec<_>>()));
            if !removed.fold(false, |any, it| any | it) {
                silent.push(format!("{kind} {required}: the example has it not"));
                continue;
            }
            looked += 1;
            let pasted = fake.call("schema.markup.validate", json!({ "jsonld": broken.to_string() })).unwrap();
            let object = broken.as_object().unwrap().clone();
            let own = judge::found(&object, Profile::Both, today).into_iter().any(|it| it.severity == Severity::Error);
            if pasted["valid"] == true || !own {
                silent.push(format!("{kind} {required}"));
            }
        }
    }
    assert!(silent.is_empty(), "{} of {looked}: {:#?}", silent.len(), &silent[..silent.len().min(40)]);
    let mut untold = Vec::new();
    for kind in
        include_str!("../../data/vocabulary.tsv").lines().filter_map(|it| it.strip_prefix("T\t")?.split('\t').next())
    {
        let told = fake.call("schema.type.get", json!({ "type": kind })).unwrap();
        let required: Vec<&str> =
            told["google"]["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let bare = json!({ "@type": kind });
        for error in judge::found(bare.as_object().unwrap(), Profile::Both, today) {
            let is_told =
                required.iter().any(|it| it.split('|').any(|one| error.properties.iter().any(|name| name == one)));
            if error.severity == Severity::Error && !is_told {
                untold.push(format!("{kind} {:?}", error.properties));
            }
        }
    }
    assert!(untold.is_empty(), "{}: {:#?}", untold.len(), &untold[..untold.len().min(40)]);
    assert!(looked > 100, "{looked}");
}
