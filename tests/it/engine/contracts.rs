//! A contract says before the call what it takes, costs, lacks and leads to; a caller can hold the catalog to the one it
//! has read, and sees which catalog answered.

use reqwest::Method;
use serde_json::{Value, json};
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
    let lines = host.service.core.store().trail.audit_lines(&customer, None, 20).await.expect("readable");
    let calls: Vec<_> = lines.iter().filter(|line| line.audit.event.starts_with("operation.")).collect();
    assert!(calls.len() >= 3, "{calls:?}");
    for line in calls {
        assert_eq!(line.audit.detail["catalog"], locked.hash(), "{:?}", line.audit);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_queued_work_names_for_its_result_can_be_asked_with_what_it_was_given_and_answered() {
    let host = Host::start().await;
    let generation = host.service.core.catalog().current();
    let names = |schema: &Value, member: &str| -> Vec<String> {
        match &schema[member] {
            Value::Object(members) => members.keys().cloned().collect(),
            Value::Array(items) => items.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        }
    };
    let (mut queued, mut wrong) = (0, Vec::new());
    for operation in generation.operations() {
        let Some(read) = operation.contract.result_operation.as_deref() else { continue };
        queued += 1;
        let Some(result) = generation.operation(read) else {
            wrong.push(format!("{}: {read} is not served", operation.contract.id));
            continue;
        };
        let known = [
            names(&json!(operation.contract.result), "properties"),
            names(&json!(operation.contract.arguments), "properties"),
        ];
        let missing = names(&json!(result.contract.arguments), "required");
        let missing: Vec<_> =
            missing.into_iter().filter(|it| !known.iter().flatten().any(|known| known == it)).collect();
        if !missing.is_empty() {
            wrong.push(format!("{}: {read} also needs {}", operation.contract.id, missing.join(", ")));
        }
    }
    assert!(queued >= 20, "{queued} operations name one");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A contract without the fresh keys of its example.
fn keyless(mut contract: Value) -> Value {
    contract["example_call"] = contract["example_call"]["rest"]["body"].take();
    contract
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_says_which_scopes_are_missing_what_a_call_costs_what_to_poll_and_what_undoes_it() {
    let host = Host::start().await;
    let ada = host.customer("assets:read seo:execute").await;
    let contract = async |id: &str, more: &str| {
        let rest = ada.get(&format!("/capabilities/{id}{more}")).await.data();
        let mut arguments = json!({ "operation_id": id });
        if let Some(units) = more.strip_prefix("?units=") {
            arguments["units"] = json!(units.parse::<u64>().expect("a number"));
        }
        let mcp = ada.tool("service_capability_get", arguments).await.data();
        let key = |contract: &Value| contract["example_call"]["mcp"]["arguments"]["idempotency_key"].clone();
        if rest["idempotency_key"] == "required" {
            assert_ne!(key(&mcp), key(&rest), "each answer has a fresh key");
        }
        assert_eq!(keyless(mcp), keyless(rest.clone()), "{id}{more}");
        rest
    };
    let create = contract("authors.create", "").await;
    assert_eq!((&create["granted"], &create["missing_scopes"]), (&json!(false), &json!(["assets:write"])));
    assert_eq!(create["undo"], json!({ "operation_id": "authors.delete" }));
    assert_eq!(create["cost"]["estimate"], json!({ "for": "example_call", "points_at_most": 3 }));
    assert_eq!(create["cost"]["estimate_with"], "account.cost.estimate");
    assert_eq!(create["example_call"]["mcp"]["arguments"]["arguments"], create["examples"][0]);
    let list = contract("authors.list", "?units=120").await;
    assert_eq!((&list["granted"], list.get("undo")), (&json!(true), None), "a read has nothing to undo");
    let estimate = json!({ "for": "units", "units": 120, "points": 1 + 3 });
    assert_eq!(list["cost"]["estimate"], estimate, "{}", list["cost"]);
    let delete = contract("authors.delete", "").await;
    assert_eq!(delete["undo"], json!({ "words": "no operation undoes this" }));
    let crawl = contract("crawl.run.start", "?units=2500").await;
    assert_eq!((&crawl["mode"], &crawl["result_operation"]), (&json!("queued"), &json!("crawl.run.get")));
    assert!(crawl["after_the_call"].is_string() && !crawl["side_effects"].is_null());
    assert_eq!(crawl["undo"]["operation_id"], "crawl.run.stop");
    assert_eq!(crawl["cost"]["estimate"]["credits"], "2.5", "1 credit for 1,000 pages: {}", crawl["cost"]);
    let refused = ada.get("/capabilities/authors.list?units=-1").await;
    assert_eq!((refused.refusal().0, refused.pointer()), (422, "/units".to_owned()));
    let refused = ada.get("/capabilities/authors.list?cursor=AAAA").await;
    assert_eq!((refused.refusal().0, refused.pointer()), (422, "/cursor".to_owned()));
}
