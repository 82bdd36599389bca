//! A key is rotated under a host that serves: what was sealed before stays good, and no key is ever shown.

use model::keys::{Key, KeyRing};
use model::token::Secret;
use serde_json::Value;
use service::oauth::seal::Form;
use tests::host::{Host, Process, operate};

fn with(ring: &KeyRing, secret: u8) -> KeyRing {
    let mut keys = ring.keys().to_vec();
    keys.push(Key::new(format!("key_{secret}"), "2026-11-21T00:00:00Z", [secret; 32]));
    KeyRing::new(keys).expect("keys")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_was_open_during_a_rotation_can_still_be_sent_and_one_of_an_unknown_key_cannot() {
    let host = Host::start().await;
    let (authority, keys) = (host.service.core.authority(), &host.service.core.config().keys);
    let cookie = Secret::received("a-cookie-of-this-browser");
    let before = authority.form_token(&cookie, Form::Portal);
    let first = keys.current();
    keys.replace(with(&first, 1));
    let after = authority.form_token(&cookie, Form::Portal);
    assert!(authority.is_form_token(&cookie, Form::Portal, &before));
    assert!(authority.is_form_token(&cookie, Form::Portal, &after));
    // The old key did not make it, and without the new one nobody opens it.
    keys.replace(first);
    assert!(!authority.is_form_token(&cookie, Form::Portal, &after));
    assert!(authority.is_form_token(&cookie, Form::Portal, &before));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_rotate_under_a_host_that_serves_and_never_show_a_key() {
    let data = tempfile::tempdir().expect("a folder");
    let process = Process::start(data.path(), &[]).await;
    let ada = process.customer("ada@example.com", 200, "account:read").await;
    let command = |arguments: &[&str]| {
        let output = operate(data.path(), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ring = std::fs::read_to_string(data.path().join("keys.toml")).expect("a ring");
        let secrets = ring.lines().filter_map(|line| line.strip_prefix("secret = \""));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        secrets.for_each(|secret| assert!(!said.contains(&secret[..16]), "{said}"));
        serde_json::from_str::<Value>(&said).expect("JSON")
    };
    let before = command(&["keys", "list"]);
    let after = command(&["keys", "rotate"]);
    assert_eq!(before.as_array().map(Vec::len), Some(1));
    assert_eq!(after.as_array().map(Vec::len), Some(2));
    assert_eq!(after[0]["id"], before[0]["id"]);
    assert_eq!((&after[0]["seals"], &after[1]["seals"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(after[1]["purpose"], "seal");
    assert_eq!(command(&["keys", "list"]), after);
    assert_eq!(ada.get("/account").await.status, 200);
}
