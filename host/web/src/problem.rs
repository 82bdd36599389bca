//! The only place where a refusal becomes a status: one table, one envelope, and the one log line of a failure.

use axum::body::Body;
use axum::response::Response;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use model::id::RequestId;
use model::refusal::{About, Class, Refusal};
use model::scope::ScopeSet;
use serde_json::Value;
use service::config::Config;

use crate::bearer;
use crate::context::{IDEMPOTENT_REPLAYED, rate_limit};

/// The status of each class.
pub(crate) fn status(class: Class) -> StatusCode {
    match class {
        Class::Malformed => StatusCode::BAD_REQUEST,
        Class::Unauthenticated => StatusCode::UNAUTHORIZED,
        Class::Payment => StatusCode::PAYMENT_REQUIRED,
        Class::Forbidden => StatusCode::FORBIDDEN,
        Class::NotFound => StatusCode::NOT_FOUND,
        Class::Method => StatusCode::METHOD_NOT_ALLOWED,
        Class::Conflict => StatusCode::CONFLICT,
        Class::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Class::Media => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Class::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Class::Limited => StatusCode::TOO_MANY_REQUESTS,
        Class::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Class::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// A refusal as it is told: of a replayed one, the first request's envelope to the letter.
pub(crate) struct Told {
    /// The error envelope.
    pub(crate) body: String,
    /// Whether an earlier request was refused in these words.
    pub(crate) replayed: bool,
}

/// Writes the error envelope and logs what is ours.
pub(crate) fn tell(refusal: &Refusal, request: &RequestId) -> Told {
    match refusal.class {
        Class::Unavailable if refusal.about.as_deref() == Some(&About::Building) => {
            tracing::debug!(request.id = %request, code = %refusal.code, "a module is still being built");
        }
        Class::Internal | Class::Unavailable => {
            tracing::error!(request.id = %request, code = %refusal.code, "a request failed on our side");
        }
        Class::Malformed
        | Class::Unauthenticated
        | Class::Payment
        | Class::Forbidden
        | Class::NotFound
        | Class::Method
        | Class::Conflict
        | Class::TooLarge
        | Class::Media
        | Class::Invalid
        | Class::Limited => {
            tracing::debug!(request.id = %request, code = %refusal.code, "a request was refused");
        }
    }
    let mut body = format!(
        "{{\"error\":{{\"code\":{},\"message\":{}",
        Value::from(&*refusal.code),
        Value::from(refusal.message.as_str())
    );
    for (name, value) in refusal.members() {
        body.push_str(&format!(",{}:{value}", Value::from(name.as_str())));
    }
    body.push_str(&format!(
        "}},\"request_id\":{}}}",
        Value::from(refusal.first.as_deref().unwrap_or(request).as_str())
    ));
    Told { body, replayed: refusal.first.is_some() }
}

/// The answer over HTTP. `held` is for the challenge, as [`bearer::challenge`] says.
pub(crate) fn respond(config: &Config, refusal: Refusal, request: &RequestId, held: &ScopeSet) -> Response {
    let told = tell(&refusal, request);
    let mut response = Response::new(Body::from(told.body));
    *response.status_mut() = status(refusal.class);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if told.replayed {
        headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    if let Some(challenge) = bearer::challenge(config, &refusal, held) {
        headers.insert(WWW_AUTHENTICATE, challenge);
    }
    if let Some(seconds) = refusal.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    match refusal.about.as_deref() {
        Some(About::Methods(allowed)) => {
            if let Ok(allowed) = HeaderValue::from_str(allowed) {
                headers.insert(ALLOW, allowed);
            }
        }
        Some(About::Limit { limit, quota, window_seconds }) => {
            let left = (0, refusal.retry_after.unwrap_or_default());
            rate_limit(headers, limit, (*quota, *window_seconds), left);
        }
        Some(About::Scopes { .. } | About::Nearest(_) | About::Building) | None => {}
    }
    response
}

#[cfg(test)]
mod tests;
