//! Connecting accounts by a consent at their provider: through our page, the provider's, and back.

mod answers;
mod indexing;
mod kept;
mod listed;
mod ranked;
mod researched;
mod searched;
mod tokens;
mod visible;

use scraper::{Html, Selector};
use serde_json::{Value, json};
use simulators::{Seed, Simulator, World};
use tests::customer::Customer;
use tests::host::{Host, Options};
use tests::person::{Browser, Page};
use url::Url;

const PASSWORD: &str = "correct horse battery";
const SCOPES: &str = "account:read connections:manage";
const GOOGLE: &str = "oauth2.googleapis.com";

/// A host that has clients at simulated providers, and one of its customers.
struct Scene {
    host: Host,
    world: World,
    ada: Customer,
}

fn clients(options: &mut Options, world: &World) {
    options.client(GOOGLE, &world.google);
    options.client("bing_webmaster", &world.bing_webmaster);
}

impl Scene {
    async fn set() -> Self {
        let world = simulators::start(Seed(1)).await.expect("providers");
        let host = Host::start_with(|options| clients(options, &world)).await;
        let ada = customer(&host, "ada@example.com").await;
        Self { host, world, ada }
    }

    fn origin(&self) -> Url {
        self.host.rest.trim_end_matches("/v1").parse().expect("a URL")
    }

    async fn start(&self, arguments: Value) -> Value {
        self.ada.run("connections.oauth.start", arguments).await.data()
    }

    async fn status(&self, started: &Value) -> Value {
        self.ada.read("connections.oauth.status", json!({ "flow_ref": started["flow_ref"] })).await.data()
    }

    /// A whole consent, with all that is asked for; the connection's reference.
    async fn connect(&self, arguments: Value) -> String {
        let started = self.start(arguments).await;
        let mut browser = signed_in(&self.origin(), "ada@example.com").await;
        let back = trip(&mut browser, &started, "allow").await;
        let page = browser.open(&back).await;
        assert_eq!(page.status, 200, "{}", page.text);
        self.status(&started).await["connection_ref"].as_str().expect("a connection").to_owned()
    }

    async fn state(&self, connection: &str) -> Value {
        let listed = self.ada.read("connections.list", json!({})).await.data();
        let all = listed["connections"].as_array().expect("connections");
        all.iter().find(|it| it["connection_ref"] == connection).expect("the connection")["state"].clone()
    }

    async fn test(&self, connection: &str) -> Value {
        self.ada.run("connections.test", json!({ "connection_ref": connection })).await.data()
    }
}

async fn customer(host: &Host, email: &str) -> Customer {
    let added = host.add_customer(email, PASSWORD, 300).await;
    let token = host.token_for(&added, SCOPES, std::time::Duration::from_secs(86_400)).await;
    let customer = added.with_token(&token);
    host.buy_points(&customer, 50).await;
    customer
}

/// A browser in which this customer has signed in.
async fn signed_in(origin: &Url, email: &str) -> Browser {
    let mut browser = Browser::default();
    let page = browser.open(&origin.join("/sign-in").expect("a URL")).await;
    browser.submit(&page, "password", &[("email", email), ("password", PASSWORD)]).await;
    browser
}

fn address(started: &Value) -> Url {
    started["authorize_url"].as_str().expect("an address").parse().expect("a URL")
}

/// Through our page to the provider's address.
async fn leave(browser: &mut Browser, started: &Value) -> Url {
    let page = browser.open(&address(started)).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let left = browser.submit(&page, "csrf", &[("decision", "continue")]).await;
    assert_eq!(left.status, 303, "{}", left.text);
    left.location().expect("the provider")
}

/// Decides on the provider's page, in a browser that knows nothing of ours; the address that it sends back to.
async fn decide(provider: &Url, decision: &str) -> Url {
    let mut browser = Browser::default();
    let page = browser.open(provider).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let decided = browser.open(&link(&page, decision)).await;
    decided.location().expect("the way back")
}

fn link(page: &Page, id: &str) -> Url {
    let html = Html::parse_document(&page.text);
    let selector = Selector::parse(&format!("a#{id}")).expect("a selector");
    let link = html.select(&selector).next().expect("a link").value().attr("href").expect("an address").to_owned();
    page.url.join(&link).expect("a URL")
}

