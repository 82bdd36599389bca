//! `/r/{share}`: a page or file that somebody was given the address of. A page is shown as paper: without scripts,
//! forms, or anything from elsewhere. Everything else is handed over as a file and never shown in our name. Where there
//! is a passcode, a form without scripts asks for it, and its answer is the content itself.

use askama::Template;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use service::Service;
use service::edges::Surface;
use service::edges::shares::{Met, Shared, Tried};
use service::oauth::form::Parameters;

use super::{full, not_here, other_method, unavailable, unlisted};
use crate::portal::page::{Leads, page};

/// An origin of its own for the page: nothing in it can read what else is here (CSP 3, `sandbox`).
const AS_PAPER: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const AS_FILE: &str = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SPREADSHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Bytes of the form: a passcode in UTF-8, each byte percent-encoded, and room to spare.
const LONGEST: usize = 4 * 1024;

/// The question for a passcode. It tells nothing of what it guards.
#[derive(Template)]
#[template(path = "passcode.html")]
struct Question {
    error: Option<&'static str>,
}

pub(super) async fn get(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Shares, &request) {
        return response;
    }
    match service.edges.shared(&token, request.method() == Method::GET).await {
        Ok(Some(Met::Shown(shared))) => shown(shared).unwrap_or_else(not_here),
        Ok(Some(Met::Asked)) => question(StatusCode::OK, None),
        Ok(None) => not_here(),
        Err(_) => unavailable(),
    }
}

/// Only a POST carries a passcode, so that none stands in an address or a log.
pub(super) async fn post(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Shares, &request) {
        return response;
    }
    // What cannot be read is no passcode. Whether one is asked for is told in any case by what follows.
    let passcode = entered(request).await.unwrap_or_default();
    match service.edges.try_passcode(&token, &passcode).await {
        Ok(Some(Tried::Shown(shared))) => shown(shared).unwrap_or_else(not_here),
        Ok(Some(Tried::Wrong)) => question(StatusCode::FORBIDDEN, Some("That is not the passcode. Try again.")),
        Ok(Some(Tried::TooOften { wait })) => too_often(wait),
        Ok(Some(Tried::Unasked)) => other_method("GET, HEAD"),
        Ok(None) => not_here(),
        Ok(Some(Tried::Crowded)) | Err(_) => unavailable(),
    }
}

fn question(status: StatusCode, error: Option<&'static str>) -> Response {
    unlisted(page(status, &Question { error }, &Leads::Here))
}

fn too_often(wait: u64) -> Response {
    let error = "Too many passcodes were tried. Wait a minute, then try again.";
    let mut response = question(StatusCode::TOO_MANY_REQUESTS, Some(error));
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait));
    response
}

/// The one field of the form.
async fn entered(request: Request) -> Option<String> {
    let media = request.headers().get(CONTENT_TYPE)?.to_str().ok()?.split(';').next()?.trim().to_ascii_lowercase();
    if media != "application/x-www-form-urlencoded" {
        return None;
    }
    let body = to_bytes(request.into_body(), LONGEST).await.ok()?;
    let fields = Parameters::read(std::str::from_utf8(&body).ok()?);
    fields.one("passcode").ok().flatten().map(str::to_owned)
}

/// None: a kind that is not shared.
fn shown(shared: Shared) -> Option<Response> {
    let (kind, suffix) = match shared.media_type.as_str() {
        "text/html" => ("text/html; charset=utf-8", "html"),
        "application/pdf" => ("application/pdf", "pdf"),
        "text/csv" => ("text/csv; charset=utf-8", "csv"),
        "application/json" => ("application/json", "json"),
        "image/svg+xml" => ("image/svg+xml", "svg"),
        "text/plain" => ("text/plain; charset=utf-8", "txt"),
        "text/markdown" => ("text/markdown; charset=utf-8", "md"),
        "application/zip" => ("application/zip", "zip"),
        SPREADSHEET => (SPREADSHEET, "xlsx"),
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
