//! Tests of `key`.

use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn key(value: &Value) -> String {
    let mut key = String::new();
    push(&mut key, value).unwrap();
    key
}

#[test]
fn scalars_sort_null_false_true_numbers_strings() {
    let ascending = [
        json!(null),
        json!(false),
        json!(true),
        json!(-1e300),
        json!(-2),
        json!(-1.5),
        json!(0),
        json!(1e-9),
        json!(1),
        json!(10),
        json!(9_007_199_254_740_991_i64),
        json!(""),
        json!("\u{0}"),
        json!("\u{1}"),
        json!("\u{2}"),
        json!("\u{3}"),
        json!("a"),
        json!("a\u{0}"),
        json!("aa"),
        json!("b"),
        json!("é"),
        json!("日本"),
    ];
    for pair in ascending.windows(2) {
        assert!(key(&pair[0]) < key(&pair[1]), "{} should sort before {}", pair[0], pair[1]);
    }
}

#[test]
fn equal_numbers_have_equal_keys() {
    assert_eq!(key(&json!(1)), key(&json!(1.0)));
    assert_eq!(key(&json!(0)), key(&json!(-0.0)));
}

#[test]
fn long_strings_with_one_start_are_kept_apart() {
    let (a, b) = ("x".repeat(1000), "x".repeat(1001));
    assert_ne!(key(&json!(a)), key(&json!(b)));
    assert!(key(&json!(b)).len() < 500);
}

#[test]
fn a_list_cannot_be_indexed() {
    let index = Index { name: "by_tags".into(), fields: vec!["tags".into()] };
    let record = json!({ "tags": ["a"] });
    let declared = Collection { name: "authors".into(), indexes: vec![index], form: 1 };
    assert!(matches!(check(&declared, record.as_object().unwrap()), Err(RecordsError::Malformed(_))));
}

#[test]
fn a_query_over_more_fields_than_the_index_has_is_malformed() {
    let index = Index { name: "by_status".into(), fields: vec!["status".into()] };
    assert!(range(&index, &[json!("a")], Some(&json!(1)), None).is_err());
    assert!(range(&index, &[json!("a")], None, None).is_ok());
}

proptest! {
    #[test]
    fn the_order_of_keys_is_the_order_of_strings(a in "\\PC{0,40}|[\u{0}-\u{22}a]{0,8}", b in "\\PC{0,40}|[\u{0}-\u{22}a]{0,8}") {
        prop_assert_eq!(key(&json!(a)).cmp(&key(&json!(b))), a.as_bytes().cmp(b.as_bytes()));
    }

    #[test]
    fn the_order_of_keys_is_the_order_of_numbers(a in any::<f64>(), b in any::<f64>()) {
        prop_assume!(a.is_finite() && b.is_finite());
        prop_assert_eq!(key(&json!(a)).cmp(&key(&json!(b))), a.partial_cmp(&b).unwrap_or(Ordering::Equal));
    }

    #[test]
    fn two_fields_sort_field_by_field(a in "[\u{0}-\u{22}ab]{0,4}", b in 0..3, c in "[\u{0}-\u{22}ab]{0,4}", d in 0..3) {
        let index = Index { name: "by".into(), fields: vec!["x".into(), "y".into()] };
        let of = |x: &str, y: i32| of_record(&index, json!({ "x": x, "y": y }).as_object().unwrap());
        prop_assert_eq!(of(&a, b).cmp(&of(&c, d)), a.as_bytes().cmp(c.as_bytes()).then(b.cmp(&d)));
        let range = range(&index, &[json!(a)], None, None).unwrap();
        prop_assert_eq!(range.holds(&of(&c, d)), a == c);
    }
}
