//! The authorization endpoint, RFC 6749 3.1: asking the customer, and sending their answer to the client.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::scope::{Risk, Scope, ScopeSet};
use service::oauth::Authority;
use service::oauth::Session;
use service::oauth::StoreError;
use service::oauth::authorize::{AuthorizationRequest, Decision};
use service::oauth::by_hand::milli;
use service::oauth::consent::{Approved, Price, shown_name};
use service::oauth::form::Parameters;
use service::oauth::seal::Form;

use super::form;
use super::sign_in::sign_in_then;
use crate::portal::page::{Leads, page, problem, see_other, stale_form, unavailable};
use crate::portal::visitor::{Visitor, is_from_here};

#[derive(Template)]
#[template(path = "consent.html")]
struct Page<'a> {
    viewer: &'a str,
    client: String,
    host: String,
    is_loopback: bool,
    error: Option<&'static str>,
    groups: Vec<Group>,
    /// Scopes whose box is ticked.
    ticked: Vec<&'static str>,
    price: Asked,
    request: String,
    csrf: String,
    leave_csrf: String,
    leave_next: String,
}

/// Scopes of one risk.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) tone: &'static str,
    pub(crate) scopes: Vec<(&'static str, &'static str)>,
}

/// What the page says of the price.
enum Asked {
    Nothing,
    Covered { credits: u64, left: String },
    Short { credits: u64, has: String, missing: String },
}

/// The scopes of a set, grouped, from looking only to what cannot be undone.
pub(crate) fn groups(scopes: &ScopeSet) -> Vec<Group> {
    let describe = |risk: Risk| match risk {
        Risk::Read => ("Read: look, and change nothing", "calm"),
        Risk::Change => ("Change: edit things in your account", "firm"),
        Risk::Spend => ("Spend: use your credits", "firm"),
        Risk::Send => ("Send: write to other people in your name", "grave"),
        Risk::Destroy => ("Destroy: delete things, for good", "grave"),
    };
    let group = |risk: Risk| {
        let (title, tone) = describe(risk);
        let scopes: Vec<_> =
            scopes.iter().filter(|scope| scope.risk() == risk).map(|scope| (scope.as_str(), scope.words())).collect();
        (!scopes.is_empty()).then_some(Group { title, tone, scopes })
    };
    [Risk::Read, Risk::Change, Risk::Spend, Risk::Send, Risk::Destroy].into_iter().filter_map(group).collect()
}

pub(super) async fn get(State(authority): State<Authority>, uri: Uri, headers: HeaderMap) -> Response {
    match ask(&authority, uri.query().unwrap_or_default(), &headers).await {
        Ok(response) => response,
        Err(error) => unavailable(&error),
    }
}

async fn ask(authority: &Authority, query: &str, headers: &HeaderMap) -> Result<Response, StoreError> {
    let visitor = Visitor::read(authority, headers).await?;
    let request = match (authority.authorization(query).await?, &visitor.session) {
        (Decision::Page(fault), _) => return Ok(not_possible(fault.words())),
        // Nobody is sent anywhere by a link that is wrong before they have signed in (RFC 9700, 4.11.2).
        (Decision::Back(back), None) => return Ok(not_possible(&unsigned(&back.fault.description))),
        (Decision::Back(back), Some(_)) => return Ok(see_other(&authority.back(&back))),
        (Decision::Ask(request), _) => request,
    };
    let Some(session) = &visitor.session else {
        return Ok(see_other(&sign_in_then(&format!("/oauth/authorize?{query}"))));
    };
    let ticked = offered(&request.scopes);
    consent_page(authority, &visitor, session, query, &request, &ticked, None).await
}

/// The scopes that are ticked at first. A client that asks for everything has hardly thought of each: what reaches
/// other people or cannot be undone is then for the customer to tick.
fn offered(asked: &ScopeSet) -> ScopeSet {
    let all = *asked == ScopeSet::all();
    asked.iter().filter(|scope| !all || !matches!(scope.risk(), Risk::Send | Risk::Destroy)).collect()
}

