//! Components that must not be loaded: each with the lock that finds it out, or the signature that does not count.

use catalog::lock::Lock;
use catalog::trust::{Power, Signer, SigningKey, Trust};
use model::contract::Kind;

use crate::guest::{component, lock, manifest, text};

/// A guest as it was built, and the lock of a reviewer who grants everything.
fn built(name: &str) -> (Vec<u8>, Lock) {
    let text = text(name);
    let component = component(text, &manifest(text));
    let lock = lock(&component);
    (component, lock)
}

pub(super) fn sockets() -> (Vec<u8>, Lock) {
    built("sockets")
}

pub(super) fn ungranted() -> (Vec<u8>, Lock) {
    let (component, mut lock) = built("changes");
    lock.grants.remove("records-write");
    (component, lock)
}

pub(super) fn unused() -> (Vec<u8>, Lock) {
    let (component, mut lock) = built("changes");
    lock.grants.insert("web".to_owned());
    (component, lock)
}

pub(super) fn tampered() -> (Vec<u8>, Lock) {
    let (component, mut lock) = built("spin");
    lock.component = format!("sha256:{}", "0".repeat(64));
    (component, lock)
}

pub(super) fn changed() -> (Vec<u8>, Lock) {
    let text = text("spin");
    let mut other = manifest(text);
    other.operations[0].kind = Kind::Destructive;
    (component(text, &other), built("spin").1)
}

pub(super) fn undeclared() -> (Vec<u8>, Lock) {
    let text = text("allocate");
    let mut silent = manifest(text);
    silent.operations.remove(1);
    let component = component(text, &silent);
    let lock = lock(&component);
    (component, lock)
}

pub(super) fn boasting() -> (Vec<u8>, Lock) {
    let text = text("spin");
    let mut boasting = manifest(text);
    let mut second = boasting.operations[0].clone();
    second.id = "hostile.fly".to_owned();
    second.export = "fly".to_owned();
    boasting.operations.push(second);
    let component = component(text, &boasting);
    let lock = lock(&component);
    (component, lock)
}

pub(super) fn unlocked() -> (Vec<u8>, Lock) {
    let (component, mut lock) = built("allocate");
    lock.operations.remove("hostile.table");
    (component, lock)
}

pub(super) fn raised() -> (Vec<u8>, Lock) {
    let (component, mut lock) = built("spin");
    lock.limits.fuel = Some(1_000_000_000);
    (component, lock)
}

/// What a host says to a component under this signature, where `signs` is what its one signer may sign.
fn verified(signs: Power, bytes: &[u8], sign: impl FnOnce(&SigningKey) -> Option<String>) -> Result<(), String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let (secret, key) = SigningKey::make(None).map_err(|error| said(&error))?;
    let signing = SigningKey::read(&secret, None).map_err(|error| said(&error))?;
    let signer = Signer { name: "author".to_owned(), key, signs: vec![signs], modules: Vec::new() };
    let trust = Trust::new(vec![signer]).map_err(|error| said(&error))?;
    let signature = sign(&signing);
    let verified = trust.verify(Power::Modules, Some("hostile"), "hostile.wasm", bytes, signature.as_deref());
    verified.map(drop).map_err(|error| said(&error))
}

pub(super) fn unsigned() -> Result<(), String> {
    verified(Power::Modules, b"component", |_| None)
}

pub(super) fn stranger() -> Result<(), String> {
    let other = SigningKey::make(None).and_then(|(secret, _)| SigningKey::read(&secret, None));
    let other = other.map_err(|error| error.to_string())?;
    verified(Power::Modules, b"component", |_| other.sign(b"component", "hostile").ok())
}

pub(super) fn beyond() -> Result<(), String> {
    verified(Power::Approvals, b"component", |key| key.sign(b"component", "hostile").ok())
}

pub(super) fn flipped() -> Result<(), String> {
    verified(Power::Modules, b"componenu", |key| key.sign(b"component", "hostile").ok())
}
