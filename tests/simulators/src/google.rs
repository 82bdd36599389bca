//! Google: one origin for all the products that customers connect, with OAuth in front.
//!
//! The real ones live on many hosts (`oauth2.googleapis.com`, `searchconsole.googleapis.com`, `mybusiness….googleapis.com`
//! and so on); their paths do not collide, so one origin plays all. Errors are the shape of google.rpc.Status over JSON
//! (cloud.google.com/apis/design/errors) with the older `errors[]` that Search Console and Gmail still send.

mod analytics;
mod business;
mod crux;
mod gmail;
mod indexing;
mod inspection;
mod listing;
mod oauth;
mod pagespeed;
mod performance;
mod reviews;
mod search_console;
mod service_account;

use std::sync::Mutex;

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use crate::lock;
use crate::post_office::PostOffice;
use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;

/// The key of PageSpeed Insights and of the Chrome UX Report.
const API_KEY: &str = "AIzaSy-lamp-shop-simulated-key";
const WEBMASTERS: &str = "https://www.googleapis.com/auth/webmasters";
const WEBMASTERS_READ: &str = "https://www.googleapis.com/auth/webmasters.readonly";
const INDEXING: &str = "https://www.googleapis.com/auth/indexing";
const BUSINESS: &str = "https://www.googleapis.com/auth/business.manage";
const ANALYTICS: &str = "https://www.googleapis.com/auth/analytics.readonly";
const GMAIL_READ: &str = "https://www.googleapis.com/auth/gmail.readonly";
const GMAIL_SEND: &str = "https://www.googleapis.com/auth/gmail.send";
const ALL_SCOPES: [&str; 6] = [WEBMASTERS, INDEXING, BUSINESS, ANALYTICS, GMAIL_READ, GMAIL_SEND];

/// How one product answers.
type Product = fn(&Google, &Request, &Desk) -> Reply;

/// One account that has everything.
pub(crate) struct Google {
    oauth: Mutex<oauth::Grants>,
    search_console: Mutex<search_console::Properties>,
    indexing: Mutex<indexing::Notifications>,
    business: Mutex<business::Locations>,
    listing: Mutex<listing::Posts>,
    reviews: Mutex<reviews::Reviews>,
    post: PostOffice,
}

impl Google {
    pub(crate) fn new(seed: Seed, post: PostOffice) -> Self {
        Self {
            oauth: Mutex::new(oauth::Grants::new()),
            search_console: Mutex::new(search_console::Properties::new()),
            indexing: Mutex::default(),
            business: Mutex::new(business::Locations::new()),
            listing: Mutex::new(listing::Posts::new()),
            reviews: Mutex::new(reviews::Reviews::new(seed)),
            post,
        }
    }

    /// The scopes of the request's token; any one of those asked for is enough.
    fn allows(&self, request: &Request, any: &[&str]) -> Option<Reply> {
        let held = lock(&self.oauth).scopes(request.bearer().unwrap_or_default())?;
        if any.iter().any(|scope| held.iter().any(|it| it == scope)) {
            return None;
        }
        let reply = error(
            403,
            "PERMISSION_DENIED",
            "insufficientPermissions",
            "Request had insufficient authentication scopes.",
        );
        let challenge = format!(
            "Bearer realm=\"https://accounts.google.com/\", error=\"insufficient_scope\", scope=\"{}\"",
            any.join(" ")
        );
        Some(reply.header("www-authenticate", challenge))
    }
}

impl Provider for Google {
    fn credentials(&self) -> Value {
        json!({ "client_id": oauth::CLIENT, "client_secret": oauth::SECRET, "refresh_token": oauth::REFRESH,
            "access_token": oauth::ACCESS, "api_key": API_KEY,
            "service_account": service_account::key_file() })
    }

