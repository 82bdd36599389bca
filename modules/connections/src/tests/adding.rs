//! Adding, testing and rotating: what stands afterwards, whatever the provider says.

use sdk::{SendFailure, json};

use super::{EDITOR, PROBE, blog, cloudflare, connected, host};

#[test]
fn a_connection_whose_provider_says_yes_is_in_order() {
    let fake = host();
    fake.provide("wordpress", PROBE, 200, &[("date", "Mon, 28 Sep 2026 00:00:02 GMT")], EDITOR);
    let added = fake.call("connections.add", blog("canary 1111")).unwrap();
    assert_eq!((&added["state"], &added["test"]["ok"]), (&json!("ok"), &json!(true)));
    assert_eq!((&added["test"]["clock_skew_seconds"], &added["test"]["latency_ms"]), (&json!(2), &json!(12)));
    let listed = fake.call("connections.list", json!({})).unwrap()["connections"][0].clone();
    assert_eq!((&listed["state"], &listed["tested_at"]), (&json!("ok"), &added["test"]["tested_at"]));
    assert!(!format!("{added}{listed}").contains("canary"));
}

#[test]
fn a_provider_that_says_no_does_not_refuse_the_connection() {
    let fake = host();
    fake.provide("wordpress", PROBE, 401, &[], "{}");
    let added = fake.call("connections.add", blog("canary 1111")).unwrap();
    assert_eq!((&added["state"], &added["test"]["error"]["code"]), (&json!("expired"), &json!("expired_credential")));
    fake.provide_failure("wordpress", PROBE, SendFailure::Timeout);
    let again = fake.call("connections.test", json!({ "connection_ref": added["connection_ref"] })).unwrap();
    assert_eq!((&again["ok"], &again["error"]["code"]), (&json!(false), &json!("timeout")));
    let listed = fake.call("connections.list", json!({ "state": "failing" })).unwrap();
    assert_eq!(listed["connections"][0]["last_error"], "timeout");
}

