//! A browser, an application, and the authorization server between them, over a database of its own.
//! The tests are named after the rows of the checklist that they show.

mod attacks;
mod authorization;
mod bearing;
mod discovery;
mod exchange;
mod lookalikes;
mod portal;
mod registration;
mod revocation;
mod upstream;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::audit::Audit;
use model::clock::{Clock, Entropy, FixedClock, Moment, SeededEntropy};
use model::id::{CustomerId, GrantId};
use serde_json::{Value, json};
use service::config::{Config, Rates};
use service::oauth::Authority;
use service::oauth::password::Password;
use store::{Changes, Settlement, Store};
use tower::ServiceExt as _;

pub(crate) const ISSUER: &str = "https://espalier.example";
pub(crate) const MCP: &str = "https://espalier.example/mcp";
pub(crate) const BACK: &str = "http://127.0.0.1:3000/callback";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const EMAIL: &str = "ada@example.com";
pub(crate) const PASSWORD: &str = "correct horse battery";

/// A service at this address, with limits that no test reaches by accident.
pub(crate) fn config(public_url: &str) -> Config {
    Config {
        public_url: public_url.into(),
        cors_origins: Vec::new(),
        client_documents: None,
        upstream: None,
        trusted_proxies: Vec::new(),
        keys: model::keys::Keys::new(model::keys::KeyRing::of([7; 32])),
        limits: Rates { registration: 60, ..Rates::default() },
        billing: std::sync::Arc::default(),
        uploads: model::edges::UploadLimits::default(),
        work: service::config::Work::default(),
        replay: service::config::Replay::default(),
        off: service::config::Off::default(),
    }
}

