//! Tests of `seal`.

use super::{SealError, seal};

/// Two functions in instances and one beside them, as some toolchains leave.
const LEFT_BEHIND: &str = r#"(component
  (core module $m (func (export "f")))
  (core instance $i (instantiate $m))
  (func $f (canon lift (core func $i "f")))
  (component $inner (import "f" (func $f)) (export "f" (func $f)))
  (instance $operations (instantiate $inner (with "f" (func $f))))
  (export "init" (func $f))
  (export "espalier:plain/operations" (instance $operations)))"#;

/// A function that is exported again under another name.
const NAMED_TWICE: &str = r#"(component
  (core module $m (func (export "f")))
  (core instance $i (instantiate $m))
  (func $f (canon lift (core func $i "f")))
  (export $again "init" (func $f))
  (export "other" (func $again)))"#;

const CONTRACTS: &[u8] = br#"{ "wit": "espalier:module@1.0.0", "operations": [], "module": "plain" }"#;

fn component(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("a component")
}

fn exports(component: &[u8]) -> Vec<String> {
    let inspected = crate::inspect::inspect(component).expect("a component with contracts");
    inspected.exports
}

#[test]
fn contracts_are_written_in_canonical_form_and_replace_earlier_ones() {
    let once = seal(&component(LEFT_BEHIND), CONTRACTS, &[]).expect("sealed");
    assert_eq!(crate::inspect::inspect(&once).expect("readable").built.manifest.module, "plain");
    let again = seal(&once, CONTRACTS, &[]).expect("sealed once more");
    assert_eq!(once, again);
}

#[test]
fn a_function_that_a_toolchain_left_behind_is_taken_out_and_nothing_else() {
    let raw = component(LEFT_BEHIND);
    let kept = seal(&raw, CONTRACTS, &[]).expect("sealed");
    assert_eq!(exports(&kept), ["#init", "espalier:plain/operations#f"]);
    let taken = seal(&raw, CONTRACTS, &["init".to_owned()]).expect("sealed");
    assert_eq!(exports(&taken), ["espalier:plain/operations#f"]);
}

#[test]
fn what_is_no_function_outside_the_interfaces_is_not_taken_out() {
    for name in ["f", "espalier:plain/operations", "gone"] {
        let refused = seal(&component(LEFT_BEHIND), CONTRACTS, &[name.to_owned()]);
        assert!(matches!(refused, Err(SealError::NoExport(_))), "{name}: {refused:?}");
    }
}

#[test]
fn a_function_that_something_after_it_may_mean_stays() {
    let refused = seal(&component(NAMED_TWICE), CONTRACTS, &["init".to_owned()]);
    assert!(matches!(refused, Err(SealError::Referred(_))), "{refused:?}");
    seal(&component(NAMED_TWICE), CONTRACTS, &["other".to_owned()]).expect("nothing follows the last one");
}

#[test]
fn contracts_that_are_none_and_bytes_that_are_no_component_are_refused() {
    let raw = component(LEFT_BEHIND);
    let unknown = seal(&raw, br#"{ "module": "plain", "wit": "", "operations": [], "more": 1 }"#, &[]);
    assert!(unknown.is_err_and(|error| error.to_string().contains("unknown field `more`")));
    assert!(matches!(seal(&raw[..raw.len() - 3], CONTRACTS, &[]), Err(SealError::Section(_))));
    assert!(seal(b"text", CONTRACTS, &["init".to_owned()]).is_err());
}
