//! `/r/{share}`: a page or file that somebody was given the address of. A page is shown as paper: without scripts,
//! forms, or anything from elsewhere. Everything else is handed over as a file and never shown in our name.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use service::Service;
use service::edges::Surface;
use service::edges::shares::Shared;

use super::{full, not_here, unavailable, unlisted};

/// An origin of its own for the page: nothing in it can read what else is here (CSP 3, `sandbox`).
const AS_PAPER: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const AS_FILE: &str = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

pub(super) async fn get(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Shares, &request) {
        return response;
    }
    match service.edges.shared(&token, request.method() == Method::GET).await {
        Ok(Some(shared)) => shown(shared).unwrap_or_else(not_here),
        Ok(None) => not_here(),
        Err(_) => unavailable(),
    }
}

/// None: a kind that is not shared.
fn shown(shared: Shared) -> Option<Response> {
    let (kind, suffix) = match shared.media_type.as_str() {
        "text/html" => ("text/html; charset=utf-8", "html"),
        "application/pdf" => ("application/pdf", "pdf"),
        "text/csv" => ("text/csv; charset=utf-8", "csv"),
        "application/json" => ("application/json", "json"),
        "image/svg+xml" => ("image/svg+xml", "svg"),
        _ => return None,
    };
    let is_page = suffix == "html";
    let name = shared.file_name.unwrap_or_else(|| format!("report.{suffix}"));
    let disposition = if is_page { "inline".to_owned() } else { format!("attachment; filename=\"{name}\"") };
    let fixed = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_DISPOSITION, HeaderValue::from_str(&disposition).ok()?),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(if is_page { AS_PAPER } else { AS_FILE })),
        (CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
        (CROSS_ORIGIN_OPENER_POLICY, HeaderValue::from_static("same-origin")),
    ];
    Some(unlisted((StatusCode::OK, fixed, shared.bytes).into_response()))
}
