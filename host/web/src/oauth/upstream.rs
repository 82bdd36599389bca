//! Signing in with the upstream OpenID provider: away, and back.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use service::config::Config;
use service::oauth::Authority;
use service::oauth::form::Parameters;
use service::oauth::upstream::NotSignedIn;

use super::sign_in::destination;
use crate::portal::page::{problem, see_other, unavailable};
use crate::portal::visitor::{Visitor, crumb, set_cookie};

/// The cookie that remembers where to go on. It is no secret, and only our own pages are gone to.
const NEXT: &str = "espalier-next";
/// Seconds that it is remembered: as long as somebody may be away.
const REMEMBERED: u32 = 600;
/// Bytes of it.
const LONGEST: usize = 3_000;

/// Sends the browser to the provider.
pub(super) async fn leave(State(authority): State<Authority>, uri: Uri, headers: HeaderMap) -> Response {
    let visitor = match Visitor::read(&authority, &headers).await {
        Ok(visitor) => visitor,
        Err(error) => return unavailable(&error),
    };
    let parameters = Parameters::read(uri.query().unwrap_or_default());
    let next = parameters.one("next").ok().flatten().unwrap_or_default();
    match authority.leave_for_upstream(&visitor.cookie).await {
        Ok(address) => {
            let mut response = see_other(&address);
            visitor.introduce(authority.config(), response.headers_mut());
            remember(authority.config(), next, REMEMBERED, response.headers_mut());
            response
        }
        Err(reason) => nobody(&reason),
    }
}

/// Takes the provider's answer.
pub(super) async fn come_back(State(authority): State<Authority>, uri: Uri, headers: HeaderMap) -> Response {
    let visitor = match Visitor::read(&authority, &headers).await {
        Ok(visitor) => visitor,
        Err(error) => return unavailable(&error),
    };
    match authority.return_from_upstream(uri.query().unwrap_or_default(), &visitor.cookie).await {
        Ok(cookie) => {
            let next = crumb(&headers, &name(authority.config())).unwrap_or_default();
            let mut response = see_other(&destination(&next));
            set_cookie(authority.config(), &cookie, response.headers_mut());
            remember(authority.config(), "", 0, response.headers_mut());
            response
        }
        Err(reason) => nobody(&reason),
    }
}

fn nobody(reason: &NotSignedIn) -> Response {
    let status = match reason {
        NotSignedIn::NotOffered => StatusCode::NOT_FOUND,
        NotSignedIn::Stale => StatusCode::BAD_REQUEST,
        NotSignedIn::Declined | NotSignedIn::NoAccount | NotSignedIn::Closed => StatusCode::FORBIDDEN,
        NotSignedIn::Unverified => StatusCode::BAD_GATEWAY,
        NotSignedIn::Store(error) => return unavailable(error),
    };
    problem(status, "Nobody was signed in", &reason.to_string())
}

fn name(config: &Config) -> String {
    let prefix = if config.public_url.starts_with("https://") { "__Host-" } else { "" };
    format!("{prefix}{NEXT}")
}

fn remember(config: &Config, next: &str, seconds: u32, headers: &mut HeaderMap) {
    let is_ours = next.len() <= LONGEST && URL_SAFE_NO_PAD.decode(next).is_ok();
    let (name, next) = (name(config), if is_ours { next } else { "" });
    let secure = if name.starts_with("__Host-") { "; Secure" } else { "" };
    let text = format!("{name}={next}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        headers.append(SET_COOKIE, value);
    }
}
