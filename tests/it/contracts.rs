//! A caller can hold the catalog to the contract it has read, and sees which catalog answered.

use reqwest::Method;
use serde_json::json;
use tests::customer::fresh_key;
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn a_call_made_for_another_contract_is_refused_through_both_doors_and_does_nothing() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let contract = ada.get("/capabilities/authors.create").await.data();
    let read = contract["contract_digest"].as_str().expect("a digest").to_owned();
    let other = format!("sha256:{}", "0".repeat(64));
    let author = json!({ "firstname": "Ada", "lastname": "Lovelace" });
    let rest = async |digest: &str, key: &str| {
        let headers = [("idempotency-key", key), ("service-contract-digest", digest)];
        ada.send(Method::POST, "/operations/authors.create", &headers, Some(author.to_string())).await
    };
    let mcp = async |digest: &str, key: &str| {
        let call = json!({ "operation_id": "authors.create", "arguments": author, "idempotency_key": key, "contract_digest": digest });
        ada.tool("service_action_execute", call).await
    };
    let (key, second) = (fresh_key(), fresh_key());
    let refused = rest(&other, &key).await;
    assert_eq!(refused.refusal(), (409, "contract_changed".to_owned()));
    assert_eq!(refused.json()["error"]["contract_digest"], read.as_str());
    assert_eq!(mcp(&other, &second).await.refusal(), "contract_changed");
    assert_eq!(rest("not a digest", &key).await.pointer(), "/contract_digest");
    let none = ada.read("authors.list", json!({})).await.data();
    assert_eq!(none["authors"], json!([]), "a refused call has done something");
    // The keys are free: nothing was begun under them.
    assert!(rest(&read, &key).await.data()["author_ref"].is_string());
    assert!(mcp(&read, &second).await.data()["author_ref"].is_string());
    assert_eq!(ada.read("authors.list", json!({})).await.data()["authors"].as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_that_answered_stands_in_the_answer_and_in_the_trail() {
    let host = Host::start().await;
    let ada = host.customer("assets:read").await;
    let workspace = espalier::modules::workspace().expect("the tests run in it");
    let locked = catalog::revision::Revision::read(&workspace.join("catalog"), "2026-09-28").expect("a revision");
    let rest = ada.read("authors.list", json!({})).await;
    assert_eq!(rest.headers["service-catalog-digest"], locked.hash());
    let refused = ada.run("authors.create", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.headers["service-catalog-digest"] == locked.hash()), (403, true));
    let mcp = ada.tool("service_action_execute", json!({ "operation_id": "authors.list" })).await;
    assert_eq!(mcp.body["result"]["_meta"]["catalogDigest"], locked.hash());
    let customer = model::id::CustomerId::from(ada.id.as_str());
    let lines = host.service.store().audit_lines(&customer, None, 20).await.expect("readable");
    let calls: Vec<_> = lines.iter().filter(|line| line.audit.event.starts_with("operation.")).collect();
    assert!(calls.len() >= 3, "{calls:?}");
    for line in calls {
        assert_eq!(line.audit.detail["catalog"], locked.hash(), "{:?}", line.audit);
    }
}
