//! A whole service without modules, over a database and a clock of its own, and a customer with a token.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, Request, StatusCode};
use model::clock::{Clock, Entropy, FixedClock, Moment, SeededEntropy};
use model::id::CustomerId;
use model::scope::ScopeSet;
use sandbox::Sandbox;
use serde_json::{Value, json};
use service::Service;
use service::config::{Config, Rates};
use service::generation::{Catalog, Generation};
use store::Store;
use tower::ServiceExt as _;

pub(crate) const ADDRESS: &str = "https://espalier.example";
pub(crate) const PAGE: &str = "https://app.example";

pub(crate) struct World {
    pub(crate) service: Service,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) customer: CustomerId,
    pub(crate) token: String,
    router: Router,
}

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

    /// The status and code of a refusal, after a look at its envelope.
    #[track_caller]
    pub(crate) fn refusal(&self) -> (u16, String) {
        let body = self.envelope();
        assert_eq!(self.header("content-type"), "application/json");
        assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
        assert_eq!(body["request_id"], self.header("x-request-id"));
        (self.status.as_u16(), body["error"]["code"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned())
    }

    #[track_caller]
    pub(crate) fn expect(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.refusal(), (status, code.to_owned()), "{}", self.text);
        self.envelope()["error"].clone()
    }

    /// The envelope of a refusal: the body over REST; over MCP the data of a JSON-RPC error that says the same.
    #[track_caller]
    fn envelope(&self) -> Value {
        let body = self.json();
        if body["jsonrpc"].is_null() {
            return body;
        }
        let envelope = body["error"]["data"].clone();
        assert_eq!(body["error"]["code"], self.status.as_u16(), "{body}");
        assert_eq!(body["error"]["message"], envelope["error"]["message"], "{body}");
        envelope
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(
            ScopeSet::all(),
            Rates { requests: 10_000, enumeration: 10_000, feedback: 1_000, ..Rates::default() },
        )
        .await
    }

    pub(crate) async fn with(scopes: ScopeSet, limits: Rates) -> Self {
        let clock = Arc::new(FixedClock::at(Moment(1_790_000_000_000)));
        let as_clock: Arc<dyn Clock> = clock.clone();
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new([7; 32]));
        let store = Store::memory(as_clock.clone(), entropy.clone()).await.unwrap();
        let config = Config {
            public_url: ADDRESS.into(),
            cors_origins: vec![PAGE.to_owned()],
            client_documents: None,
            upstream: None,
            trusted_proxies: Vec::new(),
            keys: model::keys::Keys::new(model::keys::KeyRing::of([1; 32])),
            limits,
            billing: std::sync::Arc::default(),
            uploads: model::edges::UploadLimits::default(),
            work: service::config::Work::default(),
            replay: service::config::Replay::default(),
            off: service::config::Off::default(),
        };
        let sandbox =
            Sandbox::new(sandbox::Config { concurrent: 4, threads: 1, ..sandbox::Config::default() }).unwrap();
        let catalog = Catalog::new(Generation::new("2026-09-28", "sha256:00", Vec::new()).unwrap());
        let service = Service::new(store, sandbox, catalog, as_clock, entropy, config);
        let customer = service.core.authority().add_customer("ada@example.com", None, 1_000).await.unwrap().id;
        let mut world = Self { router: crate::router(service.clone()), service, clock, customer, token: String::new() };
        world.token = world.token_for(scopes).await;
        world
    }

    pub(crate) async fn token_for(&self, scopes: ScopeSet) -> String {
        let life = std::time::Duration::from_secs(3_600 * 24 * 30);
        let made = self.service.core.authority().issue_token(&self.customer, scopes, "test", life).await.unwrap();
        made.secret.reveal().to_owned()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 22).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// A request with the token; an empty body is none.
    pub(crate) async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            request = request.header(AUTHORIZATION, format!("Bearer {}", self.token));
        }
        if !body.is_empty() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, &[], "").await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, &[], &body.to_string()).await
    }

    /// A search for an intent of this grant.
    pub(crate) async fn intent(&self) -> String {
        let found = self.get("/v1/capabilities?query=list%20my%20authors").await;
        found.json()["data"]["intent_ref"].as_str().unwrap_or_else(|| panic!("{}", found.text)).to_owned()
    }
}

/// No token at all.
pub(crate) const NO_TOKEN: (&str, &str) = ("authorization", "");

#[tokio::test]
async fn an_address_that_leads_nowhere_is_told_in_the_envelope() {
    World::new().await.get("/nowhere").await.expect(404, "route_not_found");
}

#[tokio::test]
async fn health_needs_no_token_and_readiness_says_what_is_served() {
    let world = World::new().await;
    assert_eq!(world.ask(Method::GET, "/healthz", &[NO_TOKEN], "").await.json(), json!({ "status": "alive" }));
    let ready = world.ask(Method::GET, "/readyz", &[NO_TOKEN], "").await;
    assert_eq!((ready.status, &ready.json()["api_version"]), (StatusCode::OK, &json!("2026-09-28")));
    world.ask(Method::POST, "/readyz", &[NO_TOKEN], "").await.expect(405, "method_not_allowed");
}

#[tokio::test]
async fn a_page_of_a_configured_origin_may_ask_and_read_and_another_may_not() {
    let world = World::new().await;
    let question = [("origin", PAGE), ("access-control-request-method", "POST"), NO_TOKEN];
    let answer = world.ask(Method::OPTIONS, "/v1/feedback", &question, "").await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.header("access-control-allow-origin"), PAGE);
    assert!(answer.header("access-control-allow-headers").contains("idempotency-key"));

    let read = world.ask(Method::GET, "/v1/usage", &[("origin", PAGE)], "").await;
    assert!(read.header("access-control-expose-headers").contains("ratelimit"));

    let question = [("origin", "https://evil.example"), ("access-control-request-method", "POST"), NO_TOKEN];
    let answer = world.ask(Method::OPTIONS, "/v1/feedback", &question, "").await;
    answer.expect(405, "method_not_allowed");
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
}
