//! Bearer tokens made by hand: named, scoped, expiring, shown once.

use std::time::Duration;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::scope::{Scope, ScopeSet};
use service::oauth::Authority;
use service::oauth::by_hand::NotIssued;
use service::oauth::form::Parameters;
use service::oauth::{GrantState, StoredGrant};

use super::apps::end;
use super::page::{Leads, page};
use super::{Inside, Sent, broken, either, enter, receive, sentence};
use crate::oauth::authorize::{Group, all_scopes};

#[derive(Template)]
#[template(path = "tokens.html")]
struct Page<'a> {
    viewer: Option<&'a str>,
    here: &'a str,
    csrf: String,
    made: Option<Made>,
    error: Option<String>,
    name: String,
    tokens: Vec<Token>,
    groups: Vec<Group>,
    usual: Vec<&'static str>,
}

/// The token that was just made; the only page that ever shows it.
struct Made {
    secret: String,
    expires: String,
    rest: String,
}

struct Token {
    grant: String,
    name: String,
    scopes: String,
    since: String,
    expires: String,
    used: String,
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(&authority, &headers, "/tokens").await?;
        show(&authority, inside, StatusCode::OK, None, None, String::new()).await
    };
    either(shown.await)
}

async fn show(
    authority: &Authority,
    inside: Inside,
    status: StatusCode,
    made: Option<Made>,
    error: Option<String>,
    name: String,
) -> Result<Response, Response> {
    let grants = authority.connections(&inside.session.customer).await.map_err(broken)?;
    let live = grants.into_iter().filter(|grant| grant.client.is_none() && grant.state == GrantState::Live);
    let template = Page {
        viewer: Some(&inside.session.email),
        here: "tokens",
        csrf: inside.csrf,
        made,
        error,
        name,
        tokens: live.map(token).collect(),
        groups: all_scopes(),
        usual: ScopeSet::default_grant().iter().map(Scope::as_str).collect(),
    };
    Ok(page(status, &template, &Leads::Here))
}

fn token(grant: StoredGrant) -> Token {
    Token {
        grant: grant.id.to_string(),
        name: grant.name,
        scopes: grant.scopes.to_string(),
        since: grant.created_at.day(),
        expires: grant.expires_at.map_or_else(|| "expired".to_owned(), |at| format!("expires {}", at.day())),
        used: grant.used_at.map_or_else(|| "not used so far".to_owned(), |at| format!("last used {}", at.day())),
    }
}

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    either(make(&authority, request).await)
}

async fn make(authority: &Authority, request: Request) -> Result<Response, Response> {
    let Sent { inside, fields } = receive(authority, request, "/tokens").await?;
    let field = |name: &str| fields.one(name).ok().flatten().unwrap_or_default();
    let name = field("name").to_owned();
    let refused = match wish(&fields) {
        Ok((scopes, lifetime)) => {
            match authority.issue_token(&inside.session.customer, scopes, &name, lifetime).await {
                Ok(token) => {
                    let made = Made {
                        secret: token.secret.reveal().to_owned(),
                        expires: token.expires_at.day(),
                        rest: authority.config().base_url(),
                    };
                    return show(authority, inside, StatusCode::OK, Some(made), None, String::new()).await;
                }
                Err(NotIssued::Store(error)) => return Err(broken(error)),
                Err(refused) => refused,
            }
        }
        Err(refused) => refused,
    };
    let status = match refused {
        NotIssued::Short { .. } => StatusCode::PAYMENT_REQUIRED,
        NotIssued::NoCustomer | NotIssued::NoScope | NotIssued::Lifetime | NotIssued::Name | NotIssued::Store(_) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
    };
    show(authority, inside, status, None, Some(sentence(&refused.to_string())), name).await
}

fn wish(fields: &Parameters) -> Result<(ScopeSet, Duration), NotIssued> {
    let days =
        fields.one("days").ok().flatten().and_then(|text| text.parse::<u32>().ok()).ok_or(NotIssued::Lifetime)?;
    let scopes = fields.all("scope").iter().map(|text| text.parse::<Scope>());
    let scopes: ScopeSet = scopes.collect::<Result<_, _>>().map_err(|_| NotIssued::NoScope)?;
    Ok((scopes, Duration::from_secs(u64::from(days) * 24 * 60 * 60)))
}

pub(super) async fn revoke(State(authority): State<Authority>, request: Request) -> Response {
    either(end(&authority, request, "/tokens").await)
}
