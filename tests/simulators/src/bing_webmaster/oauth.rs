//! OAuth 2.0 at Bing Webmaster: consent, code, refresh.
//!
//! Source: learn.microsoft.com/en-us/bingwebmaster/oauth2. Client id and secret are in the body. Here a refresh token is
//! good for one use, so that whoever keeps the old one is found out; using one again ends its grant. There is no
//! revocation endpoint.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest, Sha256};
use url::Url;

use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;

pub(super) const CLIENT: &str = "5imulatedbingclient";
pub(super) const SECRET: &str = "5imulatedbingclientsecret";
const SCOPES: [&str; 2] = ["webmaster.manage", "webmaster.read"];
const LIFE: Duration = Duration::from_secs(3_600);

/// What was consented to.
#[derive(Default)]
pub(super) struct Grants {
    /// By code: redirect, challenge, scope.
    codes: BTreeMap<String, (String, Option<String>, String)>,
    /// Refresh token to grant and scope; one that was used stays, to be known again.
    refresh: BTreeMap<String, (u64, String, bool)>,
    /// Access token to grant and end.
    access: BTreeMap<String, (u64, Instant)>,
    made: u64,
}

fn error(status: u16, code: &str) -> Reply {
    Reply::json(status, &json!({ "error": code, "error_description": "ERROR!!!" }))
}

fn hashed(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

impl Grants {
    pub(super) fn knows(&self, token: &str) -> bool {
        self.access.get(token).is_some_and(|(_, until)| Instant::now() < *until)
    }

    pub(super) fn answer(&mut self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        match (method, parts.as_slice()) {
            ("GET", ["webmasters", "oauth", "authorize"]) => consent(request),
            ("GET", ["webmasters", "oauth", "decide"]) => self.decided(request),
            ("POST", ["webmasters", "oauth", "token"]) => self.token(request, desk),
            _ => Reply::empty(404),
        }
    }

    fn decided(&mut self, request: &Request) -> Reply {
        let Some(mut back) = request.query("redirect_uri").and_then(|it| Url::parse(it).ok()) else {
            return error(400, "invalid_request");
        };
        if request.query("decision") == Some("allow") {
            self.made += 1;
            let code = format!("bing-code-{}", self.made);
            let text = |name: &str| request.query(name).unwrap_or_default().to_owned();
            let challenge = request.query("code_challenge").map(str::to_owned);
            self.codes.insert(code.clone(), (text("redirect_uri"), challenge, text("scope")));
            back.query_pairs_mut().append_pair("code", &code);
        } else {
            back.query_pairs_mut().append_pair("error", "access_denied");
        }
        if let Some(state) = request.query("state") {
            back.query_pairs_mut().append_pair("state", state);
        }
        Reply::empty(302).header("location", back)
    }

    fn token(&mut self, request: &Request, desk: &Desk) -> Reply {
        let form = |name: &str| request.form(name).unwrap_or_default();
        if form("client_id") != CLIENT || form("client_secret") != SECRET {
            return error(400, "invalid_client");
        }
        match form("grant_type").as_str() {
            "authorization_code" => {
                let Some((redirect, challenge, scope)) = self.codes.remove(&form("code")) else {
                    return error(400, "invalid_grant");
                };
                let is_proven = challenge.is_none_or(|it| it == hashed(&form("code_verifier")));
                if redirect != form("redirect_uri") || !is_proven {
                    return error(400, "invalid_grant");
                }
                desk.effect("oauth.granted", CLIENT, request);
                self.made += 1;
                self.issue(self.made, scope)
            }
            "refresh_token" => match self.refresh.get_mut(&form("refresh_token")) {
                None => error(400, "invalid_grant"),
                Some((grant, _, true)) => {
                    let over = *grant;
                    self.refresh.retain(|_, (grant, ..)| *grant != over);
                    self.access.retain(|_, (grant, _)| *grant != over);
                    desk.effect("oauth.ended", CLIENT, request);
                    error(400, "invalid_grant")
                }
                Some((grant, scope, used)) => {
                    *used = true;
                    let (grant, scope) = (*grant, scope.clone());
                    desk.effect("oauth.refreshed", CLIENT, request);
                    self.issue(grant, scope)
                }
            },
            _ => error(400, "unsupported_grant_type"),
        }
    }

    fn issue(&mut self, grant: u64, scope: String) -> Reply {
        self.made += 1;
        let (access, refresh) = (format!("bing-access-{}", self.made), format!("bing-refresh-{}", self.made));
        self.access.insert(access.clone(), (grant, Instant::now() + LIFE));
        self.refresh.insert(refresh.clone(), (grant, scope.clone(), false));
        Reply::ok(&json!({ "access_token": access, "refresh_token": refresh, "expires_in": LIFE.as_secs(),
            "token_type": "bearer", "scope": scope }))
    }
}

/// What is wrong with a request for consent is shown to the person, not sent back.
fn consent(request: &Request) -> Reply {
    let page = |status: u16, text: &str| {
        Reply::text(status, "text/html; charset=utf-8", &format!("<!doctype html><title>Bing</title>{text}"))
    };
    let scope = request.query("scope").unwrap_or_default();
    let is_known = !scope.is_empty() && scope.split_whitespace().all(|it| SCOPES.contains(&it));
    let redirect = request.query("redirect_uri").filter(|it| Url::parse(it).is_ok());
    let is_right = request.query("client_id") == Some(CLIENT) && request.query("response_type") == Some("code");
    let (true, true, Some(_)) = (is_known, is_right, redirect) else { return page(400, "<h1>invalid_request</h1>") };
    let link = |decision: &str| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&request.query)
            .append_pair("decision", decision)
            .finish();
        format!("/webmasters/oauth/decide?{query}").replace('&', "&amp;")
    };
    page(
        200,
        &format!(
            "<h1>Allow?</h1><p>{scope}</p><p><a id=\"allow\" href=\"{}\">Allow</a> <a id=\"deny\" href=\"{}\">Deny</a></p>",
            link("allow"),
            link("deny")
        ),
    )
}
