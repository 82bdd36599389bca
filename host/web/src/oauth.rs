//! The endpoints of the authorization server. Its rules are in `service::oauth`; here they become HTTP.

pub(crate) mod address;
pub(crate) mod authorize;
pub(crate) mod challenge;
pub(crate) mod metadata;
pub(crate) mod register;
pub(crate) mod revoke;
pub(crate) mod sign_in;
pub(crate) mod token;
mod upstream;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde_json::{Value, json};
use service::oauth::Authority;
use service::oauth::fault::{Code, Fault};

use crate::context::rate_headers;

/// Every route of the authorization server.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(authority: Authority) -> Router<S> {
    Router::new()
        .route("/.well-known/oauth-protected-resource", open(get(metadata::resource), "GET"))
        .route("/.well-known/oauth-protected-resource/mcp", open(get(metadata::resource), "GET"))
        .route("/.well-known/oauth-authorization-server", open(get(metadata::server), "GET"))
        .route("/oauth/register", open(post(register::post), "POST"))
        .route("/oauth/token", open(post(token::post), "POST"))
        .route("/oauth/revoke", open(post(revoke::post), "POST"))
        .route("/oauth/authorize", get(authorize::get).post(authorize::post))
        .route("/sign-in", get(sign_in::get).post(sign_in::post))
        .route("/sign-in/with", get(upstream::leave))
        .route("/sign-in/callback", get(upstream::come_back))
        .route("/sign-out", post(sign_in::out))
        .with_state(authority)
}

/// A route that any page may call: no cookie is read there, and every secret is in the body.
fn open(route: MethodRouter<Authority>, method: &'static str) -> MethodRouter<Authority> {
    route
        .fallback(move |asked: Method| async move {
            if asked == Method::OPTIONS {
                let allow = [(ACCESS_CONTROL_ALLOW_METHODS, format!("{method}, OPTIONS"))];
                let fixed = [
                    (ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, mcp-protocol-version"),
                    (ACCESS_CONTROL_MAX_AGE, "86400"),
                ];
                return (StatusCode::NO_CONTENT, allow, fixed).into_response();
            }
            let fault = Fault::new(Code::InvalidRequest, format!("this endpoint answers {method} only"));
            let mut response = refuse(&fault);
            *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(method));
            response
        })
        .layer(axum::middleware::map_response(async |mut response: Response| {
            let headers = response.headers_mut();
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(
                ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static("www-authenticate, retry-after, ratelimit, ratelimit-policy"),
            );
            response
        }))
}

/// JSON that no cache keeps (RFC 6749 5.1).
fn private_json(status: StatusCode, body: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store"), (PRAGMA, "no-cache")];
    (status, headers, body.to_string()).into_response()
}

/// A fault as the OAuth RFCs write it.
fn refuse(fault: &Fault) -> Response {
    let status = match fault.code {
        Code::InvalidClient => StatusCode::UNAUTHORIZED,
        Code::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::SlowDown => StatusCode::TOO_MANY_REQUESTS,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::InvalidRequest
        | Code::InvalidGrant
        | Code::UnauthorizedClient
        | Code::UnsupportedGrantType
        | Code::UnsupportedResponseType
        | Code::InvalidScope
        | Code::InvalidTarget
        | Code::AccessDenied
        | Code::InvalidRedirectUri
        | Code::InvalidClientMetadata => StatusCode::BAD_REQUEST,
    };
    let body = json!({ "error": fault.code.as_str(), "error_description": fault.description });
    let mut response = private_json(status, &body);
    if status == StatusCode::UNAUTHORIZED {
        // RFC 9110 11.6.1 wants a scheme named, RFC 6749 5.2 the one that was tried. There is no password to give.
        response
            .headers_mut()
            .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"public clients only\""));
    }
    if let Some(seconds) = fault.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if let Some(standing) = &fault.limit {
        rate_headers(response.headers_mut(), **standing);
    }
    response
}

/// Bytes of a form, at most.
const LONGEST_FORM: usize = 64 * 1024;

/// The text of a form, if it is one.
pub(crate) async fn form(request: Request) -> Result<String, Fault> {
    if media_type(request.headers()) != Some("application/x-www-form-urlencoded".to_owned()) {
        return Err(Fault::new(Code::InvalidRequest, "the body has to be application/x-www-form-urlencoded"));
    }
    let bytes = body(request.into_body(), LONGEST_FORM).await?;
    String::from_utf8(bytes).map_err(|_| Fault::new(Code::InvalidRequest, "the form is not UTF-8"))
}

/// The whole body, if it is short enough.
async fn body(body: Body, most: usize) -> Result<Vec<u8>, Fault> {
    match to_bytes(body, most).await {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(_) => Err(Fault::new(Code::TooLarge, "the body is too large or was cut off")),
    }
}

/// The one media type of a body, without its parameters, in lower case.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (first, second) = (values.next()?, values.next());
    if second.is_some() {
        return None;
    }
    let text = first.to_str().ok()?.split(';').next()?;
    Some(text.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
