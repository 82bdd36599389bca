//! The wire forms of the shared shapes.

use serde_json::json;

use super::{Degraded, Fix, Interval, Money, Next, Progress, Severity};

#[test]
fn absent_members_are_null_and_present() {
    let plain = serde_json::to_value(Degraded::new("clicks", "no property is connected")).unwrap();
    assert_eq!(
        plain,
        json!({ "what": "clicks", "why": "no property is connected", "operation_id": null, "arguments": null })
    );
    let supplied = Degraded::new("crawl", "none has ended").supplied_by("crawl.run.start", json!({ "site_id": "7" }));
    let written = serde_json::to_value(supplied).unwrap();
    assert_eq!((&written["operation_id"], &written["arguments"]["site_id"]), (&json!("crawl.run.start"), &json!("7")));
    assert_eq!(serde_json::to_value(Progress::new(3, None, "fetching")).unwrap()["total"], json!(null));
}

#[test]
fn suggested_calls_always_carry_an_object_of_arguments() {
    assert_eq!(serde_json::to_value(Fix::new("a.b", json!(null))).unwrap()["arguments"], json!({}));
    let next = serde_json::to_value(Next::new("a.b", json!({ "limit": 1 }), "shows it")).unwrap();
    assert_eq!(next, json!({ "operation_id": "a.b", "arguments": { "limit": 1 }, "why": "shows it" }));
}

#[test]
fn the_most_serious_finding_sorts_first() {
    let mut all = [Severity::Notice, Severity::Error, Severity::Warning];
    all.sort();
    assert_eq!(all, Severity::ALL);
    assert_eq!(serde_json::to_value(all).unwrap(), json!(all.map(Severity::as_str)));
}

#[test]
fn cents_become_a_decimal_string_with_its_sign() {
    let amounts = [1_250, 5, 0, -5, -1_250].map(|cents| Money::from_cents(cents, "EUR").amount);
    assert_eq!(amounts, ["12.50", "0.05", "0.00", "-0.05", "-12.50"]);
}

#[test]
fn the_interval_of_a_share_is_wilsons() {
    // scipy 1.15.3, binomtest(hits, n).proportion_ci(0.95, "wilson").
    let known = [
        (0, 10, 0.0, 0.277_532_799_863),
        (3, 10, 0.107_791_267_406, 0.603_221_852_539),
        (10, 10, 0.722_467_200_137, 1.0),
        (37, 1_000, 0.026_961_180_876, 0.050_582_397_482),
    ];
    for (hits, n, low, high) in known {
        let [l, h] = Interval::of_share(hits, n).unwrap().ci95;
        assert!((l - low).abs() < 1e-11 && (h - high).abs() < 1e-11, "{hits} of {n}: {l} {h}");
    }
    assert_eq!(Interval::of_share(0, 0), None);
    assert_eq!(Interval::of_share(3, 2), None);
}