/// The authorization server, its clock, and one customer with 1,000 credits.
pub(crate) struct World {
    pub(crate) authority: Authority,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) customer: CustomerId,
    router: Router,
    _folder: tempfile::TempDir,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{} {}", self.status, self.text))
    }

    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", self.headers)).to_str().unwrap()
    }

    #[track_caller]
    pub(crate) fn location(&self) -> url::Url {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        url::Url::parse(ISSUER).unwrap().join(self.header(LOCATION.as_str())).unwrap()
    }

    /// A parameter of the address that the browser is sent to; it is there exactly once.
    #[track_caller]
    pub(crate) fn sent(&self, name: &str) -> Option<String> {
        let values: Vec<String> =
            self.location().query_pairs().filter(|(given, _)| given == name).map(|(_, value)| value.into()).collect();
        assert!(values.len() < 2, "{name} came twice");
        values.into_iter().next()
    }

    /// The value of a hidden input of a page.
    #[track_caller]
    pub(crate) fn hidden(&self, form: &str, name: &str) -> String {
        let start = self.text.find(&format!("action=\"{form}\"")).unwrap_or_else(|| panic!("no {form}: {}", self.text));
        let mark = format!("name=\"{name}\" value=\"");
        let rest = &self.text[start..];
        let from = rest.find(&mark).unwrap_or_else(|| panic!("no {name}: {rest}")) + mark.len();
        rest[from..].split('"').next().unwrap().to_owned()
    }

    /// The scopes whose boxes the page ticks.
    pub(crate) fn ticked(&self) -> Vec<String> {
        let boxes = self.text.split("name=\"scope\" value=\"").skip(1);
        let ticked = boxes.filter(|rest| rest.split('>').next().is_some_and(|tag| tag.ends_with(" checked")));
        ticked.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    }

    #[track_caller]
    pub(crate) fn expect_error(&self, status: StatusCode, error: &str) {
        assert_eq!((self.status, self.json()["error"].as_str()), (status, Some(error)), "{}", self.text);
        let description = self.json()["error_description"].as_str().unwrap().to_owned();
        assert!(description.bytes().all(|b| (0x20..=0x7e).contains(&b) && b != b'"' && b != b'\\'), "{description}");
        assert_eq!(self.header("cache-control"), "no-store");
        assert_eq!(self.header("content-type"), "application/json");
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(1_000).await
    }

    pub(crate) async fn with(credits: u64) -> Self {
        Self::made(credits, config(ISSUER)).await
    }

    pub(crate) async fn limited(limits: Rates) -> Self {
        Self::made(1_000, Config { limits, ..config(ISSUER) }).await
    }

    pub(crate) async fn made(credits: u64, config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::at(Moment(1_790_000_000_000)));
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new([3; 32]));
        let as_clock: Arc<dyn Clock> = clock.clone();
        let url = format!("sqlite://{}", folder.path().join("espalier.db").display());
        let store = Store::open(&url, as_clock.clone(), entropy.clone()).await.unwrap();
        let authority = Authority::new(store, as_clock, entropy, config);
        let password = Password::chosen(PASSWORD).unwrap();
        let customer = authority.add_customer(EMAIL, Some(password), credits).await.unwrap().id;
        let router =
            Router::new().merge(super::router(authority.clone())).merge(crate::portal::router(authority.clone()));
        Self { authority, clock, customer, router, _folder: folder }
    }

    /// Another node of the same service.
    pub(crate) fn node(&self) -> Authority {
        let (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>) =
            (self.clock.clone(), Arc::new(SeededEntropy::new([4; 32])));
        Authority::new(self.authority.store().clone(), clock, entropy, config(ISSUER))
    }

    /// A line of the customer's trail.
    pub(crate) fn line(&self, event: &str, subject: &str, grant: &GrantId) -> Audit {
        Audit {
            at: self.authority.clock().now(),
            customer: self.customer.clone(),
            detail: json!({}),
            event: event.to_owned(),
            grant: Some(grant.clone()),
            outcome: "ok".to_owned(),
            points: 0,
            request: None,
            subject: subject.to_owned(),
        }
    }

    /// A call that costs this much and changes nothing.
    pub(crate) fn call(&self, line: Audit, request: &str, points: u64) -> Settlement {
        Settlement {
            customer: self.customer.clone(),
            grant: line.grant.clone(),
            request: request.into(),
            operation: line.subject.clone(),
            site: None,
            now: line.at,
            api_version: "2026-09-28".into(),
            points,
            hold: None,
            hold_for_job: None,
            changes: Changes::default(),
            answer: None,
            claim: None,
            audit: Audit { request: Some(request.into()), points, ..line },
        }
    }

    pub(crate) fn wait(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 20).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = Request::post(path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(encode(fields))).unwrap()).await
    }

    pub(crate) async fn post_json(&self, path: &str, body: &str) -> Answer {
        let request = Request::post(path).header(CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    /// Registers an application and gives its `client_id`.
    pub(crate) async fn register(&self, name: &str) -> String {
        let body = json!({
            "client_name": name,
            "redirect_uris": [BACK],
            "application_type": "native",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        });
        let answer = self.post_json("/oauth/register", &body.to_string()).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        answer.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// The whole way of a browser: sign in, approve, and bring the code back.
    pub(crate) async fn code(&self, client: &str, scope: &str) -> String {
        let mut browser = Browser::new(self);
        browser.sign_in().await;
        let answer = browser.decide(&authorize(client, &[("scope", scope)]), "approve").await;
        answer.sent("code").unwrap_or_else(|| panic!("no code: {}", answer.location()))
    }

    /// Exchanges a code.
    pub(crate) async fn redeem(&self, client: &str, code: &str) -> Answer {
        self.post_form("/oauth/token", &redemption(client, code)).await
    }

    /// A fresh pair of tokens.
    pub(crate) async fn tokens(&self, client: &str, scope: &str) -> Pair {
        let code = self.code(client, scope).await;
        Pair::read(&self.redeem(client, &code).await)
    }

    pub(crate) async fn refresh(&self, client: &str, token: &str) -> Answer {
        let fields =
            [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token), ("resource", MCP)];
        self.post_form("/oauth/token", &fields).await
    }

    /// Whether a bearer token is accepted, or the code of the refusal.
    pub(crate) async fn bearer(&self, token: &str) -> Result<(), String> {
        let found = self.authority.bearer(&model::token::Secret::received(token)).await;
        found.map(|_| ()).map_err(|refusal| refusal.code.into_owned())
    }
}

/// An access token and the refresh token that came with it.
pub(crate) struct Pair {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Pair {
    #[track_caller]
    pub(crate) fn read(answer: &Answer) -> Self {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        let text = |name: &str| answer.json()[name].as_str().unwrap().to_owned();
        Self { access: text("access_token"), refresh: text("refresh_token") }
    }
}

pub(crate) fn redemption<'a>(client: &'a str, code: &'a str) -> [(&'a str, &'a str); 6] {
    [
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", BACK),
        ("code_verifier", VERIFIER),
        ("resource", MCP),
    ]
}

/// The address of a good authorization request, with changes.
pub(crate) fn authorize(client: &str, changes: &[(&str, &str)]) -> String {
    let usual = [
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", BACK),
        ("state", "st/ä te"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", MCP),
    ];
    let mut fields: Vec<(&str, &str)> = usual.to_vec();
    for (name, value) in changes {
        fields.retain(|(known, _)| known != name);
        fields.push((name, value));
    }
    format!("/oauth/authorize?{}", encode(&fields))
}

pub(crate) fn encode(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// A browser: keeps its cookie, follows nothing by itself.
pub(crate) struct Browser<'a> {
    world: &'a World,
    /// The session's.
    pub(crate) cookie: Option<String>,
    /// All others, as they are sent.
    pub(crate) cookies: std::collections::BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self { world, cookie: None, cookies: Default::default() }
    }

    pub(crate) async fn go(&mut self, method: Method, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut request = Request::builder().method(&method).uri(path);
        let others = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        let cookies: Vec<String> = self.cookie.iter().cloned().chain(others).collect();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies.join("; "));
        }
        let body = if method == Method::POST {
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            Body::from(encode(fields))
        } else {
            Body::empty()
        };
        let answer = self.world.send(request.body(body).unwrap()).await;
        for cookie in answer.headers.get_all(SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            match pair.split_once('=').unwrap() {
                ("__Host-espalier" | "espalier", _) => self.cookie = Some(pair.to_owned()),
                (name, "") => drop(self.cookies.remove(name)),
                (name, value) => drop(self.cookies.insert(name.to_owned(), value.to_owned())),
            }
        }
        answer
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.go(Method::GET, path, &[]).await
    }

    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.go(Method::POST, path, fields).await
    }

    /// Types e-mail and password into the sign-in page that goes on to `next`.
    pub(crate) async fn sign_in_with(&mut self, email: &str, password: &str, next: &str) -> Answer {
        let page = self.get(&format!("/sign-in?next={}", URL_SAFE_NO_PAD.encode(next))).await;
        let (csrf, next) = (page.hidden("/sign-in", "csrf"), page.hidden("/sign-in", "next"));
        self.post("/sign-in", &[("csrf", &csrf), ("next", &next), ("email", email), ("password", password)]).await
    }

    pub(crate) async fn sign_in(&mut self) {
        let answer = self.sign_in_with(EMAIL, PASSWORD, "/").await;
        assert_eq!(answer.location().path(), "/");
    }

    /// Opens the consent page and presses a button.
    pub(crate) async fn decide(&mut self, address: &str, decision: &str) -> Answer {
        let page = self.get(address).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        let form = "/oauth/authorize";
        let (request, csrf) = (page.hidden(form, "request"), page.hidden(form, "csrf"));
        let ticked = page.ticked();
        let mut fields = vec![("request", request.as_str()), ("csrf", &csrf), ("decision", decision)];
        fields.extend(ticked.iter().map(|scope| ("scope", scope.as_str())));
        self.post(form, &fields).await
    }
}
