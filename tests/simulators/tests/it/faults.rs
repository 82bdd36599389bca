//! The matrix: every kind with every fault. What a client sees, and whether the request took effect.

use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use simulators::{Auth, Fault};

use crate::client::{self, Door, client, read, world};

/// A request that takes effect once each time it is answered, and how the provider says no.
struct Row {
    door: Door,
    method: Method,
    path: &'static str,
    body: Value,
    /// The name of the effect.
    effect: &'static str,
    /// Status, and a pointer to a text of the provider's own shape (empty: the body is no JSON object).
    limited: (u16, &'static str),
    broken: (u16, &'static str),
    refused: (u16, &'static str),
}

fn rows(world: &simulators::World) -> Vec<Row> {
    let post = Method::POST;
    vec![
        Row {
            door: client::wordpress(world),
            method: post.clone(),
            path: "/wp-json/wp/v2/posts",
            body: json!({ "title": "Fault" }),
            effect: "post.created",
            limited: (429, ""),
            broken: (500, "/code"),
            refused: (401, "/code"),
        },
        Row {
            door: client::google(world),
            method: post,
            path: "/v3/urlNotifications:publish",
            body: json!({ "url": "http://shop.example/jobs/1", "type": "URL_UPDATED" }),
            effect: "url.notified",
            limited: (429, "/error/status"),
            broken: (503, "/error/status"),
            refused: (401, "/error/status"),
        },
    ]
}

/// What a client gets: an answer, or nothing in the time it has.
async fn ask(row: &Row, client: &Client) -> Result<client::Said, reqwest::Error> {
    let response = row.door.request(client, row.method.clone(), row.path).json(&row.body).send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await?;
    Ok(client::Said { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) })
}

#[tokio::test]
async fn every_kind_fails_in_every_way_and_then_works_again() {
    let world = world().await;
    let hasty = Client::builder().timeout(Duration::from_millis(1_500)).build().expect("a client");
    for row in rows(&world) {
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
                Fault::Truncated => assert!(
                    got.as_ref().is_err_and(|error| !error.is_timeout()) && took == 1,
                    "{name} {fault:?} {got:?}"
                ),
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
                    let sane = read(client().get(world.control()).send().await.expect("an answer")).await;
                    assert_ne!(said.header("date").get(..16), sane.header("date").get(..16), "{name}: another day");
                    assert_eq!(took, 1, "{name}");
                }
            }
            let recorded = row.door.simulator.requests();
            let last = recorded.last().expect("a request");
            assert_eq!((last.fault, last.auth), (Some(fault), Auth::Right), "{name}");
        }
        let after = ask(&row, &client()).await.expect("an answer");
        assert!(after.status < 300, "{name} works again: {after:?}");
    }
}

#[tokio::test]
async fn every_kind_refuses_a_wrong_credential_and_does_nothing() {
    let world = world().await;
    for row in rows(&world) {
        let name = row.door.simulator.name();
        let wrong =
            Door { simulator: row.door.simulator.clone(), sign: |it, _| it.basic_auth("nobody", Some("nothing")) };
        for door in [wrong, Door { simulator: row.door.simulator.clone(), sign: |it, _| it }] {
            let before = door.effects(row.effect);
            let said = door.send(row.method.clone(), row.path, &row.body).await;
            assert_eq!((said.status, door.effects(row.effect)), (row.refused.0, before), "{name}: {said:?}");
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
