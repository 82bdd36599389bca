//! Arguments that a contract marks secret: taken out after validation, before anything keeps or shows them.
//!
//! The guest gets a handle, the fingerprint a code over the value. The code is made with the oldest key of the ring:
//! rotation adds keys at the other end, so the same call has the same fingerprint before and after it.

use std::borrow::Cow;

use hmac::{Hmac, KeyInit as _, Mac as _};
use model::canonical;
use model::clock::Entropy;
use model::keys::KeyRing;
use model::token::hex;
use sandbox::Secrets;
use serde_json::{Map, Value, json};
use sha2::Sha256;
use zeroize::Zeroizing;

/// Arguments for the fingerprint: a code in the place of each secret.
pub(super) fn hashed<'a>(
    operation: &str,
    pointers: &[String],
    sent: &'a Map<String, Value>,
    keys: &KeyRing,
) -> Cow<'a, Map<String, Value>> {
    if pointers.is_empty() {
        return Cow::Borrowed(sent);
    }
    Cow::Owned(replaced(pointers, sent.clone(), |pointer, place| {
        *place = json!({ "secret": code(operation, pointer, place, keys) });
    }))
}

/// Takes the secrets at these JSON pointers out of arguments: a handle in the place of each, and the secrets by their
/// handles.
pub(super) fn take(
    pointers: &[String],
    filled: Map<String, Value>,
    entropy: &dyn Entropy,
) -> (Map<String, Value>, Secrets) {
    let mut secrets = Secrets::default();
    let handled = replaced(pointers, filled, |_, place| {
        let text = match place.take() {
            Value::String(text) => text,
            other => other.to_string(),
        };
        *place = Value::String(secrets.keep(Zeroizing::new(text), entropy));
    });
    (handled, secrets)
}

fn replaced(
    pointers: &[String],
    arguments: Map<String, Value>,
    mut replace: impl FnMut(&str, &mut Value),
) -> Map<String, Value> {
    if pointers.is_empty() {
        return arguments;
    }
    let mut arguments = Value::Object(arguments);
    for pointer in pointers {
        if let Some(place) = arguments.pointer_mut(pointer) {
            replace(pointer, place);
        }
    }
    match arguments {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Tells one value from another without telling anything of either.
fn code(operation: &str, pointer: &str, value: &Value, keys: &KeyRing) -> String {
    let key = keys.oldest();
    let mut code = Hmac::<Sha256>::new_from_slice(key.reveal()).expect("HMAC takes a key of any length");
    for part in [b"espalier secret argument 1", operation.as_bytes(), pointer.as_bytes(), &canonical::write(value)] {
        code.update(&(part.len() as u64).to_be_bytes());
        code.update(part);
    }
    hex(&code.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use model::clock::SeededEntropy;
    use model::keys::Key;

    use super::*;

    const CANARY: &str = "canary-3f9a";

    struct Taken {
        handled: Map<String, Value>,
        hashed: Map<String, Value>,
        secrets: Secrets,
    }

    fn taken(credentials: Value, keys: &KeyRing, seed: u8) -> Taken {
        let sent = json!({ "kind": "wordpress", "credentials": credentials });
        let sent = sent.as_object().unwrap();
        let pointers = ["/credentials".to_owned()];
        let hashed = hashed("connections.add", &pointers, sent, keys).into_owned();
        let (handled, secrets) = take(&pointers, sent.clone(), &SeededEntropy::new([seed; 32]));
        Taken { handled, hashed, secrets }
    }

    fn ring(ids: &[&str]) -> KeyRing {
        KeyRing::new(ids.iter().map(|id| Key::new(*id, "", [id.as_bytes()[0]; 32])).collect()).unwrap()
    }

    #[test]
    fn neither_the_guests_arguments_nor_the_fingerprint_hold_a_secret() {
        let taken = taken(json!({ "username": "ada", "application_password": CANARY }), &ring(&["a"]), 1);
        let handle = taken.handled["credentials"].as_str().unwrap();
        assert!(handle.starts_with("secret_"), "{handle}");
        assert_eq!(taken.handled["kind"], "wordpress");
        let shown = format!("{:?} {:?} {:?}", taken.handled, taken.hashed, taken.secrets);
        assert!(!shown.contains(CANARY) && !shown.contains("ada"), "{shown}");
    }

    #[test]
    fn the_same_value_has_the_same_code_before_and_after_a_rotation_and_another_has_another() {
        let code = |value: &str, keys: &KeyRing, seed| taken(json!(value), keys, seed).hashed["credentials"].clone();
        let first = code(CANARY, &ring(&["a"]), 1);
        assert_eq!(code(CANARY, &ring(&["a", "b"]), 2), first);
        assert_ne!(code("canary-3f9b", &ring(&["a"]), 1), first);
        assert_ne!(code(CANARY, &ring(&["b"]), 1), first);
    }

    #[test]
    fn an_absent_secret_stays_absent() {
        let sent = json!({ "kind": "wordpress" });
        let sent = sent.as_object().unwrap();
        let pointers = ["/credentials".to_owned(), "/deep/secret".to_owned()];
        let hashed = hashed("connections.add", &pointers, sent, &ring(&["a"]));
        let (handled, _) = take(&pointers, sent.clone(), &SeededEntropy::new([1; 32]));
        assert_eq!((&handled, hashed.as_ref()), (sent, sent));
    }
}
