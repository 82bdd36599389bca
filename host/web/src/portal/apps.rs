//! Connected applications: what each may do, and the way to take it back.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::id::GrantId;
use service::oauth::Authority;
use service::oauth::{Ended, GrantState, StoredGrant};

use super::page::{Leads, page, see_other};
use super::{Sent, broken, either, enter, receive};
use crate::oauth::authorize::{Group, groups};

#[derive(Template)]
#[template(path = "apps.html")]
struct Page<'a> {
    viewer: Option<&'a str>,
    here: &'a str,
    csrf: String,
    live: Vec<App>,
    ended: Vec<App>,
}

struct App {
    grant: String,
    name: String,
    since: String,
    used: String,
    groups: Vec<Group>,
    ended: String,
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    either(show(&authority, &headers).await)
}

async fn show(authority: &Authority, headers: &HeaderMap) -> Result<Response, Response> {
    let inside = enter(authority, headers, "/apps").await?;
    let grants = authority.connections(&inside.session.customer).await.map_err(broken)?;
    let (live, ended): (Vec<_>, Vec<_>) =
        grants.into_iter().filter(|grant| grant.client.is_some()).partition(|grant| grant.state == GrantState::Live);
    let template = Page {
        viewer: Some(&inside.session.email),
        here: "apps",
        csrf: inside.csrf,
        live: live.into_iter().map(app).collect(),
        ended: ended.into_iter().map(app).collect(),
    };
    Ok(page(StatusCode::OK, &template, &Leads::Here))
}

fn app(grant: StoredGrant) -> App {
    let ended = match grant.state {
        GrantState::Live => String::new(),
        GrantState::Ended { at, because } => format!("{}: {}", at.day(), why(because)),
    };
    App {
        grant: grant.id.to_string(),
        name: grant.name,
        since: grant.created_at.day(),
        used: grant.used_at.map_or_else(|| "not used so far".to_owned(), |at| format!("last used {}", at.day())),
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

/// Revokes the grant that a form names and goes back to its page.
pub(super) async fn end(authority: &Authority, request: Request, here: &str) -> Result<Response, Response> {
    let Sent { inside, fields } = receive(authority, request, here).await?;
    let grant = GrantId::from(fields.one("grant").ok().flatten().unwrap_or_default());
    authority.disconnect(&inside.session.customer, &grant).await.map_err(broken)?;
    Ok(see_other(here))
}
