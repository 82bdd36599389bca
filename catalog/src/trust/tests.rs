//! Tests of `trust`.

use super::{Power, Signer, SigningKey, Trust, TrustError};

const BYTES: &[u8] = b"a component";

fn made() -> (SigningKey, Signer) {
    let (secret, key) = SigningKey::make(None).expect("a key");
    let signer =
        Signer { name: "ada".to_owned(), key, signs: vec![Power::Modules], modules: vec!["authors".to_owned()] };
    (SigningKey::read(&secret, None).expect("the same key"), signer)
}

fn verify(
    signer: &Signer,
    power: Power,
    module: &str,
    bytes: &[u8],
    signature: Option<&str>,
) -> Result<String, TrustError> {
    let trust = Trust::new(vec![signer.clone()]).expect("a signer");
    trust.verify(power, Some(module), "authors.wasm", bytes, signature).map(str::to_owned)
}

#[test]
fn what_a_signer_has_signed_counts_for_what_it_may_sign_and_for_nothing_else() {
    let (key, signer) = made();
    let signature = key.sign(BYTES, "file:authors.wasm").expect("signed");
    assert_eq!(verify(&signer, Power::Modules, "authors", BYTES, Some(&signature)).expect("it counts"), "ada");
    for (power, module) in [(Power::Approvals, "authors"), (Power::Revisions, "authors"), (Power::Modules, "crawl")] {
        let refused = verify(&signer, power, module, BYTES, Some(&signature)).expect_err("not theirs");
        assert!(matches!(refused, TrustError::NotTheirs { .. }), "{refused}");
    }
}

#[test]
fn a_flipped_bit_in_the_bytes_or_in_the_signature_is_refused_wherever_it_is() {
    let (key, signer) = made();
    let signature = key.sign(BYTES, "file:authors.wasm").expect("signed");
    for at in 0..BYTES.len() * 8 {
        let mut bytes = BYTES.to_vec();
        bytes[at / 8] ^= 1 << (at % 8);
        let refused = verify(&signer, Power::Modules, "authors", &bytes, Some(&signature)).expect_err("changed");
        assert!(matches!(refused, TrustError::Changed { .. }), "bit {at}: {refused}");
    }
    // The first line is a comment that nobody signs.
    let signed = signature.find('\n').expect("lines") + 1;
    for at in signed..signature.len() {
        let mut text = signature.clone().into_bytes();
        text[at] = if text[at] == b'A' { b'B' } else { b'A' };
        let text = String::from_utf8(text).expect("ASCII");
        assert!(verify(&signer, Power::Modules, "authors", BYTES, Some(&text)).is_err(), "byte {at}");
    }
}

#[test]
fn nothing_somebody_unknown_and_nonsense_are_refused_by_names_that_say_what_to_do() {
    let (key, signer) = made();
    let (stranger, _) = made();
    let theirs = stranger.sign(BYTES, "file:authors.wasm").expect("signed");
    let said = |signature: Option<&str>| {
        verify(&signer, Power::Modules, "authors", BYTES, signature).expect_err("refused").to_string()
    };
    assert!(said(None).contains("`espalier sign --key KEY authors.wasm`"));
    assert!(said(Some(&theirs)).contains("which no [[signer]]"));
    for nonsense in ["", "RW", "a\nb\nc\nd\n", &key.sign(BYTES, "x").expect("signed")[..80]] {
        assert!(said(Some(nonsense)).contains("is not a signature"), "{nonsense:?}");
    }
    let no_key = Signer { key: "RWnonsense".to_owned(), ..signer.clone() };
    assert!(matches!(Trust::new(vec![no_key]), Err(TrustError::Key { .. })));
    let namesake = Signer { name: "bob".to_owned(), ..signer.clone() };
    assert!(matches!(Trust::new(vec![signer.clone(), namesake]), Err(TrustError::Shared { .. })));
    assert!(matches!(Trust::new(vec![signer.clone(), signer]), Err(TrustError::Twice { .. })));
}

#[test]
fn a_key_with_a_password_opens_with_it_alone() {
    let (secret, public) = SigningKey::make(Some("correct horse".to_owned())).expect("a key");
    assert!(SigningKey::read(&secret, Some("battery staple".to_owned())).is_err());
    let key = SigningKey::read(&secret, Some("correct horse".to_owned())).expect("it opens");
    assert_eq!(key.public(), public);
    assert!(SigningKey::read("no key\n", None).is_err());
    let file = format!("untrusted comment: minisign public key of ada\n{public}\n");
    let said = SigningKey::read(&file, None).err().expect("it signs nothing").to_string();
    assert!(said.contains("this is the public key") && said.contains("NAME.key"), "{said}");
}

#[test]
fn what_a_claim_says_of_a_digest_is_said_by_no_other_key_signature_or_digest() {
    let (key, signer) = made();
    let (other, stranger) = made();
    let stranger = Signer { name: "eve".to_owned(), ..stranger };
    let trust = Trust::new(vec![signer, stranger]).expect("signers");
    let said = |key: &SigningKey, comment: &str, digest: &str| {
        let signature = key.sign(BYTES, comment).expect("signed");
        let claim = trust.claim(Power::Modules, Some("authors"), "authors.wasm", Some(&signature)).expect("theirs");
        assert!(claim.check(BYTES).is_ok() && claim.check(b"others").is_err());
        claim.over(digest)
    };
    let sentence = said(&key, "file:authors.wasm", "sha256:1");
    for another in [
        said(&other, "file:authors.wasm", "sha256:1"),
        said(&key, "file:crawl.wasm", "sha256:1"),
        said(&key, "file:authors.wasm", "sha256:2"),
    ] {
        assert_ne!(another, sentence);
    }
}
