//! Who is at the other end of a browser: its cookie, its session, where it comes from, and whether a form is its own.

use axum::http::header::{COOKIE, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use model::token::{Purpose, Secret};
use service::config::Config;
use service::oauth::Authority;
use service::oauth::Session;
use service::oauth::StoreError;
use service::oauth::device;
use service::oauth::session::LIFE;

/// A browser, with the secret of its cookie. Before sign-in the secret stands for nothing but the browser itself,
/// so that a form can be bound to it; at sign-in it is replaced.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) cookie: Secret,
    pub(crate) session: Option<Session>,
    /// Whether the browser has to be given the cookie.
    fresh: Fresh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fresh {
    Yes,
    No,
}

impl Visitor {
    /// Reads the cookie; makes one for a browser without.
    pub(crate) async fn read(authority: &Authority, headers: &HeaderMap) -> Result<Self, StoreError> {
        match cookie(authority.config(), headers) {
            Some(cookie) => {
                let session = authority.session(&cookie).await?;
                Ok(Self { cookie, session, fresh: Fresh::No })
            }
            None => {
                let cookie = Secret::new(Purpose::Session, authority.entropy());
                Ok(Self { cookie, session: None, fresh: Fresh::Yes })
            }
        }
    }

    /// The header that gives a new browser its cookie.
    pub(crate) fn introduce(&self, config: &Config, headers: &mut HeaderMap) {
        match self.fresh {
            Fresh::Yes => set_cookie(config, &self.cookie, headers),
            Fresh::No => {}
        }
    }
}

/// The cookie's name. The prefix makes browsers refuse it from anywhere but this very host over TLS; over plain
/// http, which is for development on one's own machine, browsers would not take it, so there it is `espalier`.
fn name(config: &Config) -> &'static str {
    if is_secure(config) { "__Host-espalier" } else { "espalier" }
}

fn is_secure(config: &Config) -> bool {
    config.public_url.starts_with("https://")
}

fn cookie(config: &Config, headers: &HeaderMap) -> Option<Secret> {
    named(headers, name(config), Purpose::Session)
}

fn named(headers: &HeaderMap, name: &str, purpose: Purpose) -> Option<Secret> {
    let value = crumb(headers, name)?;
    let looks_like_ours = value.len() <= 128 && value.starts_with(purpose.prefix());
    looks_like_ours.then(|| Secret::received(value))
}

/// The value of a cookie.
pub(crate) fn crumb(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(given, _)| *given == name).map(|(_, value)| value.to_owned())
}

/// The cookie that takes a new token to the one page that shows it.
fn flash_name(config: &Config) -> &'static str {
    if is_secure(config) { "__Host-espalier-made" } else { "espalier-made" }
}

/// The new token that this browser has not seen yet.
pub(super) fn flash(config: &Config, headers: &HeaderMap) -> Option<Secret> {
    named(headers, flash_name(config), Purpose::Access)
}

/// Sends a new token with the redirect to its page; it is good for a minute.
pub(super) fn set_flash(config: &Config, token: &Secret, headers: &mut HeaderMap) {
    let secure = if is_secure(config) { "; Secure" } else { "" };
    let (name, value) = (flash_name(config), token.reveal());
    let text = format!("{name}={value}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict{secure}");
    headers.append(SET_COOKIE, HeaderValue::from_str(&text).expect("a cookie is printable ASCII"));
}

/// Takes it away.
pub(super) fn drop_flash(config: &Config, headers: &mut HeaderMap) {
    let secure = if is_secure(config) { "; Secure" } else { "" };
    let text = format!("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict{secure}", flash_name(config));
    headers.append(SET_COOKIE, HeaderValue::from_str(&text).expect("a cookie is printable ASCII"));
}

/// Gives a browser its cookie.
pub(crate) fn set_cookie(config: &Config, cookie: &Secret, headers: &mut HeaderMap) {
    let secure = if is_secure(config) { "; Secure" } else { "" };
    let (name, value, seconds) = (name(config), cookie.reveal(), LIFE.as_secs());
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    headers.append(SET_COOKIE, HeaderValue::from_str(&text).expect("a cookie is printable ASCII"));
}

/// The cookie of a browser that has signed in before. It outlives the session, and opens nothing by itself.
fn device_name(config: &Config) -> &'static str {
    if is_secure(config) { "__Host-espalier-device" } else { "espalier-device" }
}

/// What the browser holds as a known device.
pub(crate) fn device(config: &Config, headers: &HeaderMap) -> Option<String> {
    crumb(headers, device_name(config)).filter(|value| value.len() <= 128)
}

/// Makes the browser a known device.
pub(crate) fn set_device(config: &Config, token: &str, headers: &mut HeaderMap) {
    let secure = if is_secure(config) { "; Secure" } else { "" };
    let (name, seconds) = (device_name(config), device::LIFE.as_secs());
    let text = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    headers.append(SET_COOKIE, HeaderValue::from_str(&text).expect("a cookie is printable ASCII"));
}

/// Takes it away.
pub(crate) fn drop_cookie(config: &Config, headers: &mut HeaderMap) {
    let secure = if is_secure(config) { "; Secure" } else { "" };
    let text = format!("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{secure}", name(config));
    headers.append(SET_COOKIE, HeaderValue::from_str(&text).expect("a cookie is printable ASCII"));
}

/// Whether a form may have been sent by one of our own pages. `null` is what browsers say for these pages,
/// because they send no referrer. The form's own token is the real proof; this is the second lock.
pub(crate) fn is_from_here(config: &Config, headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let origin = headers.get(ORIGIN).map(HeaderValue::as_bytes);
    matches!(site, None | Some(b"same-origin" | b"none"))
        && origin.is_none_or(|origin| origin == b"null" || origin == config.public_url.as_bytes())
}
