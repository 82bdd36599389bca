//! The token endpoint, RFC 6749 3.2.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::response::Response;
use serde_json::json;
use service::oauth::Authority;
use service::oauth::fault::{Code, Fault};

use super::address::address;
use super::{form, private_json, refuse};

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    match exchange(&authority, request).await {
        Ok(response) => response,
        Err(fault) => refuse(&fault),
    }
}

async fn exchange(authority: &Authority, request: Request) -> Result<Response, Fault> {
    no_authentication(&request)?;
    let address = address(authority.config(), &request);
    let issued = authority.exchange(&form(request).await?, &address).await?;
    let mut answer = json!({
        "access_token": issued.access_token.reveal(),
        "token_type": "Bearer",
        "expires_in": issued.expires_in,
        "scope": issued.scopes.to_string(),
    });
    if let Some(refresh) = &issued.refresh_token {
        answer["refresh_token"] = json!(refresh.reveal());
    }
    Ok(private_json(StatusCode::OK, &answer))
}

/// Clients are public: one that authenticates has been set up for another server.
pub(super) fn no_authentication(request: &Request) -> Result<(), Fault> {
    match request.headers().get(AUTHORIZATION) {
        None => Ok(()),
        Some(_) => Err(Fault::new(Code::InvalidClient, "clients are public here; do not send an Authorization header")),
    }
}