    fn auth(&self, request: &Request) -> Auth {
        let (_, parts) = request.route();
        match parts.as_slice() {
            ["token" | "revoke" | "o" | "signin" | ".well-known", ..] => Auth::NotNeeded,
            ["pagespeedonline", ..] | ["v1", "records:queryRecord" | "records:queryHistoryRecord"] => {
                Request::check(request.query("key").or_else(|| request.header("x-goog-api-key")), API_KEY)
            }
            _ => match request.bearer() {
                None => Auth::Missing,
                Some(token) if lock(&self.oauth).scopes(token).is_some() => Auth::Right,
                Some(_) => Auth::Wrong,
            },
        }
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        let webmasters: &[&str] = if method == "GET" || parts.last() == Some(&"query") {
            &[WEBMASTERS, WEBMASTERS_READ]
        } else {
            &[WEBMASTERS]
        };
        let (scopes, of): (&[&str], Product) = match parts.as_slice() {
            ["token" | "revoke" | "o" | "signin" | ".well-known", ..] => {
                return oauth::answer(&mut lock(&self.oauth), request, desk);
            }
            ["pagespeedonline", "v5", "runPagespeed"] => return pagespeed::answer(request, desk),
            ["v1", "records:queryRecord" | "records:queryHistoryRecord"] => return crux::answer(request, desk),
            ["webmasters", "v3", ..] => {
                (webmasters, |it, request, desk| search_console::answer(&mut lock(&it.search_console), request, desk))
            }
            ["v1", "urlInspection", "index:inspect"] => (&[WEBMASTERS, WEBMASTERS_READ], |it, request, desk| {
                inspection::answer(&mut lock(&it.search_console), request, desk)
            }),
            ["v3", ..] => (&[INDEXING], |it, request, desk| indexing::answer(&mut lock(&it.indexing), request, desk)),
            ["v1", "locations", rest @ ..] if performance::is_for(rest) => {
                (&[BUSINESS], |it, request, desk| performance::answer(&lock(&it.business), request, desk))
            }
            ["v1", ..] => (&[BUSINESS], |it, request, desk| business::answer(&mut lock(&it.business), request, desk)),
            ["v4", .., "reviews"] | ["v4", .., "reviews", _] | ["v4", .., "reviews", _, "reply"] => {
                (&[BUSINESS], |it, request, desk| reviews::answer(&mut lock(&it.reviews), request, desk))
            }
            ["v4", ..] => (&[BUSINESS], |it, request, desk| listing::answer(&mut lock(&it.listing), request, desk)),
            ["v1beta", ..] => (&[ANALYTICS], |_, request, desk| analytics::answer(request, desk)),
            ["gmail", "v1", "users", _, "messages", "send"] => {
                (&[GMAIL_SEND], |it, request, desk| gmail::answer(&it.post, request, desk))
            }
            ["gmail", "v1", ..] => (&[GMAIL_READ], |it, request, desk| gmail::answer(&it.post, request, desk)),
            _ => return not_found(),
        };
        self.allows(request, scopes).unwrap_or_else(|| of(self, request, desk))
    }

    fn refused(&self, request: &Request) -> Reply {
        let (_, parts) = request.route();
        match parts.as_slice() {
            ["token", ..] => Reply::json(
                400,
                &json!({ "error": "invalid_grant", "error_description": "Token has been expired or revoked." }),
            ),
            ["pagespeedonline", ..] | ["v1", "records:queryRecord" | "records:queryHistoryRecord"] => {
                let message = "API key not valid. Please pass a valid API key.";
                let details = json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com" }]);
                let old = json!([{ "message": message, "domain": "global", "reason": "badRequest" }]);
                Reply::json(
                    400,
                    &json!({ "error": { "code": 400, "message": message, "errors": old, "status": "INVALID_ARGUMENT", "details": details } }),
                )
            }
            _ => {
                let message = "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.";
                error(401, "UNAUTHENTICATED", "authError", message).header(
                    "www-authenticate",
                    "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\"",
                )
            }
        }
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        quota("Quota exceeded for quota metric 'Requests' and limit 'Requests per minute per user'.")
    }

    fn broken(&self, _: &Request) -> Reply {
        error(503, "UNAVAILABLE", "backendError", "The service is currently unavailable.")
    }
}

/// `{"error": {code, message, status, errors[]}}`.
fn error(code: u16, status: &str, reason: &str, message: &str) -> Reply {
    let old = json!([{ "message": message, "domain": "global", "reason": reason }]);
    Reply::json(code, &json!({ "error": { "code": code, "message": message, "errors": old, "status": status } }))
}

fn quota(message: &str) -> Reply {
    let details = json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED", "domain": "googleapis.com" }]);
    let old = json!([{ "message": message, "domain": "global", "reason": "rateLimitExceeded" }]);
    Reply::json(
        429,
        &json!({ "error": { "code": 429, "message": message, "errors": old, "status": "RESOURCE_EXHAUSTED", "details": details } }),
    )
}

fn invalid(message: &str) -> Reply {
    error(400, "INVALID_ARGUMENT", "badRequest", message)
}

fn not_found() -> Reply {
    error(404, "NOT_FOUND", "notFound", "Requested entity was not found.")
}

/// The UTC day it is.
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// A page of a list by an opaque token, which is the number of the first item.
fn tokened(list: &[Value], request: &Request, most: usize, field: &str) -> Reply {
    let size = request.number("pageSize").filter(|size| *size > 0).unwrap_or(most).min(most);
    let from = match request.query("pageToken").map(|token| token.strip_prefix("from-").and_then(|it| it.parse().ok()))
    {
        None => 0,
        Some(Some(from)) => from,
        Some(None) => return invalid("Request contains an invalid argument: page_token."),
    };
    let slice: Vec<&Value> = list.iter().skip(from).take(size).collect();
    let mut body = json!({ field: slice });
    if from + size < list.len() {
        body["nextPageToken"] = json!(format!("from-{}", from + size));
    }
    Reply::ok(&body)
}