async fn consent_page(
    authority: &Authority,
    visitor: &Visitor,
    session: &Session,
    query: &str,
    request: &AuthorizationRequest,
    ticked: &ScopeSet,
    error: Option<&'static str>,
) -> Result<Response, StoreError> {
    let price = match authority.price(&session.customer).await? {
        Price::Nothing => Asked::Nothing,
        Price::Activation { credits, available_milli } => match available_milli.checked_sub(credits * 1_000) {
            Some(left) => Asked::Covered { credits, left: milli(left) },
            None => {
                Asked::Short { credits, has: milli(available_milli), missing: milli(credits * 1_000 - available_milli) }
            }
        },
    };
    let template = Page {
        viewer: &session.email,
        client: shown_name(&request.client),
        host: request.redirect_uri.host(),
        is_loopback: request.redirect_uri.is_loopback(),
        error,
        groups: groups(&request.scopes),
        ticked: ticked.iter().map(Scope::as_str).collect(),
        price,
        request: URL_SAFE_NO_PAD.encode(query),
        csrf: authority.form_token(&visitor.cookie, Form::Consent(query)),
        leave_csrf: authority.form_token(&visitor.cookie, Form::Portal),
        leave_next: URL_SAFE_NO_PAD.encode(format!("/oauth/authorize?{query}")),
    };
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page(status, &template, &Leads::Away))
}

/// What somebody who is not signed in reads of a request that cannot be answered.
fn unsigned(what: &str) -> String {
    format!("The application's request is not right: {what}. Go back to the application and connect again.")
}

fn not_possible(words: &str) -> Response {
    problem(StatusCode::BAD_REQUEST, "This connection cannot be made", words)
}

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    match answer(&authority, request).await {
        Ok(response) => response,
        Err(error) => unavailable(&error),
    }
}

async fn answer(authority: &Authority, request: Request) -> Result<Response, StoreError> {
    let headers = request.headers().clone();
    let Ok(text) = form(request).await else { return Ok(stale_form()) };
    let parameters = Parameters::read(&text);
    let field = |name: &str| parameters.one(name).ok().flatten().unwrap_or_default();
    let query = URL_SAFE_NO_PAD.decode(field("request")).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(query) = query else { return Ok(stale_form()) };
    let visitor = Visitor::read(authority, &headers).await?;
    let Some(session) = &visitor.session else {
        return Ok(see_other(&sign_in_then(&format!("/oauth/authorize?{query}"))));
    };
    if !is_from_here(authority.config(), &headers)
        || !authority.is_form_token(&visitor.cookie, Form::Consent(&query), field("csrf"))
    {
        return Ok(stale_form());
    }
    // Read anew: the client may have gone since the page was shown.
    let request = match authority.authorization(&query).await? {
        Decision::Page(fault) => return Ok(not_possible(fault.words())),
        Decision::Back(back) => return Ok(see_other(&authority.back(&back))),
        Decision::Ask(request) => request,
    };
    match field("decision") {
        "approve" => {
            let ticked = parameters.all("scope").iter().map(|text| text.parse::<Scope>());
            let Ok(ticked) = ticked.collect::<Result<ScopeSet, _>>() else { return Ok(stale_form()) };
            // The page offers what was asked for; a form with more is not from it.
            if !request.scopes.covers(&ticked) {
                return Ok(stale_form());
            }
            if ticked.is_empty() {
                return consent_page(authority, &visitor, session, &query, &request, &ticked, Some(NOTHING)).await;
            }
            let request = AuthorizationRequest { scopes: ticked, ..*request };
            match authority.approve(session, &request).await? {
                Approved::To(location) => Ok(see_other(&location)),
                Approved::Short { credits, available_milli } => Ok(short(credits, available_milli)),
            }
        }
        "deny" => Ok(see_other(&authority.deny(session, &request).await?)),
        _ => Ok(stale_form()),
    }
}

const NOTHING: &str = "Nothing is ticked, so the application could do nothing. Tick what it may do, or deny.";

/// 402, with what is missing.
fn short(credits: u64, available_milli: u64) -> Response {
    let words = format!(
        "Activating external access costs {credits} credits, once. The account has {}: {} are missing. \
         Nothing was charged and nothing was connected. Add credits and connect again.",
        milli(available_milli),
        milli((credits * 1_000).saturating_sub(available_milli)),
    );
    problem(StatusCode::PAYMENT_REQUIRED, "More credits are needed", &words)
}

/// Every scope, for a form that offers them all.
pub(crate) fn all_scopes() -> Vec<Group> {
    groups(&Scope::ALL.into_iter().collect())
}
