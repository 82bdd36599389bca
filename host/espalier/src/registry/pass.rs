//! What a registry wants to see before it answers: nothing, a login, or a token that its own office gives for one.

use anyhow::{Context as _, bail};
use model::token::Secret;
use oci_client::secrets::RegistryAuth;
use reqwest::header::{HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Client, RequestBuilder, Url};
use serde::Deserialize;

use super::address::{Address, is_loopback};
use super::door::{Purpose, reason, whole};
use super::login::Login;

/// Bytes of a token's answer; the longest tokens have some 10 KiB.
const MOST_TOKEN: usize = 64 * 1024;

/// What is shown with each request.
#[derive(Clone, Debug)]
pub(super) enum Pass {
    /// A login.
    Basic(Login),
    /// A token of the registry's office.
    Bearer(Secret),
}

/// The answer of an office; some write the one name and some the other.
#[derive(Deserialize)]
struct Answer {
    token: Option<String>,
    access_token: Option<String>,
}

/// How a registry wants to be asked.
enum Challenge {
    Basic,
    Bearer { realm: Url, service: Option<String> },
}

impl Pass {
    /// Shows it.
    pub(super) fn show(&self, request: RequestBuilder) -> RequestBuilder {
        match self {
            Self::Basic(login) => request.basic_auth(&login.user, Some(login.password.reveal())),
            Self::Bearer(token) => request.bearer_auth(token.reveal()),
        }
    }
}

/// A pass by what a refusal asks for. None: it cannot be had with this login, or without one.
///
/// # Errors
/// The office cannot be asked, is to be asked in the clear, or says something else than a token.
pub(super) async fn earn(
    http: &Client,
    address: &Address,
    login: Option<&Login>,
    purpose: Purpose,
    refusal: &HeaderMap,
) -> anyhow::Result<Option<Pass>> {
    let (realm, service) = match challenge(refusal) {
        None => return Ok(None),
        Some(Challenge::Basic) => return Ok(login.cloned().map(Pass::Basic)),
        Some(Challenge::Bearer { realm, service }) => (realm, service),
    };
    let near = address.is_loopback() && realm.host_str().is_some_and(is_loopback);
    let office = realm.host_str().unwrap_or_default().to_owned();
    if realm.scheme() != "https" && !near {
        bail!("{} sends whoever has a login to {office} over plain HTTP; it was not given", address.host());
    }
    let scope = format!("repository:{}:{}", address.name(), purpose.actions());
    let mut url = realm;
    url.query_pairs_mut().append_pair("scope", &scope);
    if let Some(service) = &service {
        url.query_pairs_mut().append_pair("service", service);
    }
    let request = http.get(url);
    let request = match login {
        Some(login) => request.basic_auth(&login.user, Some(login.password.reveal())),
        None => request,
    };
    let unread = || format!("{office} gives no token for {}", address.host());
    let response = request.send().await.map_err(reason).with_context(unread)?;
    match response.status().as_u16() {
        200 => {}
        400 | 401 | 403 => return Ok(None),
        status => bail!("{}: it answered {status}; try again later", unread()),
    }
    let body = whole(response, MOST_TOKEN).await.with_context(unread)?;
    let answer: Answer = serde_json::from_slice(&body).map_err(|_| anyhow::anyhow!("{}: no JSON", unread()))?;
    let token = answer.token.or(answer.access_token).with_context(unread)?;
    if token.is_empty() || HeaderValue::from_str(&token).is_err() {
        bail!("{}: what it calls one cannot be sent", unread());
    }
    Ok(Some(Pass::Bearer(Secret::received(token))))
}

/// The first way of asking that is known here.
fn challenge(refusal: &HeaderMap) -> Option<Challenge> {
    let lines = refusal.get_all(WWW_AUTHENTICATE).iter().filter_map(|line| line.to_str().ok());
    let asked: Vec<_> = lines.filter_map(|line| http_auth::parse_challenges(line).ok()).flatten().collect();
    let bearer = asked.iter().find(|it| it.scheme.eq_ignore_ascii_case("bearer")).and_then(|it| {
        let named = |name: &str| {
            let found = it.params.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.to_unescaped())
        };
        let realm = Url::parse(&named("realm")?).ok()?;
        Some(Challenge::Bearer { realm, service: named("service") })
    });
    let basic = || asked.iter().any(|it| it.scheme.eq_ignore_ascii_case("basic")).then_some(Challenge::Basic);
    bearer.or_else(basic)
}

/// The login as `oci-client` wants it. It earns its tokens itself, since one may end before a long upload does.
pub(super) fn of_login(login: Option<&Login>) -> RegistryAuth {
    login.map_or(RegistryAuth::Anonymous, |login| {
        RegistryAuth::Basic(login.user.clone(), login.password.reveal().to_owned())
    })
}
