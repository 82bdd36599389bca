//! The two discovery documents, RFC 9728 and RFC 8414. Every address comes from the configuration.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use model::scope::{Scope, ScopeSet};
use serde_json::{Value, json};
use service::config::Config;
use service::oauth::Authority;
use service::oauth::token_request::GrantType;

/// Where the protected-resource document is, in the form that belongs to the MCP endpoint (RFC 9728 3.1).
pub(crate) fn resource_metadata_url(config: &Config) -> String {
    format!("{}/.well-known/oauth-protected-resource/mcp", config.public_url)
}

pub(super) async fn resource(State(authority): State<Authority>) -> Response {
    document(&protected_resource(authority.config()))
}

pub(super) async fn server(State(authority): State<Authority>) -> Response {
    document(&authorization_server(authority.config()))
}

/// RFC 9728 2. `scopes_supported` is the least a client needs: clients ask for all they read here.
pub(crate) fn protected_resource(config: &Config) -> Value {
    let scopes: Vec<&str> = ScopeSet::default_grant().iter().map(Scope::as_str).collect();
    json!({
        "resource": config.mcp_url(),
        "authorization_servers": [&*config.public_url],
        "scopes_supported": scopes,
        "bearer_methods_supported": ["header"],
        "resource_name": "Espalier",
        "resource_documentation": format!("{}/openapi.json", config.base_url()),
    })
}

/// RFC 8414 2, with RFC 7591, 7009, 7636 and 9207.
pub(crate) fn authorization_server(config: &Config) -> Value {
    let issuer = &*config.public_url;
    let scopes: Vec<&str> = ScopeSet::all().iter().map(Scope::as_str).collect();
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/oauth/token"),
        "registration_endpoint": format!("{issuer}/oauth/register"),
        "revocation_endpoint": format!("{issuer}/oauth/revoke"),
        "scopes_supported": scopes,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GrantType::names(),
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [config.mcp_url()],
        "service_documentation": format!("{}/openapi.json", config.base_url()),
    });
    // Clients that read this come with a document's address and do not register, so it is said only where it is true.
    if config.client_documents.is_some() {
        document["client_id_metadata_document_supported"] = json!(true);
    }
    document
}

fn document(value: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=300")];
    (headers, value.to_string()).into_response()
}
