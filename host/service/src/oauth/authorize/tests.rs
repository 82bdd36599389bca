//! Tests of `authorize`.

use model::clock::Moment;
use model::scope::Scope;
use store::identity::clients::ClientMetadata;

use super::*;

const AUDIENCE: &str = "https://espalier.example/mcp";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(super) fn client(redirect_uris: &[&str]) -> Client {
    Client {
        id: ClientId::from("cli_test"),
        metadata: ClientMetadata {
            client_name: Some("Test".to_owned()),
            redirect_uris: redirect_uris.iter().map(|&uri| uri.to_owned()).collect(),
            application_type: None,
            grant_types: vec!["authorization_code".to_owned()],
            response_types: vec!["code".to_owned()],
            token_endpoint_auth_method: "none".to_owned(),
            scope: None,
        },
        created_at: Moment(0),
    }
}

fn query(changes: &[(&str, Option<&str>)]) -> String {
    let usual = [
        ("response_type", "code"),
        ("client_id", "cli_test"),
        ("redirect_uri", "https://app.example/back?tenant=1"),
        ("state", "s t/a"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", AUDIENCE),
    ];
    let mut text = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in usual {
        match changes.iter().find(|(changed, _)| *changed == name) {
            Some((_, None)) => {}
            Some((_, Some(value))) => drop(text.append_pair(name, value)),
            None => drop(text.append_pair(name, value)),
        }
    }
    for (name, value) in changes {
        if let (false, Some(value)) = (usual.iter().any(|(known, _)| known == name), value) {
            text.append_pair(name, value);
        }
    }
    text.finish()
}

fn decided(changes: &[(&str, Option<&str>)]) -> Decision {
    decide(&query(changes), Some(client(&["https://app.example/back?tenant=1"])), AUDIENCE)
}

#[track_caller]
fn check_page(decision: &Decision, expected: PageFault) {
    match decision {
        Decision::Page(fault) => assert_eq!(*fault, expected),
        other => panic!("a redirect, or a question: {other:?}"),
    }
}

#[track_caller]
fn check_back(decision: &Decision, expected: Code) {
    match decision {
        Decision::Back(back) => {
            assert_eq!(back.fault.code, expected, "{}", back.fault.description);
            assert_eq!(back.state.as_deref(), Some("s t/a"));
            assert_eq!(back.redirect_uri.as_str(), "https://app.example/back?tenant=1");
        }
        other => panic!("not a redirect with an error: {other:?}"),
    }
}

#[track_caller]
fn asked(decision: Decision) -> AuthorizationRequest {
    match decision {
        Decision::Ask(request) => *request,
        other => panic!("not put before the customer: {other:?}"),
    }
}

#[test]
fn a1_an_unknown_client_gets_a_page_and_no_redirect() {
    check_page(&decide(&query(&[]), None, AUDIENCE), PageFault::ClientUnknown);
    check_page(&decided(&[("client_id", None)]), PageFault::ClientUnclear);
}

#[test]
fn a1_an_address_that_is_not_registered_gets_a_page_and_no_redirect() {
    for uri in [
        "https://app.example/back",
        "https://app.example/back?tenant=2",
        "https://app.example/back?tenant=1&more=1",
        "https://app.example/back?tenant=1#",
        "https://app.example./back?tenant=1",
        "https://app.example:443/back?tenant=1",
        "https://APP.example/back?tenant=1",
        "http://app.example/back?tenant=1",
        "https://user@app.example/back?tenant=1",
        "https://app.example@evil.example/back?tenant=1",
        "https://app.example\\@evil.example/back?tenant=1",
        "https://evil.example/back?tenant=1",
        "//app.example/back?tenant=1",
        "javascript:alert(1)",
        " https://app.example/back?tenant=1",
    ] {
        check_page(&decided(&[("redirect_uri", Some(uri))]), PageFault::RedirectUnknown);
    }
}

#[test]
fn a1_on_this_machine_the_port_may_differ_and_nothing_else() {
    let admitted = |asked: &str| {
        let known = client(&["http://127.0.0.1:3000/back?x=1", "http://[::1]/back"]);
        matches!(decide(&query(&[("redirect_uri", Some(asked))]), Some(known), AUDIENCE), Decision::Ask(_))
    };
    for uri in [
        "http://127.0.0.1:3000/back?x=1",
        "http://127.0.0.1:49152/back?x=1",
        "http://127.0.0.1/back?x=1",
        "http://[::1]:8080/back",
    ] {
        assert!(admitted(uri), "{uri}");
    }
    for uri in [
        "http://localhost:3000/back?x=1",
        "https://127.0.0.1:3000/back?x=1",
        "http://127.0.0.1:3000/back?x=2",
        "http://127.0.0.1:3000/Back?x=1",
        "http://127.0.0.1:3000/back/?x=1",
        "http://127.0.0.2:3000/back?x=1",
        "http://127.0.0.1:3000@evil.example/back?x=1",
        "http://127.1:3000/back?x=1",
    ] {
        assert!(!admitted(uri), "{uri}");
    }
}

#[test]
fn a1_a_missing_address_is_the_only_registered_one_or_a_page() {
    let request = asked(decided(&[("redirect_uri", None)]));
    assert!(!request.redirect_given);
    assert_eq!(request.redirect_uri.as_str(), "https://app.example/back?tenant=1");
    let several = client(&["https://app.example/a", "https://app.example/b"]);
    check_page(&decide(&query(&[("redirect_uri", None)]), Some(several), AUDIENCE), PageFault::RedirectUnclear);
}

#[test]
fn a2_the_response_type_is_code() {
    check_back(&decided(&[("response_type", None)]), Code::InvalidRequest);
    check_back(&decided(&[("response_type", Some("token"))]), Code::UnsupportedResponseType);
    check_back(&decided(&[("response_type", Some("code token"))]), Code::UnsupportedResponseType);
}

#[test]
fn a3_the_challenge_is_s256_and_43_characters() {
    check_back(&decided(&[("code_challenge", None)]), Code::InvalidRequest);
    check_back(&decided(&[("code_challenge", Some("short"))]), Code::InvalidRequest);
    check_back(&decided(&[("code_challenge", Some(&format!("{CHALLENGE}A")))]), Code::InvalidRequest);
    check_back(&decided(&[("code_challenge", Some(&CHALLENGE.replace('-', "+")))]), Code::InvalidRequest);
    check_back(&decided(&[("code_challenge_method", None)]), Code::InvalidRequest);
    check_back(&decided(&[("code_challenge_method", Some("plain"))]), Code::InvalidRequest);
}

#[test]
fn a4_the_resource_is_ours_or_absent() {
    assert_eq!(asked(decided(&[("resource", None)])).resource, AUDIENCE);
    assert_eq!(asked(decided(&[("resource", Some("HTTPS://Espalier.Example/mcp"))])).resource, AUDIENCE);
    for other in [
        "https://espalier.example/v1",
        "https://espalier.example/mcp/",
        "https://espalier.example/mcp#x",
        "/mcp",
        "https://evil.example/mcp",
    ] {
        check_back(&decided(&[("resource", Some(other))]), Code::InvalidTarget);
    }
}

#[test]
fn a5_no_scope_means_the_four_defaults() {
    assert_eq!(asked(decided(&[])).scopes, ScopeSet::default_grant());
    assert_eq!(asked(decided(&[("scope", Some(""))])).scopes, ScopeSet::default_grant());
    let one = asked(decided(&[("scope", Some("assets:write"))])).scopes;
    assert_eq!(one, [Scope::AssetsWrite].into_iter().collect());
    check_back(&decided(&[("scope", Some("assets:write root"))]), Code::InvalidScope);
    check_back(&decided(&[("scope", Some("offline_access"))]), Code::InvalidScope);
}

#[test]
fn a6_a_parameter_twice_is_refused() {
    let decide = |text: String| decide(&text, Some(client(&["https://app.example/back?tenant=1"])), AUDIENCE);
    for name in ["scope=a&scope=a", "response_type=code", "code_challenge_method=S256"] {
        check_back(&decide(format!("{}&{name}", query(&[]))), Code::InvalidRequest);
    }
    check_page(&decide(format!("{}&client_id=cli_test", query(&[]))), PageFault::ClientUnclear);
    check_page(&decide(format!("{}&redirect_uri=x", query(&[]))), PageFault::RedirectUnclear);
    let same = format!("{}&resource=https%3A%2F%2Fespalier.example%2Fmcp", query(&[]));
    assert!(matches!(decide(same), Decision::Ask(_)));
    check_back(&decide(format!("{}&resource=https%3A%2F%2Fother.example", query(&[]))), Code::InvalidTarget);
    match decide(format!("{}&state=other", query(&[]))) {
        Decision::Back(Back { state: None, fault, .. }) => assert_eq!(fault.code, Code::InvalidRequest),
        other => panic!("a state that is not certain was used: {other:?}"),
    }
}
