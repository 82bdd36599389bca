//! Signing in with an OpenID provider, which is a small one in this file.

use std::sync::Mutex;

use axum::extract::{Form, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use ed25519_dalek::{Signer as _, SigningKey};
use service::oauth::upstream::{Provider, Upstream};

use super::*;

const SUBJECT: &str = "person-7";

/// What the provider answers with, changed by a test.
#[derive(Clone)]
struct Script {
    key: SigningKey,
    kid: &'static str,
    header: Value,
    claims: Value,
    /// The code and the challenge that the browser brought.
    asked: Option<(String, String)>,
    exchanges: Vec<Vec<(String, String)>>,
}

type Shared = Arc<Mutex<Script>>;

struct OpenId {
    issuer: String,
    script: Shared,
}

async fn discovery(State((issuer, _)): State<(String, Shared)>) -> Json<Value> {
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "authorization_response_iss_parameter_supported": true,
    }))
}

async fn keys(State((_, script)): State<(String, Shared)>) -> Json<Value> {
    let script = script.lock().unwrap().clone();
    let key = URL_SAFE_NO_PAD.encode(script.key.verifying_key().as_bytes());
    Json(json!({ "keys": [
        { "kty": "unheard-of", "kid": "odd" },
        { "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": script.kid, "x": key },
    ] }))
}

async fn token(State((_, script)): State<(String, Shared)>, Form(form): Form<Vec<(String, String)>>) -> Json<Value> {
    let mut script = script.lock().unwrap();
    script.exchanges.push(form);
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&script.header), part(&script.claims));
    let signature = URL_SAFE_NO_PAD.encode(script.key.sign(signed.as_bytes()).to_bytes());
    Json(json!({ "access_token": "upstream", "token_type": "Bearer", "id_token": format!("{signed}.{signature}") }))
}

