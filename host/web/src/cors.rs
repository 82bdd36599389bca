//! What browsers may do: call the two doors from configured origins, and read what an answer says of itself.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use service::Service;
use service::config::Config;

/// What a page may send.
const SENT: &str = "authorization, content-type, idempotency-key, service-intent-ref, service-contract-digest, \
                    accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id";
/// What a page may read.
const READ: &str = "x-request-id, service-catalog-digest, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, \
                    www-authenticate, allow";
/// Seconds that a browser may keep the answer to its question.
const KEPT: &str = "600";

/// Answers a browser's question whether it may ask, and marks the answers it may read.
pub(crate) async fn cors(State(service): State<Service>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN).cloned();
    let allowed = origin.filter(|origin| origin.to_str().is_ok_and(|origin| may_read(service.core.config(), origin)));
    let Some(origin) = allowed else {
        let mut response = next.run(request).await;
        response.headers_mut().append(VARY, HeaderValue::from_static("origin"));
        return response;
    };
    let asks = request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if asks {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(SENT));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(KEPT));
        response
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(READ));
    headers.append(VARY, HeaderValue::from_static("origin"));
    response
}

/// Whether a page of this origin may read answers. A service on the loopback interface serves the pages of this machine.
fn may_read(config: &Config, origin: &str) -> bool {
    is_configured(config, origin) || (is_loopback(&config.public_url) && is_loopback(origin))
}

fn is_configured(config: &Config, origin: &str) -> bool {
    config.cors_origins.iter().any(|known| known == origin)
}

/// Whether the origin of a request is one we know, for the MCP endpoint: a page of a strange origin that
/// reached us by a rebound name is refused (MCP 2025-11-25 and later, transports, security).
/// A request without an origin does not come from a page.
pub(crate) fn origin_is_known(config: &Config, headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    let Some(origin) = origin.to_str().ok().filter(|_| origins.next().is_none()) else { return false };
    if is_configured(config, origin) || origin == &*config.public_url {
        return true;
    }
    // A service that is itself on the loopback interface serves the pages and tools of this machine.
    is_loopback(&config.public_url) && is_loopback(origin)
}

fn is_loopback(address: &str) -> bool {
    let Ok(address) = url::Url::parse(address) else { return false };
    match address.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
