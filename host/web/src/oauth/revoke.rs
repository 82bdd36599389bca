//! Revocation, RFC 7009.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, PRAGMA};
use axum::response::{IntoResponse, Response};
use service::oauth::Authority;
use service::oauth::fault::Fault;

use super::address::address;
use super::token::no_authentication;
use super::{form, refuse};

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    match revoke(&authority, request).await {
        Ok(()) => (StatusCode::OK, [(CACHE_CONTROL, "no-store"), (PRAGMA, "no-cache")]).into_response(),
        Err(fault) => refuse(&fault),
    }
}

async fn revoke(authority: &Authority, request: Request) -> Result<(), Fault> {
    no_authentication(&request)?;
    let address = address(authority.config(), &request);
    authority.revoke(&form(request).await?, &address).await
}
