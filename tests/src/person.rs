//! A person with a browser, and the OAuth client they use: registration, sign-in, consent, token.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{StatusCode, header};
use scraper::{Html, Selector};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

/// Where the test's client waits for the browser.
pub const REDIRECT: &str = "http://127.0.0.1:45678/callback";
/// A verifier of 43 characters.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// `code_challenge` of [`VERIFIER`].
pub fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

/// A browser with cookies, which follows nothing by itself.
pub struct Browser {
    http: reqwest::Client,
    cookies: BTreeMap<String, String>,
}

/// A page or a redirect.
pub struct Page {
    /// Where it is.
    pub url: Url,
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: header::HeaderMap,
    /// Its text.
    pub text: String,
}

impl Page {
    /// Where a redirect leads.
    pub fn location(&self) -> Option<Url> {
        self.url.join(self.headers.get(header::LOCATION)?.to_str().ok()?).ok()
    }

    /// The value of the first field of this name.
    pub fn value(&self, name: &str) -> Option<String> {
        let page = Html::parse_document(&self.text);
        let field = page.select(&selector(&format!("[name={name}]"))).next()?;
        field.value().attr("value").map(str::to_owned)
    }

    /// What the first form that has this field would send, without its buttons, and where to.
    fn form(&self, field: &str) -> Option<(Url, Vec<(String, String)>)> {
        let page = Html::parse_document(&self.text);
        let (forms, inputs) = (selector("form"), selector("input"));
        let wanted = selector(&format!("[name={field}]"));
        let form = page.select(&forms).find(|form| form.select(&wanted).next().is_some())?;
        let action = self.url.join(form.value().attr("action").unwrap_or_default()).ok()?;
        let mut values = Vec::new();
        for input in form.select(&inputs) {
            let kind = input.value().attr("type").unwrap_or("text");
            let ticked = kind == "checkbox" && input.value().attr("checked").is_some();
            if let Some(name) = input.value().attr("name").filter(|_| kind == "hidden" || ticked) {
                values.push((name.to_owned(), input.value().attr("value").unwrap_or("on").to_owned()));
            }
        }
        Some((action, values))
    }
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a selector of ours")
}

impl Default for Browser {
    fn default() -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        Self { http, cookies: BTreeMap::new() }
    }
}

impl Browser {
    /// What its cookies hold.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.cookies.values().map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Opens an address.
    pub async fn open(&mut self, url: &Url) -> Page {
        let request = self.http.get(url.clone());
        self.send(url, request).await
    }

    /// Fills the form that has `field`, adds these values, and sends it.
    ///
    /// # Panics
    /// When the page has no such form.
    pub async fn submit(&mut self, page: &Page, field: &str, values: &[(&str, &str)]) -> Page {
        let (action, mut filled) =
            page.form(field).unwrap_or_else(|| panic!("no form with {field} at {}: {}", page.url, page.text));
        filled.extend(values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let filled: Vec<(&str, &str)> = filled.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.post(&action, &filled).await
    }

    /// Sends a form to this address as a page of the same site would.
    pub async fn post(&mut self, action: &Url, fields: &[(&str, &str)]) -> Page {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self
            .http
            .post(action.clone())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ORIGIN, action.origin().ascii_serialization())
            .body(body);
        self.send(action, request).await
    }

    async fn send(&mut self, url: &Url, request: reqwest::RequestBuilder) -> Page {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let answer = request.header(header::COOKIE, cookies.join("; ")).send().await.expect("the host answers");
        for line in answer.headers().get_all(header::SET_COOKIE) {
            let pair = line.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let (status, headers) = (answer.status(), answer.headers().clone());
        Page { url: url.clone(), status, headers, text: answer.text().await.expect("text") }
    }
}

/// An OAuth client of the tests, registered with a host.
pub struct App {
    /// The authorization server's metadata.
    pub metadata: Value,
    /// Its id.
    pub client_id: String,
    /// `{mcp_url}`.
    pub resource: String,
    http: reqwest::Client,
}

impl App {
    /// Discovers the authorization server from the MCP address and registers.
    ///
    /// # Panics
    /// When any step is not as the specification says.
    pub async fn register(mcp: &str) -> Self {
        Self::register_as(mcp, "Test client").await
    }

