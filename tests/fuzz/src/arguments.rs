//! Target: what callers send, read strictly and held against a contract.

use std::sync::OnceLock;

use model::canonical;
use model::contract::Contract;
use model::manifest::Manifest;
use service::promise;

/// Contracts with every keyword that ours have.
fn contracts() -> &'static [Contract] {
    static CONTRACTS: OnceLock<Vec<Contract>> = OnceLock::new();
    CONTRACTS.get_or_init(|| {
        let read = |text: &str| serde_json::from_str::<Manifest>(text).expect("a manifest").operations;
        read(include_str!("../seeds/contracts.json"))
    })
}

/// What was read is written in one form, which reads as the same; who is refused is told where and why.
///
/// # Panics
/// When that is not so.
pub fn check(bytes: &[u8]) {
    let Ok(value) = canonical::read(bytes) else { return };
    let text = canonical::write(&value);
    let again = canonical::read(&text).expect("what was written can be read");
    assert_eq!(canonical::write(&again), text, "one value has one form");
    for contract in contracts() {
        let Some(refusal) = promise::refusal(contract, &value).expect("our contracts have schemas") else { continue };
        assert_eq!(refusal.code, "invalid_arguments");
        assert!(refusal.message.len() < 2_000, "a refusal is a sentence");
        let pointer = refusal.detail.get("pointer").and_then(|it| it.as_str()).expect("a refusal says where");
        assert!(pointer.is_empty() || pointer.starts_with('/'), "{pointer}");
        let secret = value.get("password").and_then(|it| it.as_str()).filter(|secret| secret.len() > 8);
        let told = serde_json::to_string(&refusal.detail).expect("JSON") + &refusal.message;
        let first = pointer == "/password";
        assert!(!first || secret.is_none_or(|secret| !told.contains(secret)), "a secret was repeated");
    }
}
