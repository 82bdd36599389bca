//! Dynamic client registration, RFC 7591.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use service::oauth::Authority;
use service::oauth::fault::{Code, Fault};
use service::oauth::register::LONGEST_BODY;

use super::address::address;
use super::{body, media_type, private_json, refuse};

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    match register(&authority, request).await {
        Ok(response) => response,
        Err(fault) => refuse(&fault),
    }
}

async fn register(authority: &Authority, request: Request) -> Result<Response, Fault> {
    if media_type(request.headers()).as_deref() != Some("application/json") {
        return Err(Fault::new(Code::InvalidClientMetadata, "a registration has to be application/json"));
    }
    let address = address(authority.config(), &request);
    let bytes = body(request.into_body(), LONGEST_BODY).await?;
    let client = authority.register(&bytes, &address).await?;
    let mut answer = json!(client.metadata);
    answer["client_id"] = json!(client.id);
    answer["client_id_issued_at"] = json!(client.created_at.0.div_euclid(1_000));
    Ok(private_json(StatusCode::CREATED, &answer))
}