    /// As [`App::register`], under a name.
    ///
    /// # Panics
    /// When any step is not as the specification says.
    pub async fn register_as(mcp: &str, name: &str) -> Self {
        let http = reqwest::Client::new();
        let refused = http.post(mcp).json(&json!({})).send().await.expect("an answer");
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
        let challenge = refused.headers()[header::WWW_AUTHENTICATE].to_str().expect("ascii").to_owned();
        let resource_metadata = challenge
            .split("resource_metadata=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap_or_else(|| panic!("no resource_metadata: {challenge}"))
            .to_owned();
        let resource: Value = get_json(&http, &resource_metadata).await;
        assert_eq!(resource["resource"], mcp);
        let issuer = resource["authorization_servers"][0].as_str().expect("an issuer").to_owned();
        let metadata = get_json(&http, &format!("{issuer}/.well-known/oauth-authorization-server")).await;
        assert_eq!(metadata["issuer"], issuer.as_str());
        let registered = http
            .post(metadata["registration_endpoint"].as_str().expect("an endpoint"))
            .json(&json!({
                "client_name": name,
                "redirect_uris": [REDIRECT],
                "application_type": "native",
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            }))
            .send()
            .await
            .expect("an answer");
        assert_eq!(registered.status(), StatusCode::CREATED);
        let client: Value = registered.json().await.expect("JSON");
        let client_id = client["client_id"].as_str().expect("a client_id").to_owned();
        Self { metadata, client_id, resource: mcp.to_owned(), http }
    }

    /// The same client, speaking to another node of the service.
    pub fn at(&self, origin: &str) -> Self {
        let issuer = self.metadata["issuer"].as_str().expect("an issuer");
        let metadata = self.metadata.to_string().replace(issuer, origin);
        Self {
            metadata: serde_json::from_str(&metadata).expect("JSON"),
            client_id: self.client_id.clone(),
            resource: self.resource.clone(),
            http: self.http.clone(),
        }
    }

    /// The address that the browser is sent to.
    pub fn authorization(&self, scope: &str) -> Url {
        let mut url: Url =
            self.metadata["authorization_endpoint"].as_str().expect("an endpoint").parse().expect("a URL");
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", REDIRECT)
            .append_pair("state", "a-random-state")
            .append_pair("code_challenge", &challenge())
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", &self.resource);
        if !scope.is_empty() {
            url.query_pairs_mut().append_pair("scope", scope);
        }
        url
    }

    /// Signs in, decides, and returns what came back to the client.
    ///
    /// # Panics
    /// When the pages lead anywhere else.
    pub async fn decide(&self, scope: &str, email: &str, password: &str, decision: &str) -> BTreeMap<String, String> {
        let mut browser = Browser::default();
        let mut page = browser.open(&self.authorization(scope)).await;
        for _ in 0..8 {
            page = match page.location() {
                Some(to) if to.as_str().starts_with(REDIRECT) => {
                    return to.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
                }
                Some(to) => browser.open(&to).await,
                None if page.text.contains("name=\"password\"") => {
                    browser.submit(&page, "password", &[("email", email), ("password", password)]).await
                }
                None => browser.submit(&page, "decision", &[("decision", decision)]).await,
            };
        }
        panic!("the pages never came back to the client; the last was {} {}", page.status, page.text);
    }

    /// Asks the token endpoint.
    pub async fn token(&self, form: &[(&str, &str)]) -> (StatusCode, Value) {
        let endpoint = self.metadata["token_endpoint"].as_str().expect("an endpoint");
        self.form(endpoint, form).await
    }

    /// Exchanges a code.
    pub async fn exchange(&self, code: &str) -> (StatusCode, Value) {
        self.token(&[
            ("grant_type", "authorization_code"),
            ("client_id", &self.client_id),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
            ("resource", &self.resource),
        ])
        .await
    }

    /// Rotates a refresh token.
    pub async fn refresh(&self, refresh_token: &str) -> (StatusCode, Value) {
        self.token(&[
            ("grant_type", "refresh_token"),
            ("client_id", &self.client_id),
            ("refresh_token", refresh_token),
            ("resource", &self.resource),
        ])
        .await
    }

    /// Revokes a token.
    pub async fn revoke(&self, token: &str) -> StatusCode {
        let endpoint = self.metadata["revocation_endpoint"].as_str().expect("an endpoint");
        self.form(endpoint, &[("token", token), ("client_id", &self.client_id)]).await.0
    }

    async fn form(&self, endpoint: &str, form: &[(&str, &str)]) -> (StatusCode, Value) {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request =
            self.http.post(endpoint).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body);
        let answer = request.send().await.expect("an answer");
        let status = answer.status();
        (status, serde_json::from_slice(&answer.bytes().await.expect("a body")).unwrap_or(Value::Null))
    }
}

async fn get_json(http: &reqwest::Client, url: &str) -> Value {
    let answer = http.get(url).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK, "{url}");
    serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON")
}
