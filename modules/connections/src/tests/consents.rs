//! Consents at providers: what is asked for, and what is said of how far they are.

use sdk::{ConsentState, json};

use super::host;

const FULL: &str = "https://www.googleapis.com/auth/webmasters";
const READ: &str = "https://www.googleapis.com/auth/webmasters.readonly";
const SITES: &str = "GET /webmasters/v3/sites";

fn started(fake: &sdk::Fake, kind: &str) -> String {
    let started = fake.call("connections.oauth.start", json!({ "kind": kind })).unwrap();
    started["flow_ref"].as_str().unwrap().to_owned()
}

#[test]
fn a_consent_is_pending_until_it_is_given_and_then_names_its_connection() {
    let fake = host();
    let started = fake.call("connections.oauth.start", json!({ "kind": "google_search_console" })).unwrap();
    let flow = started["flow_ref"].as_str().unwrap().to_owned();
    assert!(started["authorize_url"].as_str().unwrap().ends_with(&format!("/connect/{flow}")));
    assert_eq!(started["expires_at"], "2026-09-28T00:10:00.000Z");
    let status = || fake.call("connections.oauth.status", json!({ "flow_ref": flow })).unwrap();
    assert_eq!(status(), json!({ "state": "pending", "connection_ref": null, "error": null }));
    let connection = fake.consent_given(&flow, &[FULL]);
    assert_eq!(status(), json!({ "state": "completed", "connection_ref": connection, "error": null }));
    let listed = fake.call("connections.list", json!({})).unwrap();
    assert_eq!(listed["connections"][0]["name"], "Google Search Console");
}

#[test]
fn a_consent_that_came_to_nothing_says_why_and_what_to_do() {
    let fake = host();
    for (state, word, shown, code) in [
        (ConsentState::Refused, "access_denied", "refused", "access_denied"),
        (ConsentState::Refused, "cancelled", "refused", "cancelled"),
        (ConsentState::Failed, "invalid_client", "failed", "invalid_client"),
        (ConsentState::Failed, "something_else", "failed", "provider_refused"),
    ] {
        let flow = started(&fake, "gmail");
        fake.consent_ends(&flow, state, word);
        let status = fake.call("connections.oauth.status", json!({ "flow_ref": flow })).unwrap();
        assert_eq!((&status["state"], &status["error"]["code"]), (&json!(shown), &json!(code)));
        assert!(status["error"]["hint"].as_str().unwrap().len() > 20 && status["connection_ref"].is_null());
    }
    let fault = fake.refusal("connections.oauth.status", json!({ "flow_ref": "flw_of_somebody_else" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("flow_not_found", Some("/flow_ref")));
}

#[test]
fn what_cannot_be_asked_for_is_refused_with_what_can() {
    let fake = host();
    let start = |arguments| fake.refusal("connections.oauth.start", arguments);
    assert_eq!(start(json!({ "kind": "wordpress" })).code, "invalid_arguments");
    let scopes = start(json!({ "kind": "ga4", "scopes": ["https://mail.google.com/"] }));
    assert_eq!((scopes.code.as_str(), scopes.pointer.as_deref()), ("unknown_scope", Some("/scopes")));
    assert!(scopes.message.contains("analytics.readonly"), "{}", scopes.message);
    assert_eq!(start(json!({ "kind": "ga4", "name": "  " })).code, "invalid_name");
    let narrow = json!({ "kind": "google_search_console", "scopes": [READ] });
    assert!(fake.call("connections.oauth.start", narrow).is_ok());
    fake.without_clients();
    let without = start(json!({ "kind": "bing_webmaster" }));
    assert_eq!((without.code.as_str(), without.pointer.as_deref()), ("no_provider_client", Some("/kind")));
    let entered = fake
        .refusal("connections.add", json!({ "kind": "gmail", "name": "x", "credentials": { "password": "hunter22" } }));
    assert_eq!(entered.code, "consent_required");
    assert!(entered.detail.unwrap().contains("connections.oauth.start"));
}

#[test]
fn a_permission_that_was_unticked_is_missing_although_the_provider_answers() {
    let fake = host();
    fake.provide("google_search_console", SITES, 200, &[], "{}");
    let flow = started(&fake, "google_search_console");
    let whole = fake.consent_given(&flow, &[FULL]);
    let tested = fake.call("connections.test", json!({ "connection_ref": whole })).unwrap();
    assert_eq!((&tested["ok"], &tested["missing_permissions"]), (&json!(true), &json!([])));
    let partly = fake.consent_given(&started(&fake, "google_search_console"), &[READ]);
    let tested = fake.call("connections.test", json!({ "connection_ref": partly })).unwrap();
    assert_eq!((&tested["ok"], &tested["missing_permissions"]), (&json!(false), &json!([FULL])));
    assert_eq!(tested["error"]["code"], "missing_permission");
    assert!(tested["error"]["hint"].as_str().unwrap().contains("connections.oauth.start"));
}

#[test]
fn a_consent_that_is_over_is_renewed_by_another_and_given_back_with_its_connection() {
    let fake = host();
    fake.provide("google_search_console", SITES, 401, &[], "{}");
    let connection = fake.consent_given(&started(&fake, "google_search_console"), &[FULL]);
    let tested = fake.call("connections.test", json!({ "connection_ref": connection })).unwrap();
    assert_eq!(tested["error"]["code"], "expired_credential");
    let hint = tested["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("connections.oauth.start") && !hint.contains("secret.rotate"), "{hint}");
    let removed = fake.call("connections.remove", json!({ "connection_ref": connection })).unwrap();
    assert_eq!(removed["provider_revoked"], true);
}
