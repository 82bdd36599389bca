//! The customer's own pages. They work without scripts; each form carries a token, and each change ends in a redirect.

mod figures;
mod frame;
mod invoice;
pub(crate) mod page;
pub(crate) mod visitor;

mod activity;
mod apps;
mod catalog;
mod connect;
mod credits;
mod jobs;
mod overview;
mod prose;
mod reference;
mod schema;
mod shares;
mod tokens;
mod trend;
mod usage;
mod website;
mod websites;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use service::Service;
use service::oauth::Authority;
use service::oauth::Session;
use service::oauth::StoreError;
use service::oauth::form::Parameters;
use service::oauth::seal::Form;

use crate::portal::frame::Frame;
use crate::portal::page::{mark, script, see_other, stale_form, stylesheet, unavailable};
use crate::portal::visitor::{Visitor, is_from_here};

/// Every route of the portal but the catalog's. Signing in and out are with the authorization server.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(authority: Authority) -> Router<S> {
    Router::new()
        .route("/", get(overview::get))
        .route("/usage", get(usage::get))
        .route("/activity", get(activity::get))
        .route("/jobs", get(jobs::list))
        .route("/jobs/{job}", get(jobs::one))
        .route("/jobs/{job}/cancel", post(jobs::cancel))
        .route("/credits", get(credits::get))
        .route("/credits/activate", post(credits::activate))
        .route("/credits/points", post(credits::buy))
        .route("/invoices/{file}", get(invoice::get))
        .route("/apps", get(apps::get))
        .route("/apps/revoke", post(apps::revoke))
        .route("/shares", get(shares::get))
        .route("/shares/end", post(shares::end))
        .route("/tokens", get(tokens::get).post(tokens::post))
        .route("/tokens/revoke", post(tokens::revoke))
        .route("/assets/espalier.css", get(stylesheet))
        .route("/assets/espalier.js", get(script))
        .route("/assets/mark.svg", get(mark))
        .with_state(authority)
}

/// The pages about websites, about what can be called, and about an account that is to be connected.
pub(crate) fn library<S: Clone + Send + Sync + 'static>(service: Service) -> Router<S> {
    Router::new()
        .route("/websites", get(websites::get))
        .route("/websites/{site}", get(website::get))
        .route("/catalog", get(catalog::list))
        .route("/catalog/{operation}", get(catalog::one))
        .route("/reference", get(reference::get))
        .route("/connect/{flow}", get(connect::get).post(connect::post))
        .with_state(service)
}

/// A customer who is signed in, in their browser.
struct Inside {
    session: Session,
    /// What every form of the page carries.
    csrf: String,
}

impl Inside {
    /// The frame of a page that stands at `here` in the rail.
    fn frame(&self, here: &'static str) -> Frame {
        Frame { viewer: self.session.email.clone(), here, csrf: self.csrf.clone() }
    }
}

/// A customer's form, whose token has been checked.
struct Sent {
    inside: Inside,
    fields: Parameters,
}

/// Lets a signed-in customer in; sends anybody else to the sign-in page, and back to `here` after it.
async fn enter(authority: &Authority, headers: &HeaderMap, here: &str) -> Result<Inside, Response> {
    let visitor = Visitor::read(authority, headers).await.map_err(broken)?;
    let csrf = authority.form_token(&visitor.cookie, Form::Portal);
    match visitor.session {
        Some(session) => Ok(Inside { session, csrf }),
        None => Err(see_other(&format!("/sign-in?next={}", URL_SAFE_NO_PAD.encode(here)))),
    }
}

/// As [`enter`], for a page whose whole address is where to come back to.
async fn enter_at(authority: &Authority, headers: &HeaderMap, uri: &Uri) -> Result<Inside, Response> {
    enter(authority, headers, uri.path_and_query().map_or("/", |address| address.as_str())).await
}

/// Reads a form of a signed-in customer.
async fn receive(authority: &Authority, request: Request, here: &str) -> Result<Sent, Response> {
    let headers = request.headers().clone();
    let visitor = Visitor::read(authority, &headers).await.map_err(broken)?;
    let inside = enter(authority, &headers, here).await?;
    let text = crate::oauth::form(request).await.map_err(|_| stale_form())?;
    let fields = Parameters::read(&text);
    let csrf = fields.one("csrf").ok().flatten().unwrap_or_default();
    if !is_from_here(authority.config(), &headers) || !authority.is_form_token(&visitor.cookie, Form::Portal, csrf) {
        return Err(stale_form());
    }
    Ok(Sent { inside, fields })
}

/// One response, whichever way it came about.
fn either(result: Result<Response, Response>) -> Response {
    result.unwrap_or_else(|response| response)
}

fn broken(error: StoreError) -> Response {
    unavailable(&error)
}

/// A message of ours as a sentence for a page.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}