impl OpenId {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let script = Arc::new(Mutex::new(Script {
            key: SigningKey::from_bytes(&[5; 32]),
            kid: "first",
            header: json!({ "alg": "EdDSA", "kid": "first", "typ": "JWT" }),
            claims: json!({}),
            asked: None,
            exchanges: Vec::new(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .with_state((issuer.clone(), script.clone()));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, script }
    }

    async fn world(&self, add_customers: bool) -> World {
        let settings = Upstream {
            name: "Example ID".to_owned(),
            issuer: self.issuer.clone(),
            client_id: "espalier".to_owned(),
            client_secret: None,
            add_customers,
        };
        let upstream = Some(Arc::new(Provider::new(settings).unwrap()));
        World::made(1_000, Config { upstream, ..config(ISSUER) }).await
    }

    /// Leaves for the provider; what it then says of the person is this, with these changes.
    async fn leave(&self, browser: &mut Browser<'_>, next: &str, changes: &[(&str, Value)]) -> url::Url {
        let away = browser.get(&format!("/sign-in/with?next={}", URL_SAFE_NO_PAD.encode(next))).await.location();
        let sent = |name: &str| away.query_pairs().find(|(given, _)| given == name).unwrap().1.into_owned();
        assert_eq!((sent("response_type"), sent("client_id")), ("code".to_owned(), "espalier".to_owned()));
        assert_eq!(sent("redirect_uri"), format!("{ISSUER}/sign-in/callback"));
        assert_eq!((sent("code_challenge_method"), sent("scope")), ("S256".to_owned(), "openid email".to_owned()));
        let mut claims = json!({
            "iss": self.issuer, "sub": SUBJECT, "aud": "espalier", "exp": 1_790_000_300, "iat": 1_790_000_000,
            "nonce": sent("nonce"), "email": "Ada@Example.com", "email_verified": true,
        });
        for (name, value) in changes {
            claims[*name] = value.clone();
        }
        let mut script = self.script.lock().unwrap();
        script.claims = claims;
        script.asked = Some((sent("state"), sent("code_challenge")));
        away
    }

    fn back(&self, changes: &[(&str, &str)]) -> String {
        let state = self.script.lock().unwrap().asked.clone().unwrap().0;
        let mut fields = vec![("code", "upstream-code"), ("state", &*state), ("iss", &*self.issuer)];
        for (name, value) in changes {
            fields.retain(|(known, _)| known != name);
            fields.push((name, value));
        }
        format!("/sign-in/callback?{}", encode(&fields))
    }
}

#[tokio::test]
async fn a_person_with_a_verified_e_mail_signs_in_and_goes_on_to_where_they_were_going() {
    let provider = OpenId::start().await;
    let world = provider.world(false).await;
    let mut browser = Browser::new(&world);
    assert!(browser.get("/sign-in").await.text.contains("Sign in with Example ID"));
    provider.leave(&mut browser, "/apps", &[]).await;
    let before = browser.cookie.clone();
    let back = browser.get(&provider.back(&[])).await;
    assert_eq!(back.location().path(), "/apps", "{}", back.text);
    assert_ne!(browser.cookie, before, "a new cookie");
    assert_eq!(browser.get("/apps").await.status, StatusCode::OK);
    // The code was exchanged with the verifier of the challenge.
    let script = provider.script.lock().unwrap().clone();
    let sent = |name: &str| script.exchanges[0].iter().find(|(given, _)| given == name).unwrap().1.clone();
    let challenge = URL_SAFE_NO_PAD.encode(<sha2::Sha256 as sha2::Digest>::digest(sent("code_verifier")));
    assert_eq!((sent("code"), challenge), ("upstream-code".to_owned(), script.asked.unwrap().1));
}

#[tokio::test]
async fn an_identity_stays_with_its_customer_when_the_e_mail_changes() {
    let provider = OpenId::start().await;
    let world = provider.world(false).await;
    let mut browser = Browser::new(&world);
    provider.leave(&mut browser, "/", &[]).await;
    browser.get(&provider.back(&[])).await.location();
    let mut browser = Browser::new(&world);
    provider.leave(&mut browser, "/", &[("email", json!("new@example.com")), ("email_verified", json!(false))]).await;
    browser.get(&provider.back(&[])).await.location();
    assert!(browser.get("/").await.text.contains(EMAIL));
    world.authority.deactivate(&world.customer).await.unwrap();
    provider.leave(&mut browser, "/", &[]).await;
    assert_eq!(browser.get(&provider.back(&[])).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn somebody_unknown_becomes_a_customer_only_where_the_operator_wants_it() {
    let provider = OpenId::start().await;
    let grace = [("email", json!("grace@example.com")), ("sub", json!("person-8"))];
    let closed = provider.world(false).await;
    let mut browser = Browser::new(&closed);
    provider.leave(&mut browser, "/", &grace).await;
    let refused = browser.get(&provider.back(&[])).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.text.contains("There is no account"), "{}", refused.text);
    let open = provider.world(true).await;
    let mut browser = Browser::new(&open);
    provider.leave(&mut browser, "/", &grace).await;
    browser.get(&provider.back(&[])).await.location();
    assert!(browser.get("/").await.text.contains("grace@example.com"));
}

#[tokio::test]
async fn an_id_token_that_fails_one_check_signs_nobody_in() {
    let provider = OpenId::start().await;
    let world = provider.world(true).await;
    for (name, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("aud", json!(["espalier", "another"])),
        ("azp", json!("another")),
        ("exp", json!(1_789_999_000)),
        ("iat", json!(1_789_990_000)),
        ("iat", json!(1_790_009_000)),
        ("nonce", json!("of another sign-in")),
        ("nonce", Value::Null),
        ("sub", json!("")),
        ("exp", Value::Null),
    ] {
        let mut browser = Browser::new(&world);
        provider.leave(&mut browser, "/", &[(name, value.clone())]).await;
        let answer = browser.get(&provider.back(&[])).await;
        assert_eq!(answer.status, StatusCode::BAD_GATEWAY, "{name} {value}: {}", answer.text);
        assert_eq!(browser.get("/").await.location().path(), "/sign-in");
    }
    // An e-mail that is not verified is anybody's.
    for verified in [json!(false), Value::Null, json!("false"), json!(1)] {
        let mut browser = Browser::new(&world);
        provider.leave(&mut browser, "/", &[("email_verified", verified)]).await;
        assert_eq!(browser.get(&provider.back(&[])).await.status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn an_id_token_with_another_signature_signs_nobody_in() {
    let provider = OpenId::start().await;
    let world = provider.world(false).await;
    let public = provider.script.lock().unwrap().key.verifying_key();
    for header in [
        json!({ "alg": "none" }),
        json!({ "alg": "HS256", "kid": "first" }),
        json!({ "alg": "RS256", "kid": "first" }),
        json!({ "alg": "EdDSA", "kid": "another" }),
    ] {
        let mut browser = Browser::new(&world);
        provider.leave(&mut browser, "/", &[]).await;
        provider.script.lock().unwrap().header = header.clone();
        assert_eq!(browser.get(&provider.back(&[])).await.status, StatusCode::BAD_GATEWAY, "{header}");
    }
    provider.script.lock().unwrap().header = json!({ "alg": "EdDSA", "kid": "first" });
    let mut browser = Browser::new(&world);
    provider.leave(&mut browser, "/", &[]).await;
    provider.script.lock().unwrap().key = SigningKey::from_bytes(&[6; 32]);
    assert_ne!(provider.script.lock().unwrap().key.verifying_key(), public);
    assert_eq!(browser.get(&provider.back(&[])).await.status, StatusCode::BAD_GATEWAY, "the key that is known");
}

#[tokio::test]
async fn an_answer_belongs_to_the_browser_that_asked_and_to_its_provider_and_soon() {
    let provider = OpenId::start().await;
    let world = provider.world(false).await;
    let mut browser = Browser::new(&world);
    provider.leave(&mut browser, "/", &[]).await;
    let mut other = Browser::new(&world);
    other.get("/sign-in").await;
    for changes in [&[("state", "")][..], &[("state", "AAAA")], &[("state", &"A".repeat(75))]] {
        assert_eq!(browser.get(&provider.back(changes)).await.status, StatusCode::BAD_REQUEST, "{changes:?}");
    }
    assert_eq!(other.get(&provider.back(&[])).await.status, StatusCode::BAD_REQUEST, "another browser's state");
    for issuer in ["", "https://evil.example"] {
        assert_eq!(browser.get(&provider.back(&[("iss", issuer)])).await.status, StatusCode::BAD_GATEWAY, "{issuer}");
    }
    let declined = browser.get(&provider.back(&[("error", "access_denied"), ("code", "")])).await;
    assert_eq!(declined.status, StatusCode::FORBIDDEN);
    assert!(provider.script.lock().unwrap().exchanges.is_empty(), "no code was exchanged for any of these");
    world.wait(10 * 60);
    assert_eq!(browser.get(&provider.back(&[])).await.status, StatusCode::BAD_REQUEST, "too late");
}

#[tokio::test]
async fn without_a_provider_there_is_no_button_and_no_way() {
    let world = World::new().await;
    assert!(!world.get("/sign-in").await.text.contains("Sign in with"));
    assert_eq!(world.get("/sign-in/with").await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.get("/sign-in/callback?code=x&state=y").await.status, StatusCode::NOT_FOUND);
}
