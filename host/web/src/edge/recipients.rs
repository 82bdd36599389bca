//! `/c/{token}`: a page that asks whether somebody wants a customer's mail, and forms that answer. Only a POST says
//! anything, for programs that scan mail follow every link. No cookie is read or set, and nothing redirects.

use askama::Template;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use model::refusal::Refusal;
use service::Service;
use service::edges::Surface;
use service::edges::recipients::{Inquiry, Standing};
use service::oauth::form::Parameters;

use super::{full, not_here, unavailable, unlisted};
use crate::portal::page::{Leads, page, problem};

/// Bytes of a form.
const LONGEST: usize = 4 * 1024;

#[derive(Template)]
#[template(path = "recipient.html")]
struct Recipient {
    standing: Standing,
    sender: String,
    words: String,
}

pub(super) async fn get(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Recipients, &request) {
        return response;
    }
    shown(service.edges.inquiry(&token).await)
}

pub(super) async fn post(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Recipients, &request) {
        return response;
    }
    let Some(yes) = said(request).await else {
        let words = "Open the address in a browser and answer there.";
        return unlisted(problem(StatusCode::BAD_REQUEST, "Nothing was changed", words));
    };
    shown(service.edges.answer_inquiry(&token, yes).await)
}

fn shown(found: Result<Option<Inquiry>, Refusal>) -> Response {
    match found {
        Ok(Some(Inquiry { standing, sender, words })) => {
            unlisted(page(StatusCode::OK, &Recipient { standing, sender, words }, &Leads::Here))
        }
        Ok(None) => not_here(),
        Err(_) => unavailable(),
    }
}

/// The answer of our own form; none: it is another one.
async fn said(request: Request) -> Option<bool> {
    let media = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let is_form = media.split(';').next()?.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded");
    is_form.then_some(())?;
    let body = to_bytes(request.into_body(), LONGEST).await.ok()?;
    match Parameters::read(std::str::from_utf8(&body).ok()?).one("answer").ok()?? {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}
