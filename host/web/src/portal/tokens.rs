//! Bearer tokens made by hand: named, scoped, expiring, shown once.

use std::time::Duration;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use model::clock::Moment;
use model::scope::{Scope, ScopeSet};
use model::token::Secret;
use model::usage::ACTIVATION_CREDITS;
use service::oauth::Authority;
use service::oauth::by_hand::NotIssued;
use service::oauth::form::Parameters;
use service::oauth::{GrantState, StoreError, StoredGrant};

use super::apps::{end, points};
use super::figures::{When, counted};
use super::frame::Frame;
use super::page::{Leads, page, see_other};
use super::visitor::{drop_flash, flash, set_flash};
use super::{Inside, Sent, broken, either, enter_at, receive, sentence};
use crate::oauth::authorize::{Group, all_scopes};

#[derive(Template)]
#[template(path = "tokens.html")]
struct Page {
    frame: Frame,
    is_inactive: bool,
    activation_credits: u64,
    made: Option<Made>,
    error: Option<String>,
    name: String,
    days: String,
    lives: &'static [(&'static str, &'static str)],
    tokens: Vec<Token>,
    groups: Vec<Group>,
    ticked: Vec<&'static str>,
}

/// How long a token may last, in days and in words.
const LIVES: &[(&str, &str)] =
    &[("1", "1 day"), ("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("365", "1 year")];

/// The token that was just made; the only page that ever shows it.
struct Made {
    name: String,
    secret: String,
    expires: String,
    rest: String,
}

struct Token {
    grant: String,
    name: String,
    scopes: Vec<&'static str>,
    since: When,
    expires: String,
    used: Option<When>,
    points: String,
}

/// What stands in the form.
struct Draft {
    name: String,
    days: String,
    ticked: Vec<&'static str>,
    error: Option<String>,
}

impl Default for Draft {
    fn default() -> Self {
        let usual = ScopeSet::default_grant().iter().map(Scope::as_str).collect();
        Self { name: String::new(), days: "90".to_owned(), ticked: usual, error: None }
    }
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap, uri: Uri) -> Response {
    let shown = async {
        let inside = enter_at(&authority, &headers, &uri).await?;
        let made = flash(authority.config(), &headers);
        let mut response = show(&authority, &inside, StatusCode::OK, made.as_ref(), Draft::default()).await?;
        if made.is_some() {
            drop_flash(authority.config(), response.headers_mut());
        }
        Ok(response)
    };
    either(shown.await)
}

async fn show(
    authority: &Authority,
    inside: &Inside,
    status: StatusCode,
    made: Option<&Secret>,
    draft: Draft,
) -> Result<Response, Response> {
    let (customer, now) = (&inside.session.customer, authority.clock().now());
    let grants = authority.connections(customer).await.map_err(broken)?;
    let balance = authority.balance(customer).await.map_err(broken)?;
    let points = points(authority, customer).await?;
    let live: Vec<StoredGrant> =
        grants.into_iter().filter(|grant| grant.client.is_none() && grant.state == GrantState::Live).collect();
    let made = match made {
        Some(secret) => reveal(authority, secret, &live).await.map_err(broken)?,
        None => None,
    };
    let token = |grant: StoredGrant| Token {
        grant: grant.id.to_string(),
        name: grant.name,
        scopes: grant.scopes.iter().map(Scope::as_str).collect(),
        since: When::new(grant.created_at, now),
        expires: grant.expires_at.map_or_else(|| "expired".to_owned(), |at| format!("expires {}", at.day())),
        used: grant.used_at.map(|at| When::new(at, now)),
        points: counted(points.get(&grant.id).copied().unwrap_or(0), "point"),
    };
    let template = Page {
        frame: inside.frame("/tokens"),
        is_inactive: balance.activated_at.is_none(),
        activation_credits: ACTIVATION_CREDITS,
        made,
        error: draft.error,
        name: draft.name,
        days: draft.days,
        lives: LIVES,
        tokens: live.into_iter().map(token).collect(),
        groups: all_scopes(),
        ticked: draft.ticked,
    };
    Ok(page(status, &template, &Leads::Inside))
}

/// A token that the form has just made, if it is one of this customer's own: nobody plants another here.
async fn reveal(authority: &Authority, secret: &Secret, live: &[StoredGrant]) -> Result<Option<Made>, StoreError> {
    let grant = authority.grant_of(secret).await?;
    let stored = live.iter().find(|stored| Some(&stored.id) == grant.as_ref());
    Ok(stored.map(|stored| Made {
        name: stored.name.clone(),
        secret: secret.reveal().to_owned(),
        expires: stored.expires_at.map(Moment::day).unwrap_or_default(),
        rest: authority.config().base_url(),
    }))
}

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    either(make(&authority, request).await)
}

async fn make(authority: &Authority, request: Request) -> Result<Response, Response> {
    let Sent { inside, fields } = receive(authority, request, "/tokens").await?;
    let field = |name: &str| fields.one(name).ok().flatten().unwrap_or_default().to_owned();
    let refused = match wish(&fields) {
        Ok((scopes, lifetime)) => {
            match authority.issue_token(&inside.session.customer, scopes, &field("name"), lifetime).await {
                Ok(token) => {
                    // The answer to a form is a redirect, so the token travels to the next page as a cookie that
                    // only this browser holds, that no script reads, and that the page takes away.
                    let mut response = see_other("/tokens");
                    set_flash(authority.config(), &token.secret, response.headers_mut());
                    return Ok(response);
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
    let draft = Draft {
        name: field("name"),
        days: field("days"),
        ticked: fields.all("scope").iter().filter_map(|text| text.parse::<Scope>().ok()).map(Scope::as_str).collect(),
        error: Some(sentence(&refused.to_string())),
    };
    show(authority, &inside, status, None, draft).await
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