async fn trip(browser: &mut Browser, started: &Value, decision: &str) -> Url {
    let provider = leave(browser, started).await;
    decide(&provider, decision).await
}

/// How often something took effect.
fn times(provider: &Simulator, effect: &str) -> usize {
    provider.effects().iter().filter(|it| it.name == effect).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_that_is_connected_by_a_consent_works_from_the_first_call_to_the_first_answer() {
    let scene = Scene::set().await;
    let origin = scene.origin();
    for (kind, title) in [
        ("google_search_console", "Google Search Console"),
        ("google_business_profile", "Google Business Profile"),
        ("ga4", "Google Analytics 4"),
        ("gmail", "Gmail mailbox"),
        ("bing_webmaster", "Bing Webmaster Tools"),
    ] {
        let started = scene.start(json!({ "kind": kind })).await;
        assert_eq!(scene.status(&started).await["state"], "pending", "{kind}");
        let mut browser = signed_in(&origin, "ada@example.com").await;
        let page = browser.open(&address(&started)).await;
        assert!(page.text.contains(title) && page.text.contains("ada@example.com"), "{kind} {}", page.text);
        let provider = leave(&mut browser, &started).await;
        let query: std::collections::BTreeMap<_, _> = provider.query_pairs().into_owned().collect();
        assert_eq!(query["code_challenge_method"], "S256", "{kind}");
        assert_eq!(query["redirect_uri"], origin.join("/connect/callback").expect("a URL").as_str(), "{kind}");
        assert!(query["state"].len() >= 43 && query["code_challenge"].len() == 43, "{kind}");
        assert!(!provider.as_str().contains("client_secret"), "{kind}");
        let back = decide(&provider, "allow").await;
        let page = browser.open(&back).await;
        assert_eq!(page.status, 200, "{kind} {}", page.text);
        assert_eq!(page.headers["cache-control"], "no-store");
        assert_eq!(page.headers["referrer-policy"], "no-referrer");
        let status = scene.status(&started).await;
        assert_eq!((&status["state"], &status["error"]), (&json!("completed"), &Value::Null), "{kind}");
        let connection = status["connection_ref"].as_str().expect("a connection");
        let tested = scene.test(connection).await;
        assert_eq!(tested["ok"], true, "{kind} {tested}");
        assert_eq!(scene.state(connection).await, "ok", "{kind}");
    }
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_client_at_the_provider_nothing_is_started_and_it_is_said_why() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let host = Host::start_with(|options| options.client("bing_webmaster", &world.bing_webmaster)).await;
    let ada = customer(&host, "ada@example.com").await;
    let refused = ada.run("connections.oauth.start", json!({ "kind": "gmail" })).await;
    assert_eq!(refused.refusal(), (409, "no_provider_client".to_owned()));
    assert_eq!(refused.pointer(), "/kind");
    ada.run("connections.oauth.start", json!({ "kind": "bing_webmaster" })).await.data();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_that_was_unticked_at_the_provider_is_missing_in_the_test() {
    let scene = Scene::set().await;
    let both =
        json!(["https://www.googleapis.com/auth/webmasters", "https://www.googleapis.com/auth/webmasters.readonly"]);
    let started = scene.start(json!({ "kind": "google_search_console", "scopes": both })).await;
    let mut browser = signed_in(&scene.origin(), "ada@example.com").await;
    let provider = leave(&mut browser, &started).await;
    let page = Browser::default().open(&provider).await;
    let mut allow = link(&page, "allow");
    allow.query_pairs_mut().append_pair("untick", "https://www.googleapis.com/auth/webmasters");
    let back = Browser::default().open(&allow).await.location().expect("the way back");
    assert_eq!(browser.open(&back).await.status, 200);
    let connection = scene.status(&started).await["connection_ref"].as_str().expect("a connection").to_owned();
    let tested = scene.test(&connection).await;
    assert_eq!(tested["missing_permissions"], json!(["https://www.googleapis.com/auth/webmasters"]));
    assert_eq!((&tested["ok"], &tested["error"]["code"]), (&json!(false), &json!("missing_permission")));
}
