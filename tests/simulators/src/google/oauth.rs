//! OAuth 2.0 for web server applications: consent, code with PKCE, refresh, revocation.
//!
//! Source: developers.google.com/identity/protocols/oauth2/web-server. A refresh token comes only with
//! `access_type=offline`, and is not rotated. The consent page has two links, so that a test or a person can follow one;
//! `untick` in the query of the first takes one permission away.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use super::service_account;
use super::{ALL_SCOPES, WEBMASTERS_READ};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;

pub(super) const CLIENT: &str = "lamp-shop.apps.googleusercontent.com";
pub(super) const SECRET: &str = "GOCSPX-simulated-client-secret";
/// A refresh and an access token that need no consent first; the access token does not expire by itself.
pub(super) const REFRESH: &str = "1//simulated-refresh-token";
pub(super) const ACCESS: &str = "ya29.simulated-access-token";
const LIFE: Duration = Duration::from_secs(3599);
const CODE_LIFE: Duration = Duration::from_secs(600);

/// What was consented to and not revoked.
pub(crate) struct Grants {
    codes: BTreeMap<String, Code>,
    /// Refresh token to scopes.
    refresh: BTreeMap<String, Vec<String>>,
    access: BTreeMap<String, Access>,
    issued: u64,
}

struct Code {
    redirect: String,
    challenge: Option<String>,
    scopes: Vec<String>,
    offline: bool,
    until: Instant,
}

struct Access {
    scopes: Vec<String>,
    refresh: Option<String>,
    until: Option<Instant>,
}

impl Grants {
    pub(super) fn new() -> Self {
        let scopes: Vec<String> = ALL_SCOPES.map(str::to_owned).into();
        let access = Access { scopes: scopes.clone(), refresh: Some(REFRESH.to_owned()), until: None };
        Self {
            codes: BTreeMap::new(),
            refresh: BTreeMap::from([(REFRESH.to_owned(), scopes)]),
            access: BTreeMap::from([(ACCESS.to_owned(), access)]),
            issued: 0,
        }
    }

    /// The scopes of a live access token.
    pub(super) fn scopes(&self, token: &str) -> Option<Vec<String>> {
        let access = self.access.get(token)?;
        access.until.is_none_or(|until| Instant::now() < until).then(|| access.scopes.clone())
    }

    fn issue(&mut self, scopes: Vec<String>, refresh: Option<String>) -> Value {
        self.issued += 1;
        let token = format!("ya29.simulated-{}", self.issued);
        let scope = scopes.join(" ");
        self.access.insert(token.clone(), Access { scopes, refresh, until: Some(Instant::now() + LIFE) });
        json!({ "access_token": token, "expires_in": LIFE.as_secs(), "scope": scope, "token_type": "Bearer" })
    }
}

fn error(status: u16, code: &str, description: &str) -> Reply {
    Reply::json(status, &json!({ "error": code, "error_description": description }))
}

pub(super) fn answer(grants: &mut Grants, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    match (method, parts.as_slice()) {
        ("GET", [".well-known", "openid-configuration"]) => Reply::ok(&json!({
            "issuer": desk.url, "authorization_endpoint": format!("{}/o/oauth2/v2/auth", desk.url),
            "token_endpoint": format!("{}/token", desk.url), "revocation_endpoint": format!("{}/revoke", desk.url),
            "response_types_supported": ["code"], "code_challenge_methods_supported": ["plain", "S256"],
            "grant_types_supported": ["authorization_code", "refresh_token"] })),
        ("GET", ["o", "oauth2", "v2", "auth"]) => consent(request),
        ("GET", ["signin", "oauth", "consent"]) => decided(grants, request, desk),
        ("POST", ["token"]) => token(grants, request, desk),
        ("POST", ["revoke"]) => revoke(grants, request, desk),
        _ => super::not_found(),
    }
}

/// What is wrong with a request for consent is shown to the person, not sent back.
fn consent(request: &Request) -> Reply {
    let page = |status: u16, text: &str| {
        Reply::text(status, "text/html; charset=utf-8", &format!("<!doctype html><title>Sign in</title>{text}"))
    };
    let wrong = |what: &str| page(400, &format!("<h1>Error 400: invalid_request</h1><p>{what}</p>"));
    if request.query("client_id") != Some(CLIENT) {
        return page(401, "<h1>Error 401: invalid_client</h1>");
    }
    if request.query("response_type") != Some("code") {
        return wrong("Missing required parameter: response_type");
    }
    let Some(redirect) = request.query("redirect_uri").filter(|it| Url::parse(it).is_ok()) else {
        return wrong("Missing required parameter: redirect_uri");
    };
    let scopes: Vec<&str> = request.query("scope").unwrap_or_default().split_whitespace().collect();
    if scopes.is_empty()
        || scopes
            .iter()
            .any(|it| !ALL_SCOPES.contains(it) && *it != WEBMASTERS_READ && *it != "openid" && *it != "email")
    {
        return wrong("Some requested scopes were invalid.");
    }
    let link = |decision: &str| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&request.query)
            .append_pair("decision", decision)
            .finish();
        format!("/signin/oauth/consent?{query}").replace('&', "&amp;")
    };
    let text = format!(
        "<h1>Lamp shop wants access</h1><p>{}</p><p><a id=\"allow\" href=\"{}\">Continue</a> <a id=\"deny\" href=\"{}\">Cancel</a></p><p>You will go to {redirect}</p>",
        scopes.join("<br>"),
        link("allow"),
        link("deny")
    );
    page(200, &text)
}

