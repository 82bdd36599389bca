//! The fulfilment contract: one task for one key, states in order, counts that fit, callbacks that can be trusted.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::HeaderMap;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::net::TcpListener;

use crate::client::{Said, client, fulfilment, read, text, world};

fn task(extra: Value) -> Value {
    let mut task = json!({ "campaign": "c1", "kind": "share", "audience_ref": "aud_lamp_friends", "quantity": 20, "text": "Show this lamp to a friend.", "disclosure": "Paid by Lamp shop.", "url": "http://shop.example/products/lamp-2" });
    task.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    task
}

async fn create(world: &simulators::World, key: &str, body: &Value) -> Said {
    let request =
        fulfilment(world).request(&client(), Method::POST, "/v1/tasks").header("idempotency-key", key).json(body);
    read(request.send().await.expect("an answer")).await
}

#[tokio::test]
async fn a_key_makes_one_task_however_often_it_is_sent() {
    let world = world().await;
    let first = create(&world, "key-0000001", &task(json!({}))).await;
    let again = create(&world, "key-0000001", &task(json!({}))).await;
    assert_eq!((first.status, &first.body, again.header("idempotent-replayed")), (201, &again.body, "true"));
    let other = create(&world, "key-0000001", &task(json!({ "quantity": 21 }))).await;
    assert_eq!((other.status, other.at("/error/code")), (409, &json!("idempotency_key_conflict")));
    assert_eq!(create(&world, "short", &task(json!({}))).await.at("/error/code"), "idempotency_key_required");
    assert_eq!(
        create(&world, "key-0000002", &task(json!({ "audience_ref": "aud_none" }))).await.at("/error/field"),
        "audience_ref"
    );
    assert_eq!(fulfilment(&world).effects("task.created"), 1);
    assert_eq!(world.fulfilment.effects()[0].key.as_deref(), Some("key-0000001"));
}

#[tokio::test]
async fn tasks_move_to_their_end_with_counts_that_fit_and_are_listed_by_page() {
    let world = world().await;
    let door = fulfilment(&world);
    for nth in 0..5 {
        create(&world, &format!("key-000000{nth}"), &task(json!({}))).await;
    }
    for _ in 0..3 {
        door.post("/v1/sandbox/advance", &json!({})).await;
    }
    let first = door.get("/v1/tasks?state=done&limit=3").await;
    let second = door
        .get(&format!("/v1/tasks?state=done&limit=3&cursor={}", first.at("/next_cursor").as_str().expect("a cursor")))
        .await;
    assert_eq!(
        (
            first.at("/tasks").as_array().map(Vec::len),
            second.at("/tasks").as_array().map(Vec::len),
            second.at("/next_cursor")
        ),
        (Some(3), Some(2), &json!(null))
    );
    let done = &first.at("/tasks/0");
    let count = |name: &str| done[name].as_u64().expect("a count");
    assert!(count("done") <= count("accepted") && count("accepted") <= count("offered") && count("offered") == 20);
    assert_eq!(door.post("/v1/tasks/task_1/cancel", &json!({})).await.at("/error/code"), "finished");
    create(&world, "key-0000009", &task(json!({}))).await;
    assert_eq!(door.post("/v1/tasks/task_6/cancel", &json!({})).await.at("/state"), "cancelled");
    assert_eq!(door.post("/v1/tasks/task_6/cancel", &json!({})).await.status, 200);
    assert_eq!(door.effects("task.cancelled"), 1);
}

#[tokio::test]
async fn a_callback_is_signed_and_tried_again_until_it_is_taken() {
    let world = world().await;
    let got: Arc<Mutex<Vec<(HeaderMap, String)>>> = Arc::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let kept = got.clone();
    let router = Router::new().fallback(move |headers: HeaderMap, body: String| {
        let mut kept = kept.lock().expect("a lock");
        kept.push((headers, body));
        // The first is not taken.
        let status = if kept.len() == 1 { 503_u16 } else { 204 };
        async move { axum::http::StatusCode::from_u16(status).expect("a status") }
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    world.site("app.example", address);
    create(&world, "key-0000001", &task(json!({ "callback_url": "http://app.example/callback" }))).await;
    fulfilment(&world).post("/v1/sandbox/advance", &json!({})).await;
    while got.lock().expect("a lock").len() < 2 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let got = got.lock().expect("a lock").clone();
    let of = |at: usize, name: &str| got[at].0[name].to_str().expect("text").to_owned();
    assert_eq!(of(0, "webhook-id"), of(1, "webhook-id"), "one change is one message");
    let secret = world.fulfilment.credentials();
    let key = BASE64_STANDARD.decode(text(&secret, "signing_secret").trim_start_matches("whsec_")).expect("base64");
    let signed = format!("{}.{}.{}", of(1, "webhook-id"), of(1, "webhook-timestamp"), got[1].1);
    let mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key").chain_update(signed).finalize().into_bytes();
    assert_eq!(of(1, "webhook-signature"), format!("v1,{}", BASE64_STANDARD.encode(mac)));
    assert_eq!(serde_json::from_str::<Value>(&got[1].1).expect("JSON")["type"], "task.offered");
}
