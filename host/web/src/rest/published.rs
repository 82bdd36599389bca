//! The public contract as it is published: whole, packed for who takes that, and not at all for who has it.

use std::io::Write as _;

use axum::body::Body;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use http::{HeaderMap, HeaderValue, StatusCode};
use model::token::hex;
use sha2::{Digest as _, Sha256};

use super::openapi;
use crate::context::Context;

/// Answers with the contract. It needs no token and costs nothing.
pub(super) fn contract(context: &Context<'_>, asked: &HeaderMap) -> Response {
    let generation = context.service.core.catalog().current();
    let document = openapi::document(context.service.core.config(), &generation.api_version).to_string();
    // One tag for both encodings would be a weak one (RFC 9110, 8.8.3).
    let tag = format!("W/\"{}\"", hex(&Sha256::digest(&document)[..16]));
    let mut response = if has(asked, &tag) {
        let mut response = context.json(StatusCode::NOT_MODIFIED, Body::empty());
        response.headers_mut().remove(CONTENT_TYPE);
        response
    } else {
        match packed(asked, &document) {
            Some(bytes) => {
                let mut response = context.json(StatusCode::OK, bytes);
                response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                response
            }
            None => context.json(StatusCode::OK, document),
        }
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// Whether the client has what this tag stands for (RFC 9110, 13.1.2).
fn has(asked: &HeaderMap, tag: &str) -> bool {
    let opaque = |it: &str| it.trim().trim_start_matches("W/").to_owned();
    let known = asked.get_all(IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    known.map(opaque).any(|it| it == "*" || it == opaque(tag))
}

/// The document packed, for a client that takes that (RFC 9110, 12.5.3).
fn packed(asked: &HeaderMap, document: &str) -> Option<Vec<u8>> {
    let listed = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    let takes = |it: &str| {
        let mut parts = it.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused = parts.any(|it| it.strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty()));
        matches!(name, "gzip" | "x-gzip" | "*") && !refused
    };
    if !listed.into_iter().any(takes) {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(document.as_bytes()).ok()?;
    encoder.finish().ok()
}
