//! `/u/{token}`: a page that asks, a form that answers it, and the one click of RFC 8058. Only a POST unsubscribes,
//! for programs that scan mail follow every link. No cookie is read or set, and nothing redirects.

use askama::Template;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use service::Service;
use service::edges::Surface;
use service::oauth::form::Parameters;

use super::{full, not_here, unavailable, unlisted};
use crate::portal::page::{Leads, page, problem};

/// Bytes of either form.
const LONGEST: usize = 4 * 1024;
/// The field of RFC 8058 3.1, and its value.
const ONE_CLICK: (&str, &str) = ("List-Unsubscribe", "One-Click");
/// The field of our own form.
const CONFIRMED: (&str, &str) = ("confirm", "yes");

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct Unsubscribe {
    done: bool,
}

pub(super) async fn get(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Unsubscribe, &request) {
        return response;
    }
    match service.edges.is_unsubscribe(&token).await {
        Ok(true) => unlisted(page(StatusCode::OK, &Unsubscribe { done: false }, &Leads::Here)),
        Ok(false) => not_here(),
        Err(_) => unavailable(),
    }
}

pub(super) async fn post(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Unsubscribe, &request) {
        return response;
    }
    let Some(one_click) = said(request).await else {
        let words = "Open the address in a browser and confirm there, or send List-Unsubscribe=One-Click.";
        return unlisted(problem(StatusCode::BAD_REQUEST, "Nothing was changed", words));
    };
    match service.edges.unsubscribe(&token, one_click).await {
        Ok(true) => unlisted(page(StatusCode::OK, &Unsubscribe { done: true }, &Leads::Here)),
        Ok(false) => not_here(),
        Err(_) => unavailable(),
    }
}

/// Whether it was one click or our own form; none: neither. RFC 8058 3.2 permits both encodings of a form.
async fn said(request: Request) -> Option<bool> {
    let media = request.headers().get(CONTENT_TYPE)?.to_str().ok()?.to_owned();
    let body = to_bytes(request.into_body(), LONGEST).await.ok()?;
    let body = std::str::from_utf8(&body).ok()?;
    let has = |(field, value): (&str, &str)| match media.split(';').next()?.trim().to_ascii_lowercase().as_str() {
        "application/x-www-form-urlencoded" => (Parameters::read(body).one(field).ok()?? == value).then_some(()),
        "multipart/form-data" => (part(&media, body, field)? == value).then_some(()),
        _ => None,
    };
    has(ONE_CLICK).map(|()| true).or_else(|| has(CONFIRMED).map(|()| false))
}

/// A field of a form in parts (RFC 7578).
fn part<'a>(media: &str, body: &'a str, field: &str) -> Option<&'a str> {
    let boundary = media.split(';').find_map(|it| it.trim().strip_prefix("boundary="))?.trim_matches('"');
    let named = format!("name=\"{field}\"");
    body.split(&format!("--{boundary}")).find_map(|part| {
        let (head, value) = part.split_once("\r\n\r\n")?;
        head.contains(&named).then(|| value.trim_end_matches("\r\n"))
    })
}
