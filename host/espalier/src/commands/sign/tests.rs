//! What is suggested for a new key, as a test.

use catalog::trust::{Power, Signer, SigningKey};
use serde::Deserialize;

#[derive(Deserialize)]
struct Suggested {
    signer: Vec<Signer>,
}

#[test]
fn a_new_key_that_is_pasted_as_printed_has_one_right_and_approves_nothing() {
    let (_, public) = SigningKey::make(None).expect("a key");
    let suggested: Suggested = toml::from_str(&super::table("builder", &public)).expect("it is read as it is printed");
    assert_eq!((suggested.signer[0].name.as_str(), &suggested.signer[0].key), ("builder", &public));
    assert_eq!(suggested.signer[0].signs, [Power::Modules]);
}
