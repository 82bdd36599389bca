//! Public addresses of the customer's data: what each shows, until when, and the way to end it.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use model::clock::Moment;
use model::id::ShareId;
use service::oauth::form::Parameters;
use service::oauth::{Authority, HeldShare};

use super::figures::{When, counted};
use super::frame::Frame;
use super::page::{Leads, not_found, page, see_other};
use super::{Sent, broken, either, enter_at, receive};

/// Shares of one page.
const PAGE: usize = 50;

#[derive(Template)]
#[template(path = "shares.html")]
struct Page {
    frame: Frame,
    shares: Vec<Share>,
    next: Option<String>,
}

struct Share {
    reference: String,
    name: String,
    kind: &'static str,
    module: String,
    since: When,
    expires: String,
    views: String,
    ends_with: Option<String>,
    is_guarded: bool,
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap, uri: Uri) -> Response {
    either(show(&authority, &headers, &uri).await)
}

async fn show(authority: &Authority, headers: &HeaderMap, uri: &Uri) -> Result<Response, Response> {
    let inside = enter_at(authority, headers, uri).await?;
    let asked = Parameters::read(uri.query().unwrap_or_default());
    let before = asked.one("before").ok().flatten().and_then(place);
    let limit = u32::try_from(PAGE + 1).unwrap_or(u32::MAX);
    let found = authority.open_shares(&inside.session.customer, before.as_ref(), limit).await.map_err(broken)?;
    let next = (found.len() > PAGE)
        .then(|| found.get(PAGE - 1).map(|last| format!("{}.{}", last.created.0, last.reference)))
        .flatten();
    let now = authority.clock().now();
    let shares = found.into_iter().take(PAGE).map(|share| shown(share, now)).collect();
    let template = Page { frame: inside.frame("/shares"), shares, next };
    Ok(page(StatusCode::OK, &template, &Leads::Inside))
}

/// Where a page goes on: the last share of the one before it, as time and name.
fn place(text: &str) -> Option<(Moment, ShareId)> {
    let (at, share) = text.split_once('.')?;
    Some((Moment(at.parse().ok()?), ShareId::from(share)))
}

fn shown(share: HeldShare, now: Moment) -> Share {
    let kind = match share.media_type.as_str() {
        "text/html" => "page",
        "application/pdf" => "PDF",
        "text/csv" => "CSV",
        "text/plain" | "text/markdown" => "text",
        "application/zip" => "archive",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "spreadsheet",
        "image/svg+xml" => "picture",
        _ => "file",
    };
    Share {
        reference: share.reference.to_string(),
        name: share.file_name.unwrap_or_else(|| format!("{kind} of {}", share.module)),
        kind,
        module: share.module,
        since: When::new(share.created, now),
        expires: share.expires.day(),
        views: counted(share.views, "view"),
        ends_with: share.ends_with,
        is_guarded: share.is_guarded,
    }
}

pub(super) async fn end(State(authority): State<Authority>, request: Request) -> Response {
    either(end_one(&authority, request).await)
}

/// Ends the share that a form names. One that has ended since is no fault: two browsers may press the button.
async fn end_one(authority: &Authority, request: Request) -> Result<Response, Response> {
    let Sent { inside, fields } = receive(authority, request, "/shares").await?;
    let share = fields.one("share").ok().flatten().unwrap_or_default();
    if share.is_empty() {
        return Err(not_found("share"));
    }
    authority.end_share(&inside.session.customer, &ShareId::from(share)).await.map_err(broken)?;
    Ok(see_other("/shares"))
}
