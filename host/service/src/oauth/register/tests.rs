//! Tests of `register`.

use serde_json::json;

use super::*;

fn usual() -> Value {
    json!({
        "client_name": "Agent",
        "redirect_uris": ["http://127.0.0.1:3000/callback"],
        "application_type": "native",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": "account:read",
    })
}

fn with(name: &str, value: Value) -> Result<ClientMetadata, Code> {
    let mut body = usual();
    body[name] = value;
    read(body.to_string().as_bytes()).map_err(|fault| fault.code)
}

fn without(name: &str) -> Result<ClientMetadata, Code> {
    let mut body = usual();
    body.as_object_mut().unwrap().remove(name);
    read(body.to_string().as_bytes()).map_err(|fault| fault.code)
}

#[test]
fn r1_what_is_registered_is_echoed() {
    let metadata = read(usual().to_string().as_bytes()).unwrap();
    assert_eq!(json!(metadata), usual());
}

#[test]
fn r2_addresses_that_cannot_be_trusted_are_refused() {
    assert_eq!(without("redirect_uris"), Err(Code::InvalidRedirectUri));
    for value in [json!([]), json!("https://a.example/"), json!([1]), json!(null)] {
        assert_eq!(with("redirect_uris", value.clone()), Err(Code::InvalidRedirectUri), "{value}");
    }
    for uri in [
        "/callback",
        "//a.example/callback",
        "a.example/callback",
        "https://a.example/#fragment",
        "https://a.example/#",
        "https://user@a.example/",
        "https://user:pass@a.example/",
        "https://@a.example/",
        "http://a.example/",
        "http://127.0.0.1.a.example/",
        "http://127.0.0.2/",
        "http://localhost.a.example/",
        "http://0.0.0.0/",
        "http://127.1/",
        "http://2130706433/",
        "http://[::ffff:127.0.0.1]/",
        "https:a.example",
        "https:///a.example/",
        "https://",
        "https://a.example\\evil",
        "https://a.example/ x",
        "https://a;b.example/",
        "https://a.example/\n",
        "javascript:alert(1)",
        "data:text/html,x",
        "cursor://anysphere/callback",
        "com.example.app:/callback",
        "file:///etc/passwd",
        "urn:ietf:wg:oauth:2.0:oob",
    ] {
        assert_eq!(with("redirect_uris", json!([uri])), Err(Code::InvalidRedirectUri), "{uri}");
        let beside = json!(["https://good.example/", uri]);
        assert_eq!(with("redirect_uris", beside), Err(Code::InvalidRedirectUri), "{uri}");
    }
}

#[test]
fn r3_https_anywhere_and_http_on_this_machine_are_accepted() {
    for uri in [
        "https://a.example/callback?x=1",
        "https://a.example:8443/",
        "https://10.0.0.1/cb",
        "http://localhost/cb",
        "http://localhost:1/cb",
        "http://127.0.0.1:65535/cb",
        "http://127.0.0.1/cb",
        "http://[::1]:3000/cb",
        "http://[::1]/cb",
    ] {
        assert!(with("redirect_uris", json!([uri])).is_ok(), "{uri}");
    }
}

#[test]
fn r4_clients_are_public() {
    for method in ["client_secret_basic", "client_secret_post", "private_key_jwt", ""] {
        assert_eq!(with("token_endpoint_auth_method", json!(method)), Err(Code::InvalidClientMetadata));
    }
    assert_eq!(without("token_endpoint_auth_method").unwrap().token_endpoint_auth_method, "none");
}

#[test]
fn r5_only_a_code_and_a_refresh_token_can_be_asked_for() {
    for grants in [
        json!(["client_credentials"]),
        json!(["authorization_code", "implicit"]),
        json!(["refresh_token"]),
        json!([]),
        json!("authorization_code"),
    ] {
        assert_eq!(with("grant_types", grants.clone()), Err(Code::InvalidClientMetadata), "{grants}");
    }
    for responses in [json!(["token"]), json!(["code", "token"]), json!([]), json!(1)] {
        assert_eq!(with("response_types", responses.clone()), Err(Code::InvalidClientMetadata), "{responses}");
    }
    assert_eq!(without("grant_types").unwrap().grant_types, ["authorization_code", "refresh_token"]);
    assert_eq!(without("response_types").unwrap().response_types, ["code"]);
}

#[test]
fn r6_unknown_members_are_ignored_and_any_application_type_will_do() {
    let metadata = with("tos_uri", json!("https://a.example/tos")).unwrap();
    assert!(json!(metadata).get("tos_uri").is_none());
    assert_eq!(with("application_type", json!("web")).unwrap().application_type.as_deref(), Some("web"));
    assert_eq!(without("application_type").unwrap().application_type, None);
}

#[test]
fn r7_what_is_malformed_or_too_much_is_refused() {
    for body in ["", "{", "[]", "null", "{\"redirect_uris\":[\"https://a.example/\"],\"redirect_uris\":[]}"] {
        assert_eq!(read(body.as_bytes()).unwrap_err().code, Code::InvalidClientMetadata, "{body}");
    }
    let many: Vec<String> = (0..11).map(|n| format!("https://a.example/{n}")).collect();
    assert_eq!(with("redirect_uris", json!(many)), Err(Code::InvalidClientMetadata));
    assert_eq!(with("client_name", json!("n".repeat(201))), Err(Code::InvalidClientMetadata));
    assert_eq!(with("client_name", json!(7)), Err(Code::InvalidClientMetadata));
    assert_eq!(with("client_name", json!("n".repeat(LONGEST_BODY))), Err(Code::TooLarge));
}

#[test]
fn r8_a_software_statement_is_ignored() {
    let metadata = with("software_statement", json!("not.a.jwt")).unwrap();
    assert!(json!(metadata).get("software_statement").is_none());
}
