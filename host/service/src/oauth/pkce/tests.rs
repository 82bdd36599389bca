//! Tests of `pkce`.

use super::*;

#[test]
fn the_example_of_the_rfc_answers() {
    let verifier = Verifier::read("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").unwrap();
    assert!(verifier.answers("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
    assert!(!verifier.answers("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN"));
    assert!(!verifier.answers("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
}

#[test]
fn t6_a_verifier_has_43_to_128_unreserved_characters() {
    assert!(Verifier::read(&"a".repeat(43)).is_some());
    assert!(Verifier::read(&"~".repeat(128)).is_some());
    assert!(Verifier::read(&"a".repeat(42)).is_none());
    assert!(Verifier::read(&"a".repeat(129)).is_none());
    assert!(Verifier::read(&format!("{} ", "a".repeat(43))).is_none());
    assert!(Verifier::read(&format!("{}ä", "a".repeat(43))).is_none());
}

#[test]
fn a3_a_challenge_is_the_base64url_of_a_sha_256() {
    assert!(Challenge::read("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").is_some());
    assert!(Challenge::read("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c=").is_none());
    assert!(Challenge::read(&"A".repeat(42)).is_none());
}
