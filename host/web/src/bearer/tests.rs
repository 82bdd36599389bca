//! Tests of `bearer`.

use super::*;

fn read(uri: &str, values: &[&str]) -> Result<String, String> {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(AUTHORIZATION, value.parse().unwrap());
    }
    let token = token(&headers, &uri.parse().unwrap());
    token.map(|token| token.reveal().to_owned()).map_err(|refusal| refusal.code.into_owned())
}

#[test]
fn v2_the_token_comes_in_the_header_whatever_the_case_of_the_scheme() {
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        assert_eq!(read("/v1/account", &[&format!("{scheme} esp_at_x")]), Ok("esp_at_x".to_owned()));
    }
    assert_eq!(read("/v1/account", &["Bearer   esp_at_x "]), Ok("esp_at_x".to_owned()));
}

#[test]
fn v2_a_token_in_the_address_is_refused_and_never_used() {
    let malformed = Err("malformed_request".to_owned());
    assert_eq!(read("/v1/account?access_token=esp_at_x", &[]), malformed);
    assert_eq!(read("/mcp?a=1&access_token=esp_at_x", &["Bearer esp_at_x"]), malformed);
    assert_eq!(read("/v1/account?access_token", &["Bearer esp_at_x"]), malformed);
    assert_eq!(read("/v1/account?not_access_token=1", &["Bearer esp_at_x"]), Ok("esp_at_x".to_owned()));
}

#[test]
fn v3_nothing_that_is_a_bearer_token_counts_as_no_token() {
    let none = Err("unauthenticated".to_owned());
    assert_eq!(read("/v1/account", &[]), none);
    assert_eq!(read("/v1/account", &["Basic dXNlcjpwYXNz"]), none);
    assert_eq!(read("/v1/account", &["Bearer"]), none);
    assert_eq!(read("/v1/account", &["Bearer  "]), none);
    assert_eq!(read("/v1/account", &["Bearer a", "Bearer b"]), Err("malformed_request".to_owned()));
}

fn config() -> Config {
    Config {
        public_url: "https://espalier.example".into(),
        cors_origins: Vec::new(),
        client_documents: None,
        upstream: None,
        trusted_proxies: Vec::new(),
        keys: model::keys::Keys::new(model::keys::KeyRing::of([7; 32])),
        limits: service::config::Rates::default(),
        billing: std::sync::Arc::default(),
        uploads: model::edges::UploadLimits::default(),
        work: service::config::Work::default(),
        replay: service::config::Replay::default(),
        off: service::config::Off::default(),
    }
}

fn challenged(refusal: &Refusal) -> Option<String> {
    challenge(&config(), refusal, &ScopeSet::default()).map(|value| value.to_str().unwrap().to_owned())
}

#[test]
fn v3_without_a_token_the_challenge_names_the_document_and_the_four_defaults_and_no_error() {
    let text = "Bearer resource_metadata=\"https://espalier.example/.well-known/oauth-protected-resource/mcp\", \
                scope=\"account:read websites:read assets:read seo:analyze\"";
    assert_eq!(challenged(&Refusal::unauthenticated()).as_deref(), Some(text));
}

#[test]
fn v3_with_a_bad_token_the_challenge_says_so() {
    let text = challenged(&Refusal::invalid_token()).unwrap();
    assert!(text.starts_with("Bearer error=\"invalid_token\""), "{text}");
    assert!(text.contains("resource_metadata=\"https://espalier.example/.well-known/oauth-protected-resource/mcp\""));
    assert_eq!(text.matches("Bearer").count(), 1);
}

#[test]
fn v3_for_a_missing_scope_the_challenge_names_all_that_is_needed() {
    let needed: ScopeSet = "assets:write destructive:execute".parse().unwrap();
    let missing: ScopeSet = "destructive:execute".parse().unwrap();
    let text = challenged(&Refusal::insufficient_scope(&needed, &missing)).unwrap();
    assert!(
        text.starts_with("Bearer error=\"insufficient_scope\", scope=\"assets:write destructive:execute\""),
        "{text}"
    );
    assert!(text.contains("error_description=\""));
}

#[test]
fn v4_an_inactive_customer_is_not_told_to_ask_for_a_scope() {
    assert_eq!(challenged(&Refusal::access_inactive()), None);
    assert_eq!(challenged(&Refusal::route_not_found()), None);
}

#[test]
fn what_a_module_writes_into_its_refusal_becomes_no_header_and_no_challenge() {
    for class in [Class::Forbidden, Class::Method, Class::Limited, Class::Conflict] {
        let forged = Refusal::new(class, "insufficient_scope", "no")
            .with("required_scopes", serde_json::json!(["seo:audit"]))
            .with("allowed", "DELETE")
            .with("limit", "request")
            .with("quota", 1)
            .with("window_seconds", 1)
            .with("replayed", true)
            .with("first_request_id", "req_other")
            .retry_after(5);
        let request = model::id::RequestId::from("req_now");
        let response = crate::problem::respond(&config(), forged, &request, &ScopeSet::default());
        for name in ["www-authenticate", "allow", "ratelimit", "ratelimit-policy", "idempotent-replayed"] {
            assert!(!response.headers().contains_key(name), "{class:?}: {name}");
        }
    }
}
