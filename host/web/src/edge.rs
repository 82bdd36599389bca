//! The public edges: what anybody may ask without a token, each in the shape of its own surface. They run no module.

mod bot;
pub(crate) mod connect;
mod links;
mod recipients;
mod shares;
mod unsubscribe;
mod uploads;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get, put};
use http::header::{ALLOW, CACHE_CONTROL, REFERRER_POLICY, RETRY_AFTER};
use http::{HeaderName, HeaderValue, StatusCode};
use service::Service;
use service::edges::Surface;
use service::limits::Standing;

use crate::context::rate_headers;
use crate::oauth::address::address;
use crate::portal::page::problem;

const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// Every route of the edges.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(service: Service) -> Router<S> {
    Router::new()
        .route("/bot", get(bot::get).fallback(|| async { other_method("GET, HEAD") }))
        .route("/uploads/{token}", put(uploads::put).fallback(uploads::other_method))
        .route("/l/{code}", get(links::get).fallback(|| async { other_method("GET, HEAD") }))
        .route("/r/{share}", get(shares::get).post(shares::post).fallback(|| async { other_method("GET, HEAD, POST") }))
        .route(
            "/u/{token}",
            get(unsubscribe::get).post(unsubscribe::post).fallback(|| async { other_method("GET, HEAD, POST") }),
        )
        .route(
            "/c/{token}",
            get(recipients::get).post(recipients::post).fallback(|| async { other_method("GET, HEAD, POST") }),
        )
        .route("/connect/callback", get(connect::get).fallback(|| async { other_method("GET") }))
        .route("/c/", any(|| async { not_here() }))
        .route("/l/", any(|| async { not_here() }))
        .route("/r/", any(|| async { not_here() }))
        .route("/u/", any(|| async { not_here() }))
        .with_state(service)
}

/// Counts a request of an address; the page of a full window, where it has come to that.
fn full(service: &Service, surface: Surface, request: &Request) -> Option<Response> {
    service.edges.admit_visitor(surface, &address(service.core.config(), request)).err().map(too_often)
}

fn too_often(standing: Standing) -> Response {
    let words = format!("Too many requests came from your network. Try again in {} seconds.", standing.reset);
    let mut response = problem(StatusCode::TOO_MANY_REQUESTS, "One moment, please", &words);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(standing.reset));
    rate_headers(response.headers_mut(), standing);
    unlisted(response)
}

/// A code or token that leads nowhere. It is the same page for one that never was, that is paused and that is over.
fn not_here() -> Response {
    unlisted(problem(StatusCode::NOT_FOUND, "Nothing is here", "The address may be wrong, or its time may be over."))
}

fn other_method(allowed: &'static str) -> Response {
    let mut response = (StatusCode::METHOD_NOT_ALLOWED, [(CACHE_CONTROL, "no-store")]).into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    unlisted(response)
}

/// No search engine lists it, and no address of ours goes on to where it leads.
fn unlisted(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex, nofollow, noarchive"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// The page for a store that does not answer.
fn unavailable() -> Response {
    let words = "The service cannot answer at the moment. Try again in a few seconds.";
    let mut response = problem(StatusCode::SERVICE_UNAVAILABLE, "One moment, please", words);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
    unlisted(response)
}

#[cfg(test)]
pub(crate) mod tests;