fn decided(grants: &mut Grants, request: &Request, desk: &Desk) -> Reply {
    let Some(mut back) = request.query("redirect_uri").and_then(|it| Url::parse(it).ok()) else {
        return super::invalid("redirect_uri");
    };
    if request.query("decision") == Some("allow") {
        grants.issued += 1;
        let code = format!("4/0simulated-{}", grants.issued);
        let plain = request.query("code_challenge_method").is_none_or(|method| method == "plain");
        let challenge = request.query("code_challenge").map(|it| if plain { hashed(it) } else { it.to_owned() });
        // A person can untick what they do not permit.
        let unticked = request.query("untick").unwrap_or_default();
        let asked = request.query("scope").unwrap_or_default().split_whitespace();
        let scope = asked.filter(|scope| *scope != unticked).collect::<Vec<_>>().join(" ");
        let made = Code {
            redirect: request.query("redirect_uri").unwrap_or_default().to_owned(),
            challenge,
            scopes: scope.split_whitespace().map(str::to_owned).collect(),
            offline: request.query("access_type") == Some("offline"),
            until: Instant::now() + CODE_LIFE,
        };
        grants.codes.insert(code.clone(), made);
        back.query_pairs_mut().append_pair("code", &code).append_pair("scope", &scope);
    } else {
        back.query_pairs_mut().append_pair("error", "access_denied");
    }
    if let Some(state) = request.query("state") {
        back.query_pairs_mut().append_pair("state", state);
    }
    // RFC 9207.
    back.query_pairs_mut().append_pair("iss", &desk.url);
    Reply::empty(302).header("location", back)
}

fn hashed(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

fn token(grants: &mut Grants, request: &Request, desk: &Desk) -> Reply {
    if request.form("grant_type").as_deref() == Some(service_account::GRANT) {
        let scopes = service_account::scopes(&request.form("assertion").unwrap_or_default(), &desk.url);
        return match scopes {
            Ok(scopes) => {
                desk.effect("oauth.granted", service_account::EMAIL, request);
                Reply::ok(&grants.issue(scopes, None))
            }
            Err(description) => error(400, "invalid_grant", description),
        };
    }
    let basic = request.basic();
    let client = basic.as_ref().map(|it| it.0.clone()).or_else(|| request.form("client_id"));
    let secret = basic.map(|it| it.1).or_else(|| request.form("client_secret"));
    if client.as_deref() != Some(CLIENT) || secret.as_deref() != Some(SECRET) {
        return error(401, "invalid_client", "The provided client secret is invalid.");
    }
    match request.form("grant_type").as_deref() {
        Some("authorization_code") => {
            // A code is good for one use, whatever comes of it.
            let found = grants.codes.remove(&request.form("code").unwrap_or_default());
            let Some(code) = found.filter(|code| Instant::now() < code.until) else {
                return error(400, "invalid_grant", "Malformed auth code.");
            };
            if request.form("redirect_uri").as_deref() != Some(code.redirect.as_str()) {
                return error(400, "redirect_uri_mismatch", "Bad Request");
            }
            if code.challenge.is_some() && code.challenge != request.form("code_verifier").map(|it| hashed(&it)) {
                return error(400, "invalid_grant", "Invalid code verifier.");
            }
            let refresh = code.offline.then(|| format!("1//simulated-{}", grants.issued + 1));
            if let Some(refresh) = &refresh {
                grants.refresh.insert(refresh.clone(), code.scopes.clone());
            }
            let mut body = grants.issue(code.scopes, refresh.clone());
            if let Some(refresh) = refresh {
                body["refresh_token"] = json!(refresh);
            }
            desk.effect("oauth.granted", CLIENT, request);
            Reply::ok(&body)
        }
        Some("refresh_token") => {
            let refresh = request.form("refresh_token").unwrap_or_default();
            let Some(scopes) = grants.refresh.get(&refresh).cloned() else {
                return error(400, "invalid_grant", "Token has been expired or revoked.");
            };
            desk.effect("oauth.refreshed", CLIENT, request);
            Reply::ok(&grants.issue(scopes, Some(refresh)))
        }
        _ => error(400, "unsupported_grant_type", "Invalid grant_type."),
    }
}

/// Either token ends the whole grant.
fn revoke(grants: &mut Grants, request: &Request, desk: &Desk) -> Reply {
    let given = request.form("token").or_else(|| request.query("token").map(str::to_owned)).unwrap_or_default();
    let refresh = grants.access.get(&given).and_then(|access| access.refresh.clone()).unwrap_or_else(|| given.clone());
    let known = grants.refresh.remove(&refresh).is_some() | grants.access.remove(&given).is_some();
    if !known {
        return error(400, "invalid_token", "Token expired or revoked");
    }
    grants.access.retain(|_, access| access.refresh.as_deref() != Some(refresh.as_str()));
    desk.effect("oauth.revoked", CLIENT, request);
    Reply::ok(&json!({}))
}
