//! Signing in and out.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use service::oauth::Authority;
use service::oauth::StoreError;
use service::oauth::authorize::Decision;
use service::oauth::consent::shown_name;
use service::oauth::form::Parameters;
use service::oauth::password::Password;
use service::oauth::seal::Form;
use service::oauth::session::{SignIn, normal_email};

use super::address::address;
use super::form;
use crate::context::rate_headers;
use crate::portal::page::{Leads, page, problem, see_other, stale_form, unavailable};
use crate::portal::visitor::{Visitor, device, drop_cookie, is_from_here, set_cookie, set_device};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page<'a> {
    /// The application that waits for the customer, if one does.
    client: Option<String>,
    email: &'a str,
    next: &'a str,
    csrf: String,
    error: Option<String>,
    /// What an upstream provider is called, if there is one.
    upstream: Option<&'a str>,
}

/// The address of the sign-in page that goes on to `target`, an address of ours.
pub(super) fn sign_in_then(target: &str) -> String {
    format!("/sign-in?next={}", URL_SAFE_NO_PAD.encode(target))
}

/// Where to go after sign-in: only to our own pages, so that nobody can be sent elsewhere with it.
pub(super) fn destination(next: &str) -> String {
    let text = URL_SAFE_NO_PAD.decode(next).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let (path, query) = text.split_once('?').map_or((&*text, None), |(path, query)| (path, Some(query)));
    let is_page = match (path, query) {
        ("/oauth/authorize", query) => query.is_some(),
        _ => is_page_of_ours(path),
    };
    if is_page && text.bytes().all(|byte| byte.is_ascii_graphic()) { text } else { "/".to_owned() }
}

/// A path of plain words, and none that does something or answers programs. A page that is not there is a 404 of ours.
fn is_page_of_ours(path: &str) -> bool {
    const NO_PAGES: [&str; 6] = ["oauth", "sign-in", "sign-out", "v1", "mcp", "assets"];
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let Some(rest) = path.strip_prefix('/').filter(|rest| *rest != "connect/callback") else { return false };
    let mut parts = rest.split('/');
    // The name of an operation has dots between its words.
    parts.next().is_some_and(|first| is_word(first) && !NO_PAGES.contains(&first))
        && parts.all(|part| part.split('.').all(is_word))
}

pub(super) async fn get(State(authority): State<Authority>, uri: Uri, headers: HeaderMap) -> Response {
    let parameters = Parameters::read(uri.query().unwrap_or_default());
    let next = parameters.one("next").ok().flatten().unwrap_or_default();
    match Visitor::read(&authority, &headers).await {
        Ok(Visitor { session: Some(_), .. }) => see_other(&destination(next)),
        Ok(visitor) => match show(&authority, &visitor, StatusCode::OK, "", next, None).await {
            Ok(response) => response,
            Err(error) => unavailable(&error),
        },
        Err(error) => unavailable(&error),
    }
}

async fn show(
    authority: &Authority,
    visitor: &Visitor,
    status: StatusCode,
    email: &str,
    next: &str,
    error: Option<String>,
) -> Result<Response, StoreError> {
    let target = destination(next);
    let client = match target.strip_prefix("/oauth/authorize?") {
        Some(query) => match authority.authorization(query).await? {
            Decision::Ask(request) => Some(shown_name(&request.client)),
            Decision::Page(_) | Decision::Back(_) => None,
        },
        None => None,
    };
    let csrf = authority.form_token(&visitor.cookie, Form::SignIn);
    let upstream = authority.upstream().map(|provider| provider.settings().name.as_str());
    let template = Page { client, email, next, csrf, error, upstream };
    // After the password the application's request may be one that goes straight back to it.
    let leads = if target.starts_with("/oauth/authorize?") { Leads::Away } else { Leads::Here };
    let mut response = page(status, &template, &leads);
    visitor.introduce(authority.config(), response.headers_mut());
    Ok(response)
}

pub(super) async fn post(State(authority): State<Authority>, request: Request) -> Response {
    match sign_in(&authority, request).await {
        Ok(response) => response,
        Err(error) => unavailable(&error),
    }
}

async fn sign_in(authority: &Authority, request: Request) -> Result<Response, StoreError> {
    let (headers, address) = (request.headers().clone(), address(authority.config(), &request));
    let visitor = Visitor::read(authority, &headers).await?;
    let Ok(text) = form(request).await else { return Ok(stale_form()) };
    let parameters = Parameters::read(&text);
    let field = |name: &str| parameters.one(name).ok().flatten().unwrap_or_default();
    let (email, next) = (field("email"), field("next"));
    if !is_from_here(authority.config(), &headers)
        || !authority.is_form_token(&visitor.cookie, Form::SignIn, field("csrf"))
    {
        return Ok(stale_form());
    }
    let password = Password::typed(field("password"));
    let device = device(authority.config(), &headers);
    let signed_in = authority.sign_in(email, password, &address, Some(&visitor.cookie), device.as_deref()).await;
    let signed_in = match signed_in {
        Ok(signed_in) => signed_in,
        Err(fault) => return Ok(problem(StatusCode::SERVICE_UNAVAILABLE, "One moment, please", &fault.description)),
    };
    match signed_in {
        SignIn::In(cookie) => {
            let mut response = see_other(&destination(next));
            set_cookie(authority.config(), &cookie, response.headers_mut());
            let device = authority.device_token(&normal_email(email));
            set_device(authority.config(), &device, response.headers_mut());
            Ok(response)
        }
        SignIn::Refused => {
            let error = "The e-mail or the password is not right.".to_owned();
            show(authority, &visitor, StatusCode::UNPROCESSABLE_ENTITY, email, next, Some(error)).await
        }
        SignIn::Closed => {
            let error = "This account is closed: its applications and tokens do not work, and nothing can be \
                         connected. Ask whoever runs this service to open it again.";
            show(authority, &visitor, StatusCode::FORBIDDEN, email, next, Some(error.to_owned())).await
        }
        SignIn::Wait(standing) => {
            let error = format!("Too many tries. Wait {} and try again.", minutes(standing.reset));
            let status = StatusCode::TOO_MANY_REQUESTS;
            let mut response = show(authority, &visitor, status, email, next, Some(error)).await?;
            response.headers_mut().insert(RETRY_AFTER, standing.reset.into());
            rate_headers(response.headers_mut(), standing);
            Ok(response)
        }
    }
}

fn minutes(seconds: u64) -> String {
    match seconds.div_ceil(60) {
        1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

pub(super) async fn out(State(authority): State<Authority>, request: Request) -> Response {
    let headers = request.headers().clone();
    let visitor = match Visitor::read(&authority, &headers).await {
        Ok(visitor) => visitor,
        Err(error) => return unavailable(&error),
    };
    let Ok(text) = form(request).await else { return stale_form() };
    let parameters = Parameters::read(&text);
    let field = |name: &str| parameters.one(name).ok().flatten().unwrap_or_default();
    if !is_from_here(authority.config(), &headers)
        || !authority.is_form_token(&visitor.cookie, Form::Portal, field("csrf"))
    {
        return stale_form();
    }
    if let Err(error) = authority.sign_out(&visitor.cookie).await {
        return unavailable(&error);
    }
    let mut response = see_other(&format!("/sign-in?next={}", URL_SAFE_NO_PAD.encode(destination(field("next")))));
    drop_cookie(authority.config(), response.headers_mut());
    response
}
