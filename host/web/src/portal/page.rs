//! What every page has: its headers, its frame, and the one stylesheet.

use askama::Template;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, RETRY_AFTER,
};
use axum::http::header::{X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use service::oauth::StoreError;

/// Where a page's forms may lead, beside back to us.
#[derive(Clone, Debug)]
pub(crate) enum Leads {
    /// Nowhere else.
    Here,
    /// Nowhere else; the page gets better with our one script, and does without.
    Inside,
    /// To a client or a provider, and from there wherever it leads on: Chromium holds every redirect that answers the
    /// form against `form-action`, also those of others, when a code has long been delivered.
    Away,
}

/// A page with the headers of RFC 9700 4.16: kept by no cache, framed by nobody, leaking no address.
pub(crate) fn page(status: StatusCode, template: &impl Template, leads: &Leads) -> Response {
    let html = match template.render() {
        Ok(html) => html,
        Err(error) => {
            tracing::error!(error = %error, "a page could not be written");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let more = match leads {
        Leads::Here => " form-action 'self';",
        Leads::Inside => " script-src 'self'; connect-src 'self'; form-action 'self';",
        Leads::Away => "",
    };
    let policy =
        format!("default-src 'none'; style-src 'self'; img-src 'self';{more} frame-ancestors 'none'; base-uri 'none'");
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let policy = HeaderValue::from_str(&policy).expect("the policy is printable ASCII");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    response
}

/// 303, never 307: a password must not travel on (RFC 9700 4.12).
pub(crate) fn see_other(location: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(location) else {
        return problem(
            StatusCode::BAD_REQUEST,
            "This address cannot be followed",
            "It has characters in it that no address has.",
        );
    };
    let fixed = [(CACHE_CONTROL, "no-store"), (REFERRER_POLICY, "no-referrer")];
    (StatusCode::SEE_OTHER, fixed, [(LOCATION, location)]).into_response()
}

#[derive(Template)]
#[template(path = "problem.html")]
struct Problem<'a> {
    title: &'a str,
    words: &'a str,
}

/// A page that says what went wrong.
pub(crate) fn problem(status: StatusCode, title: &str, words: &str) -> Response {
    page(status, &Problem { title, words }, &Leads::Here)
}

/// The page for an address that leads nowhere.
pub(crate) fn nowhere() -> Response {
    problem(
        StatusCode::NOT_FOUND,
        "There is no such page",
        "The address may be mistyped, or the page is gone. The overview leads to all pages.",
    )
}

/// The page for something of the customer's that is not there, or not theirs.
pub(crate) fn not_found(what: &str) -> Response {
    let words = format!("There is no {what} of this name in your account. It may have been removed.");
    problem(StatusCode::NOT_FOUND, "Not found", &words)
}

/// The page for a form that is not ours, or too old.
pub(crate) fn stale_form() -> Response {
    problem(
        StatusCode::FORBIDDEN,
        "This form can no longer be used",
        "It lay open for more than an hour, or it was not sent from this site. Go back, reload the page, and send it again.",
    )
}

/// The page for a database that does not answer.
pub(crate) fn unavailable(error: &StoreError) -> Response {
    tracing::error!(error = %error, "a page could not reach the store");
    let words = "The service cannot answer at the moment, and nothing was changed. Try again in a few seconds.";
    let mut response = problem(StatusCode::SERVICE_UNAVAILABLE, "One moment, please", words);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
    response
}

/// The stylesheet.
pub(crate) async fn stylesheet() -> Response {
    let headers = [(CONTENT_TYPE, "text/css; charset=utf-8"), (CACHE_CONTROL, "public, max-age=300")];
    (headers, include_str!("../../templates/espalier.css")).into_response()
}

/// The script.
pub(crate) async fn script() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "public, max-age=300")];
    (headers, include_str!("../../templates/espalier.js")).into_response()
}

/// The mark that a browser shows beside the title.
pub(crate) async fn mark() -> Response {
    let headers = [(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, "public, max-age=86400")];
    (headers, include_str!("../../templates/mark.svg")).into_response()
}
