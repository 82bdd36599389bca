//! One effect per key, whatever comes twice, through either door.

use serde_json::json;
use tests::customer::{fresh_key, twins};
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_call_gets_the_same_bytes_and_is_not_charged_again() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let (key, body) = (fresh_key(), json!({ "firstname": "Ada", "lastname": "Lovelace" }));
    let first = ada.run_as("authors.create", body.clone(), &key).await;
    first.data();
    let left = ada.get("/usage").await.json()["meta"]["usage"].clone();
    let second = ada.run_as("authors.create", body.clone(), &key).await;
    assert_eq!(second.bytes, first.bytes);
    assert_eq!(second.headers["idempotent-replayed"], "true");
    assert_ne!(second.headers["x-request-id"], first.headers["x-request-id"]);
    assert_eq!(ada.get("/usage").await.json()["meta"]["usage"], left);
    // The other door knows the key too.
    let reply = ada
        .tool(
            "service_action_execute",
            json!({ "operation_id": "authors.create", "arguments": body, "idempotency_key": key }),
        )
        .await;
    assert_eq!(reply.data(), first.data());
    let authors = ada.read("authors.list", json!({})).await.data();
    assert_eq!(authors["authors"].as_array().map(Vec::len), Some(1), "{authors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_arguments_under_a_used_key_are_a_conflict_and_change_nothing() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let key = fresh_key();
    ada.run_as("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" }), &key).await.data();
    let changed = ada.run_as("authors.create", json!({ "firstname": "Ada", "lastname": "Byron" }), &key).await;
    assert_eq!(changed.refusal(), (409, "idempotency_key_conflict".to_owned()));
    // Spelled differently, the same arguments are the same.
    let spelled = ada
        .send(
            reqwest::Method::POST,
            "/operations/authors.create",
            &[("idempotency-key", &key)],
            Some(r#"{ "lastname": "Love\u006cace", "firstname": "Ada" }"#.to_owned()),
        )
        .await;
    assert_eq!(spelled.headers["idempotent-replayed"], "true");
    let authors = ada.read("authors.list", json!({})).await.data();
    assert_eq!(authors["authors"].as_array().map(Vec::len), Some(1), "{authors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_twins_at_once_have_one_effect() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let (key, body) = (fresh_key(), json!({ "firstname": "Ada", "lastname": "Lovelace" }));
    twins(std::slice::from_ref(&ada), 64, "authors.create", &body, &key).await;
    let authors = ada.read("authors.list", json!({})).await.data();
    assert_eq!(authors["authors"].as_array().map(Vec::len), Some(1), "{authors}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_of_the_guest_is_kept_under_its_key_and_costs_one_point() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let before = ada.get("/usage").await.json()["meta"]["usage"]["included_remaining"].as_u64();
    let key = fresh_key();
    let body = json!({ "author_ref": "nobody", "role": "Editor" });
    let first = ada.run_as("authors.update", body.clone(), &key).await;
    assert_eq!(first.refusal(), (404, "author_not_found".to_owned()));
    let second = ada.run_as("authors.update", body, &key).await;
    assert_eq!(second.refusal(), (404, "author_not_found".to_owned()));
    let after = ada.get("/usage").await.json()["meta"]["usage"]["included_remaining"].as_u64();
    assert_eq!(after, before.map(|points| points - 1));
}
