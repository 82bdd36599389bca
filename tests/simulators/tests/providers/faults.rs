//! The matrix: every kind with every fault. What a client sees, and whether the request took effect.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use simulators::{Auth, Fault};
use tokio::task::JoinSet;

use crate::client::{self, Door, Sign, client, read, world};

/// A request that takes effect once each time it is answered, and how the provider says no.
struct Row {
    door: Door,
    method: Method,
    path: String,
    body: Value,
    /// The name of the effect.
    effect: &'static str,
    /// Status, and a pointer to a text of the provider's own shape (empty: the body is no JSON object).
    limited: (u16, &'static str),
    broken: (u16, &'static str),
    refused: (u16, &'static str),
}

async fn rows(world: &simulators::World) -> Vec<Row> {
    let post = Method::POST;
    let zones = client::cloudflare(world).get("/client/v4/zones").await;
    let zone = zones.at("/result/0/id").as_str().expect("a zone");
    vec![
        Row {
            door: client::wordpress(world),
            method: post.clone(),
            path: "/wp-json/wp/v2/posts".to_owned(),
            body: json!({ "title": "Fault" }),
            effect: "post.created",
            limited: (429, ""),
            broken: (500, "/code"),
            refused: (401, "/code"),
        },
        Row {
            door: client::google(world),
            method: post.clone(),
            path: "/v3/urlNotifications:publish".to_owned(),
            body: json!({ "url": "http://shop.example/jobs/1", "type": "URL_UPDATED" }),
            effect: "url.notified",
            limited: (429, "/error/status"),
            broken: (503, "/error/status"),
            refused: (401, "/error/status"),
        },
        Row {
            door: client::bing(world),
            method: post.clone(),
            path: "/webmaster/api.svc/json/SubmitUrl".to_owned(),
            body: json!({ "siteUrl": "http://shop.example", "url": "http://shop.example/products" }),
            effect: "url.submitted",
            limited: (400, "/ErrorCode"),
            broken: (500, "/ErrorCode"),
            refused: (400, "/ErrorCode"),
        },
        Row {
            door: client::indexnow(world),
            method: post.clone(),
            path: "/indexnow".to_owned(),
            body: json!({ "host": "127.0.0.1", "key": "0123456789abcdef", "urlList": ["http://127.0.0.1/"] }),
            effect: "url.submitted",
            limited: (429, "/code"),
            broken: (500, "/code"),
            refused: (403, "/code"),
        },
        Row {
            door: client::dataforseo(world),
            method: post.clone(),
            path: "/v3/serp/google/organic/live/advanced".to_owned(),
            body: json!([{ "keyword": "lamp", "location_code": 2826, "language_code": "en", "depth": 1 }]),
            effect: "task.charged",
            limited: (200, "/status_code"),
            broken: (500, "/status_code"),
            refused: (401, "/status_code"),
        },
        Row {
            door: client::llm(world),
            method: post.clone(),
            path: "/v1/chat/completions".to_owned(),
            body: json!({ "model": "sim-small", "messages": [{ "role": "user", "content": "Name a lamp." }] }),
            effect: "answer.made",
            limited: (429, "/error/code"),
            broken: (500, "/error/type"),
            refused: (401, "/error/code"),
        },
        Row {
            door: client::jmap(world),
            method: post.clone(),
            path: "/jmap/api".to_owned(),
            body: json!({ "using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail", "urn:ietf:params:jmap:submission"], "methodCalls": [
                ["Email/set", { "accountId": "u1f4a1", "create": { "d": { "to": [{ "email": "quiet@press.example" }] } } }, "0"],
                ["EmailSubmission/set", { "accountId": "u1f4a1", "create": { "s": { "emailId": "#d" } } }, "1"]] }),
            effect: "message.sent",
            limited: (429, "/type"),
            broken: (503, "/type"),
            refused: (401, "/type"),
        },
        Row {
            door: client::cloudflare(world),
            method: Method::PATCH,
            path: format!("/client/v4/zones/{zone}/dnssec"),
            body: json!({ "status": "active" }),
            effect: "dnssec.set",
            limited: (429, "/errors/0/code"),
            broken: (500, "/errors/0/code"),
            refused: (403, "/errors/0/code"),
        },
        Row {
            door: client::powerdns(world),
            method: post.clone(),
            path: "/api/v1/servers/localhost/zones/shop.example./cryptokeys".to_owned(),
            body: json!({ "keytype": "zsk" }),
            effect: "key.created",
            limited: (429, ""),
            broken: (500, "/error"),
            refused: (401, ""),
        },
        Row {
            door: client::name_com(world),
            method: post.clone(),
            path: "/v4/domains/shop.example:lock".to_owned(),
            body: json!({}),
            effect: "domain.updated",
            limited: (429, "/message"),
            broken: (500, "/message"),
            refused: (401, "/message"),
        },
        Row {
            door: client::porkbun(world),
            method: post.clone(),
            path: "/api/json/v3/domain/updateAutoRenew/shop.example".to_owned(),
            body: client::with_keys(world, json!({ "status": "on" })),
            effect: "domain.updated",
            limited: (503, "/message"),
            broken: (500, "/message"),
            refused: (400, "/message"),
        },
        Row {
            door: Door {
                simulator: world.fulfilment.clone(),
                sign: |it, held| it.bearer_auth(client::text(held, "api_key")).header("idempotency-key", fresh()),
            },
            method: post,
            path: "/v1/tasks".to_owned(),
            body: json!({ "kind": "share", "audience_ref": "aud_lampton", "quantity": 1, "text": "Look.", "disclosure": "Paid.", "url": "http://shop.example/" }),
            effect: "task.created",
            limited: (429, "/error/code"),
            broken: (500, "/error/code"),
            refused: (401, "/error/code"),
        },
    ]
}

/// A new idempotency key for each request.
fn fresh() -> String {
    static SENT: AtomicU64 = AtomicU64::new(0);
    format!("matrix-{}", SENT.fetch_add(1, Ordering::Relaxed))
}

/// What a client gets: an answer, or nothing in the time it has.
async fn ask(row: &Row, client: &Client) -> Result<client::Said, reqwest::Error> {
    let response = row.door.request(client, row.method.clone(), &row.path).json(&row.body).send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await?;
    Ok(client::Said { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) })
}

#[tokio::test]
async fn every_kind_fails_in_every_way_and_then_works_again() {
    let world = world().await;
    let hasty = Client::builder().timeout(Duration::from_millis(1_500)).build().expect("a client");
    let mut kinds = JoinSet::new();
    for row in rows(&world).await {
        kinds.spawn(fails_and_works_again(row, hasty.clone(), world.control()));
    }
    while let Some(done) = kinds.join_next().await {
        done.expect("the kind fails as it is told");
    }
}

async fn fails_and_works_again(row: Row, hasty: Client, control: String) {
    let name = row.door.simulator.name();
    for fault in Fault::ALL {
        let before = row.door.effects(row.effect);
        row.door.simulator.fault(fault, 1);
        let patient = matches!(fault, Fault::Timeout | Fault::AnswerLost | Fault::SlowDrip);
        let http = if patient { hasty.clone() } else { client() };
        let got = ask(&row, &http).await;
        let took = row.door.effects(row.effect) - before;
        let refused = |expected: (u16, &str)| {
            let said = got.as_ref().expect("an answer");
            assert_eq!((said.status, took), (expected.0, 0), "{name} {fault:?}: {said:?}");
            let shape = if expected.1.is_empty() { said.body.is_null() } else { !said.at(expected.1).is_null() };
            assert!(shape, "{name} {fault:?}: {said:?}");
        };
        match fault {
            Fault::Timeout => {
                assert!(got.as_ref().is_err_and(reqwest::Error::is_timeout) && took == 0, "{name} {fault:?}")
            }
            Fault::AnswerLost | Fault::SlowDrip => assert!(
                got.as_ref().is_err_and(reqwest::Error::is_timeout) && took == 1,
                "{name} {fault:?} {got:?} {took}"
            ),
            Fault::Truncated => {
                assert!(got.as_ref().is_err_and(|error| !error.is_timeout()) && took == 1, "{name} {fault:?} {got:?}")
            }
            Fault::RateLimited => refused(row.limited),
            Fault::ServerError => refused(row.broken),
            Fault::Unauthorized => refused(row.refused),
            Fault::WrongJson => assert!(
                got.is_ok_and(|said| said.status == 200 && said.body.get("unexpected").is_some()) && took == 1,
                "{name}"
            ),
            Fault::NotJson => {
                assert!(got.is_ok_and(|said| said.status == 200 && said.body.is_null()) && took == 1, "{name}")
            }
            Fault::ClockSkew => {
                let said = got.expect("an answer");
                let sane = read(client().get(&control).send().await.expect("an answer")).await;
                assert_ne!(said.header("date").get(..16), sane.header("date").get(..16), "{name}: another day");
                assert_eq!(took, 1, "{name}");
            }
        }
        let recorded = row.door.simulator.requests();
        let last = recorded.last().expect("a request");
        assert_eq!(last.fault, Some(fault), "{name}");
        assert!(matches!(last.auth, Auth::Right | Auth::NotNeeded), "{name}");
    }
    let after = ask(&row, &client()).await.expect("an answer");
    assert!(after.status < 300, "{name} works again: {after:?}");
}

#[tokio::test]
async fn every_kind_refuses_a_wrong_credential_and_does_nothing() {
    let world = world().await;
    for row in rows(&world).await {
        let name = row.door.simulator.name();
        // Their credential is in the body; tests of their own look at that.
        if ["indexnow", "porkbun"].contains(&name) {
            continue;
        }
        let strangers: [(Sign, u16); 2] = [
            (|it, _| it.basic_auth("nobody", Some("nothing")), row.refused.0),
            // Cloudflare tells a missing header from a wrong token.
            (|it, _| it, if name == "cloudflare" { 400 } else { row.refused.0 }),
        ];
        for (sign, status) in strangers {
            let door = Door { simulator: row.door.simulator.clone(), sign };
            let before = door.effects(row.effect);
            let said = door.send(row.method.clone(), &row.path, &row.body).await;
            assert_eq!((said.status, door.effects(row.effect)), (status, before), "{name}: {said:?}");
            let auth = door.simulator.requests().last().map(|it| it.auth);
            assert!(matches!(auth, Some(Auth::Wrong | Auth::Missing)), "{name}");
        }
    }
}

#[tokio::test]
async fn faults_are_planned_and_records_read_over_the_control_listener_too() {
    let world = world().await;
    let (control, http) = (world.control(), client());
    let plan = json!({ "provider": "wordpress", "fault": "server_error", "times": 1, "path": "/wp-json/wp/v2/users" });
    assert_eq!(
        http.post(format!("{control}/__faults")).json(&plan).send().await.expect("an answer").status().as_u16(),
        204
    );
    let door = client::wordpress(&world);
    assert_eq!(door.get("/wp-json/wp/v2/posts").await.status, 200, "another path is not touched");
    assert_eq!(door.get("/wp-json/wp/v2/users/me").await.status, 500);
    assert_eq!(door.get("/wp-json/wp/v2/users/me").await.status, 200);
    door.post("/wp-json/wp/v2/posts", &json!({ "title": "Counted" })).await;
    let effects =
        read(http.get(format!("{control}/__effects?provider=wordpress")).send().await.expect("an answer")).await;
    assert_eq!(effects.at("/0/name"), "post.created");
    let unknown =
        read(http.get(format!("{control}/__requests?provider=nobody")).send().await.expect("an answer")).await;
    assert_eq!((unknown.status, unknown.at("/error")), (404, &json!("unknown provider")));
}
