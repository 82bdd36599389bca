//! `/l/{code}`: sends a visitor on, and says to nobody but the module that somebody came by.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{ACCEPT, ACCEPT_LANGUAGE, CACHE_CONTROL, LOCATION, REFERER, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use service::Service;
use service::edges::Surface;
use service::edges::links::Visit;

use super::{full, not_here, unavailable, unlisted};
use crate::oauth::address::address;

/// What browsers and proxies say of a request that nobody asked for yet: the Fetch standard's header, and two older.
const FETCHED_AHEAD: [HeaderName; 3] =
    [HeaderName::from_static("sec-purpose"), HeaderName::from_static("purpose"), HeaderName::from_static("x-moz")];

/// 302, so that the next visit comes by again, and kept by no cache, for the same reason.
pub(super) async fn get(State(service): State<Service>, Path(code): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Links, &request) {
        return response;
    }
    match service.edges.follow_link(&code, visit(&service, &request)).await {
        Ok(Some(location)) => match HeaderValue::from_str(&location) {
            Ok(location) => {
                unlisted((StatusCode::FOUND, [(LOCATION, location)], [(CACHE_CONTROL, "no-store")]).into_response())
            }
            Err(_) => not_here(),
        },
        Ok(None) => not_here(),
        Err(_) => unavailable(),
    }
}

fn visit(service: &Service, request: &Request) -> Visit {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Visit {
        address: address(service.core.config(), request),
        head: request.method() == Method::HEAD,
        prefetch: is_ahead(headers),
        bare: !headers.contains_key(ACCEPT_LANGUAGE) || !headers.contains_key(ACCEPT),
        agent: text(USER_AGENT).unwrap_or_default(),
        referrer: text(REFERER),
        query: request.uri().query().map(str::to_owned),
    }
}

fn is_ahead(headers: &HeaderMap) -> bool {
    let says = |value: &HeaderValue| {
        let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        text.contains("prefetch") || text.contains("prerender") || text.contains("preview")
    };
    FETCHED_AHEAD.iter().any(|name| headers.get_all(name).iter().any(says))
}