#[test]
fn a_malformed_credential_is_refused_and_nothing_is_stored() {
    let fake = host();
    let add = |arguments| fake.refusal("connections.add", arguments);
    let missing = add(
        json!({ "kind": "wordpress", "name": "B", "endpoint": "https://a.example", "credentials": { "username": "editor" } }),
    );
    let found = (missing.code.as_str(), missing.pointer.as_deref());
    assert_eq!(found, ("malformed_credential", Some("/credentials/application_password")));
    let other = add(json!({ "kind": "llm", "name": "B", "credentials": { "api_key": "sk-canary", "colour": "red" } }));
    assert_eq!((other.code.as_str(), other.pointer.as_deref()), ("malformed_credential", Some("/credentials")));
    let nowhere = add(json!({ "kind": "powerdns", "name": "B", "credentials": { "api_key": "canary" } }));
    assert_eq!((nowhere.code.as_str(), nowhere.pointer.as_deref()), ("invalid_endpoint", Some("/endpoint")));
    let unknown = add(json!({ "kind": "myspace", "name": "B", "credentials": { "api_key": "canary" } }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("unknown_kind", Some("/kind")));
    assert!(unknown.detail.unwrap().contains("wordpress"));
    let consent = add(json!({ "kind": "google_search_console", "name": "B", "credentials": { "token": "canary" } }));
    assert_eq!((consent.code.as_str(), consent.pointer.as_deref()), ("consent_required", Some("/kind")));
    assert_eq!(
        add(json!({ "kind": "llm", "name": " ", "credentials": { "api_key": "sk-canary" } })).code,
        "invalid_name"
    );
    assert_eq!(fake.call("connections.list", json!({})).unwrap()["connections"], json!([]));
}

#[test]
fn a_kind_without_a_test_is_added_untested_and_refuses_one() {
    let fake = host();
    let hook = |secret: &str| json!({ "signing_secret": secret });
    let added = json!({ "kind": "signed_webhook", "name": "Hook", "endpoint": "https://hook.shop.example", "credentials": hook("canary-1") });
    let added = fake.call("connections.add", added).unwrap();
    assert_eq!((&added["state"], &added["test"]), (&json!("untested"), &json!(null)));
    let fault = fake.refusal("connections.test", json!({ "connection_ref": added["connection_ref"] }));
    assert_eq!(fault.code, "no_test");
    let new = json!({ "connection_ref": added["connection_ref"], "credentials": hook("canary-2") });
    assert_eq!(fake.call("connections.secret.rotate", new).unwrap()["rotated"], true);
    assert_eq!(fake.credentials(added["connection_ref"].as_str().unwrap()).unwrap()["signing_secret"], "canary-2");
}

#[test]
fn a_server_of_mail_is_logged_in_to_and_says_how_large_a_message_may_be() {
    let fake = host();
    fake.provide("smtp", "AUTH /", 235, &[("size", "10485760")], "");
    let credentials = json!({ "username": "hello@shop.example", "password": "canary-1" });
    let smtp =
        json!({ "kind": "smtp", "name": "Mail", "endpoint": "smtps://mail.shop.example", "credentials": credentials });
    let added = fake.call("connections.add", smtp).unwrap();
    assert_eq!((&added["state"], &added["test"]["ok"]), (&json!("ok"), &json!(true)), "{added}");
    let quota = &added["test"]["quota"];
    assert_eq!((&quota["limit"], &quota["unit"]), (&json!(10_485_760.0), &json!("bytes")));
    let test = || fake.call("connections.test", json!({ "connection_ref": added["connection_ref"] })).unwrap();
    for (code, error) in [(534, "missing_permission"), (554, "provider_error")] {
        fake.provide("smtp", "AUTH /", code, &[], "");
        assert_eq!(test()["error"]["code"], error, "{code}");
    }
    fake.provide_failure("smtp", "AUTH /", SendFailure::ExpiredCredential);
    assert_eq!(test()["error"]["code"], "expired_credential");
    let listed = fake.call("connections.list", json!({})).unwrap();
    assert_eq!(listed["connections"][0]["state"], "expired");
}

#[test]
fn a_new_secret_that_the_provider_refuses_never_takes_the_place_of_the_old_one() {
    let fake = host();
    fake.provide_to("good", "wordpress", PROBE, 200, EDITOR);
    let id = fake.call("connections.add", blog("good 1")).unwrap()["connection_ref"].clone();
    let rotate = |password: &str| {
        let credentials = json!({ "username": "editor", "application_password": password });
        fake.call("connections.secret.rotate", json!({ "connection_ref": id, "credentials": credentials })).unwrap()
    };
    let stored = || fake.credentials(id.as_str().unwrap()).unwrap()["application_password"].clone();
    let state = || fake.call("connections.list", json!({})).unwrap()["connections"][0]["state"].clone();
    for (status, code) in [
        (401, "expired_credential"),
        (429, "quota"),
        (500, "provider_error"),
        (302, "provider_error"),
        (200, "malformed_answer"),
    ] {
        fake.provide_to("bad", "wordpress", PROBE, status, "{}");
        let kept = rotate("bad 22");
        assert_eq!((&kept["rotated"], &kept["rotated_at"]), (&json!(false), &json!(null)), "{status}");
        assert_eq!(kept["test"]["error"]["code"], code);
        assert_eq!((stored(), state()), (json!("good 1"), json!("ok")), "{status}");
    }
    // Accepted, and not permitted enough: the new secret is good.
    fake.provide_to("weak", "wordpress", PROBE, 200, r#"{"id":1,"capabilities":{"edit_posts":true}}"#);
    let weak = rotate("weak 33");
    assert_eq!((&weak["rotated"], &weak["test"]["error"]["code"]), (&json!(true), &json!("missing_permission")));
    assert_eq!((stored(), state()), (json!("weak 33"), json!("failing")));
    let better = rotate("good 44");
    assert_eq!((&better["rotated"], stored(), state()), (&json!(true), json!("good 44"), json!("ok")));
}

#[test]
fn a_malformed_new_secret_is_refused_and_the_old_one_stays() {
    let fake = host();
    let id = cloudflare(&fake);
    let new = json!({ "connection_ref": id, "credentials": { "token": "x" } });
    assert_eq!(fake.refusal("connections.secret.rotate", new).code, "malformed_credential");
    assert_eq!(fake.credentials(&id).unwrap()["api_token"], "cf-token-0123");
}

#[test]
fn a_jmap_session_is_followed_at_its_own_host_alone() {
    let fake = host();
    let id = connected(&fake, "jmap", Some("https://mail.shop.example"), json!({ "token": "canary-1" }));
    let session = r#"{"capabilities":{"urn:ietf:params:jmap:mail":{}},"apiUrl":"https://mail.shop.example/jmap/api"}"#;
    fake.provide("jmap", "GET /jmap/session", 200, &[], session);
    fake.provide("jmap", "GET /.well-known/jmap", 302, &[("location", "/jmap/session")], "");
    let tested = fake.call("connections.test", json!({ "connection_ref": id })).unwrap();
    assert_eq!(tested["ok"], true, "{tested}");
    let elsewhere = [("location", "https://thief.example/jmap/session")];
    fake.provide("jmap", "GET /.well-known/jmap", 302, &elsewhere, "");
    let tested = fake.call("connections.test", json!({ "connection_ref": id })).unwrap();
    assert_eq!(tested["error"]["code"], "provider_error");
    assert!(tested["error"]["hint"].as_str().unwrap().contains("thief.example"), "{tested}");
}
