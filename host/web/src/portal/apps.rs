//! Connected applications: what each may do, and the way to take it back.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use model::usage::ACTIVATION_CREDITS;
use service::oauth::Authority;
use service::oauth::{Ended, GrantState, StoredGrant};

use super::figures::{When, counted};
use super::frame::Frame;
use super::page::{Leads, not_found, page, see_other};
use super::{Sent, broken, either, enter, receive};
use crate::oauth::authorize::{Group, groups};

#[derive(Template)]
#[template(path = "apps.html")]
struct Page {
    frame: Frame,
    is_inactive: bool,
    activation_credits: u64,
    mcp: String,
    live: Vec<App>,
    ended: Vec<App>,
}

struct App {
    grant: String,
    name: String,
    since: When,
    used: Option<When>,
    points: String,
    groups: Vec<Group>,
    ended: String,
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    either(show(&authority, &headers).await)
}

async fn show(authority: &Authority, headers: &HeaderMap) -> Result<Response, Response> {
    let inside = enter(authority, headers, "/apps").await?;
    let (customer, now) = (&inside.session.customer, authority.clock().now());
    let grants = authority.connections(customer).await.map_err(broken)?;
    let balance = authority.balance(customer).await.map_err(broken)?;
    let points = points(authority, customer).await?;
    let (live, ended): (Vec<_>, Vec<_>) =
        grants.into_iter().filter(|grant| grant.client.is_some()).partition(|grant| grant.state == GrantState::Live);
    let app = |grant: StoredGrant| app(grant, &points, now);
    let template = Page {
        frame: inside.frame("/apps"),
        is_inactive: balance.activated_at.is_none(),
        activation_credits: ACTIVATION_CREDITS,
        mcp: authority.config().mcp_url(),
        live: live.into_iter().map(app).collect(),
        ended: ended.into_iter().map(app).collect(),
    };
    Ok(page(StatusCode::OK, &template, &Leads::Inside))
}

/// Points of each app and token in the last thirty days.
pub(super) async fn points(authority: &Authority, customer: &CustomerId) -> Result<BTreeMap<GrantId, u64>, Response> {
    let used = authority.grant_use(customer).await.map_err(broken)?;
    Ok(used.into_iter().filter_map(|used| Some((used.grant?, used.count.points))).collect())
}

fn app(grant: StoredGrant, points: &BTreeMap<GrantId, u64>, now: Moment) -> App {
    let ended = match grant.state {
        GrantState::Live => String::new(),
        GrantState::Ended { at, because } => format!("{}: {}", at.day(), why(because)),
    };
    App {
        grant: grant.id.to_string(),
        name: grant.name,
        since: When::new(grant.created_at, now),
        used: grant.used_at.map(|at| When::new(at, now)),
        points: counted(points.get(&grant.id).copied().unwrap_or(0), "point"),
        groups: groups(&grant.scopes),
        ended,
    }
}

fn why(because: Ended) -> &'static str {
    match because {
        Ended::Revoked => "revoked",
        Ended::RefreshReused => {
            "a refresh token came twice, so somebody may have copied it; the connection was revoked for safety. \
             Connect again from the application."
        }
        Ended::CodeReused => {
            "a sign-in code came twice, so somebody may have copied it; the connection was revoked for safety"
        }
        Ended::ProofFailed => "the application could not prove that it had asked; nothing was connected",
        Ended::Lapsed => "not used until its tokens expired",
        Ended::Erased => "erased",
    }
}

pub(super) async fn revoke(State(authority): State<Authority>, request: Request) -> Response {
    either(end(&authority, request, "/apps").await)
}

/// Revokes the grant that a form names and goes back to its page. One that has ended already is no fault: two
/// browsers may press the button.
pub(super) async fn end(authority: &Authority, request: Request, here: &str) -> Result<Response, Response> {
    let Sent { inside, fields } = receive(authority, request, here).await?;
    let grant = GrantId::from(fields.one("grant").ok().flatten().unwrap_or_default());
    let customer = &inside.session.customer;
    if !authority.disconnect(customer, &grant).await.map_err(broken)? {
        let known = authority.connections(customer).await.map_err(broken)?;
        if !known.iter().any(|other| other.id == grant) {
            return Err(not_found("app or token"));
        }
    }
    Ok(see_other(here))
}
