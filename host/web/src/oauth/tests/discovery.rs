//! D1 to D4: the two documents.

use super::*;

#[tokio::test]
async fn d1_the_resource_document_is_at_both_addresses_and_names_the_least_scopes() {
    let world = World::new().await;
    for path in ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"] {
        let answer = world.get(path).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
        let document = answer.json();
        assert_eq!(document["resource"], MCP);
        assert_eq!(document["authorization_servers"], json!([ISSUER]));
        assert_eq!(
            document["scopes_supported"],
            json!(["account:read", "websites:read", "assets:read", "seo:analyze"])
        );
        assert_eq!(document["bearer_methods_supported"], json!(["header"]));
        assert!(document["resource_name"].is_string());
    }
}

#[tokio::test]
async fn d2_the_server_document_says_what_the_server_does_and_no_more() {
    let world = World::new().await;
    let answer = world.get("/.well-known/oauth-authorization-server").await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
    let document = answer.json();
    assert_eq!(document["issuer"], ISSUER);
    for (name, path) in [
        ("authorization_endpoint", "/oauth/authorize"),
        ("token_endpoint", "/oauth/token"),
        ("registration_endpoint", "/oauth/register"),
        ("revocation_endpoint", "/oauth/revoke"),
    ] {
        assert_eq!(document[name], format!("{ISSUER}{path}"));
    }
    assert_eq!(document["scopes_supported"].as_array().unwrap().len(), 13);
    assert_eq!(document["response_types_supported"], json!(["code"]));
    assert_eq!(document["response_modes_supported"], json!(["query"]));
    assert_eq!(document["grant_types_supported"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(document["token_endpoint_auth_methods_supported"], json!(["none"]));
    assert_eq!(document["revocation_endpoint_auth_methods_supported"], json!(["none"]));
    assert_eq!(document["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(document["authorization_response_iss_parameter_supported"], json!(true));
    assert!(document.get("client_id_metadata_document_supported").is_none());
}

#[tokio::test]
async fn d3_addresses_never_come_from_the_host_header_and_any_page_may_read_them() {
    let world = World::new().await;
    for path in ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"] {
        let request = Request::get(path).header("host", "evil.example").header("x-forwarded-host", "evil.example");
        let answer = world.send(request.body(Body::empty()).unwrap()).await;
        assert!(!answer.text.contains("evil.example"));
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
    for path in ["/.well-known/oauth-authorization-server", "/oauth/register", "/oauth/token", "/oauth/revoke"] {
        let request = Request::options(path).header("origin", "https://app.example");
        let answer = world.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert!(answer.header("access-control-allow-headers").contains("content-type"));
    }
}

#[tokio::test]
async fn d4_other_well_known_addresses_are_not_found() {
    let world = World::new().await;
    for path in [
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/oauth-protected-resource/v1",
        "/.well-known/",
    ] {
        assert_eq!(world.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn v6_tokens_say_nothing_to_anybody_and_nobody_can_ask_what_they_are() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    for token in [&pair.access, &pair.refresh] {
        assert!(!token.contains('.'), "not a JWT");
    }
    let document = world.get("/.well-known/oauth-authorization-server").await.json();
    for absent in ["introspection_endpoint", "jwks_uri", "userinfo_endpoint"] {
        assert!(document.get(absent).is_none(), "{absent}");
    }
    assert_eq!(world.post_form("/oauth/introspect", &[("token", &pair.access)]).await.status, StatusCode::NOT_FOUND);
}
