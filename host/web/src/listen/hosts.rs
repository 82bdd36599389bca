//! A request names one host, and nothing else in that place (RFC 9110, 7.2; RFC 9112, 3.2).

use axum::extract::Request;
use axum::response::Response;
use http::Version;
use http::header::HOST;
use http::uri::Authority;
use model::refusal::Refusal;
use service::Service;

use crate::context::Context;

/// What is wrong with the request's `Host`, if anything is.
pub(super) fn fault(request: &Request) -> Option<&'static str> {
    let mut named = request.headers().get_all(HOST).iter();
    let Some(host) = named.next() else {
        // Only since 1.1 has every request one; a probe of 1.0 is answered.
        return (request.version() > Version::HTTP_10).then_some("the request names no Host");
    };
    if named.next().is_some() {
        return Some("the request names more than one Host");
    }
    let read = host.to_str().ok().and_then(|text| text.parse::<Authority>().ok());
    match read {
        Some(authority) if !authority.as_str().contains('@') => None,
        _ => Some("the Host of the request is none"),
    }
}

/// The answer to such a request; the connection ends with it, since what it means is not sure.
pub(super) fn refuse(service: &Service, what: &'static str) -> Response {
    let mut response = Context::new(service).refuse(Refusal::malformed(what));
    response.headers_mut().insert(http::header::CONNECTION, http::HeaderValue::from_static("close"));
    response
}
