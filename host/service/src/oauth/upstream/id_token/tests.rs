//! Signatures of the kinds that providers use, and those that an attacker would.

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use super::*;

const NOW: Moment = Moment(1_790_000_000_000);

fn expected() -> Expected<'static> {
    Expected { issuer: "https://id.example", client_id: "espalier", nonce: "n", now: NOW }
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A token with this header, signed so.
fn token(header: Value, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let claims = json!({
        "iss": "https://id.example", "sub": "7", "aud": "espalier", "nonce": "n",
        "iat": 1_790_000_000, "exp": 1_790_000_300, "email": "a@example.com", "email_verified": true,
    });
    let signed = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
    let signature = encode(sign(signed.as_bytes()));
    format!("{signed}.{signature}")
}

fn keys(keys: Value) -> Vec<Jwk> {
    serde_json::from_value(keys).unwrap()
}

fn rsa() -> (RsaKeyPair, Value) {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let public = pair.public_key();
    let (n, e) = (public.modulus(), public.exponent());
    let (n, e) = (encode(n.big_endian_without_leading_zero()), encode(e.big_endian_without_leading_zero()));
    (pair, json!({ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": "r", "n": n, "e": e }))
}

fn rs256(pair: &RsaKeyPair) -> impl FnOnce(&[u8]) -> Vec<u8> + '_ {
    |message| {
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
        signature
    }
}

#[test]
fn signatures_by_rsa_and_by_an_elliptic_curve_are_verified() {
    let (pair, key) = rsa();
    let signed = token(json!({ "alg": "RS256", "kid": "r" }), rs256(&pair));
    let person = verify(&signed, &keys(json!([key])), &expected()).unwrap();
    assert_eq!((person.subject.as_str(), person.verified_email.as_deref()), ("7", Some("a@example.com")));
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let point = pair.public_key().as_ref();
    let key = json!({ "kty": "EC", "crv": "P-256", "kid": "e", "x": encode(&point[1..33]), "y": encode(&point[33..]) });
    let sign = |message: &[u8]| pair.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec();
    let signed = token(json!({ "alg": "ES256" }), sign);
    assert!(verify(&signed, &keys(json!([key])), &expected()).is_ok(), "the only key needs no id");
}

#[test]
fn a_token_that_is_changed_or_signed_by_anybody_else_is_refused() {
    let ((pair, key), (other, _)) = (rsa(), rsa());
    let keys = keys(json!([key]));
    let header = || json!({ "alg": "RS256", "kid": "r" });
    assert!(verify(&token(header(), rs256(&other)), &keys, &expected()).is_err());
    let good = token(header(), rs256(&pair));
    let parts: Vec<&str> = good.split('.').collect();
    let claims = String::from_utf8(URL_SAFE_NO_PAD.decode(parts[1]).unwrap()).unwrap();
    let other = encode(claims.replace("\"7\"", "\"8\""));
    for changed in [format!("{}.{other}.{}", parts[0], parts[2]), format!("{}.{}.", parts[0], parts[1]), String::new()]
    {
        assert!(verify(&changed, &keys, &expected()).is_err(), "{changed}");
    }
}

#[test]
fn the_public_key_is_no_secret_to_sign_with() {
    let (pair, key) = rsa();
    let public = pair.public_key().as_der().unwrap().as_ref().to_vec();
    let sign = |message: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(&public).unwrap();
        mac.update(message);
        mac.finalize().into_bytes().to_vec()
    };
    let signed = token(json!({ "alg": "HS256", "kid": "r" }), sign);
    assert!(verify(&signed, &keys(json!([key])), &expected()).is_err());
    let shared = json!([{ "kty": "oct", "kid": "r", "k": encode("anything") }]);
    let sign = |message: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(b"anything").unwrap();
        mac.update(message);
        mac.finalize().into_bytes().to_vec()
    };
    let signed = token(json!({ "alg": "HS256", "kid": "r" }), sign);
    assert!(verify(&signed, &keys(shared), &expected()).is_err());
    let unsigned = token(json!({ "alg": "none" }), |_| Vec::new());
    assert!(verify(&unsigned, &keys(json!([])), &expected()).is_err());
}
