//! The public contract as files, so that a reviewer sees each change of it as a difference: the OpenAPI document, the
//! MCP tools, and one contract of each module.
//!
//! When a change is meant, run these tests once with `ESPALIER_UPDATE_GOLDEN=1` and commit what they wrote.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn the_openapi_document_is_the_one_that_was_reviewed() {
    let host = Host::start().await;
    let served = reqwest::get(format!("{}/openapi.json", host.rest)).await.expect("an answer");
    let mut served: Value = served.json().await.expect("JSON");
    // Where it is served is no part of the contract.
    served["servers"][0]["url"] = Value::from("{base_url}");
    assert_reviewed("openapi.json", &served, &host);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_and_a_contract_of_each_module_are_the_ones_that_were_reviewed() {
    let host = Host::start().await;
    let ada = host.customer("assets:read").await;
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    let listing = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } });
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    assert_reviewed("tools.json", &ada.rpc(&headers, listing).await.body["result"], &host);

    let generation = host.service.core.catalog().current();
    let mut first = BTreeMap::<String, String>::new();
    for operation in generation.operations() {
        let id = operation.contract.id.clone();
        let module = id.split('.').next().unwrap_or_default().to_owned();
        let earliest = first.entry(module).or_insert_with(|| id.clone());
        *earliest = earliest.clone().min(id);
    }
    for (module, operation) in first {
        let mut contract = ada.get(&format!("/capabilities/{operation}")).await.data();
        // Its key is another one in each answer.
        for key in ["/example_call/rest/headers/Idempotency-Key", "/example_call/mcp/arguments/idempotency_key"] {
            if let Some(key) = contract.pointer_mut(key) {
                *key = json!("a fresh key");
            }
        }
        assert_reviewed(&format!("contracts/{module}.json"), &contract, &host);
    }
}

/// Fails when a document is not the file that was reviewed; writes the file when that is asked for.
fn assert_reviewed(name: &str, served: &Value, host: &Host) {
    let text = serde_json::to_string_pretty(served).expect("written");
    let text = text.replace(host.rest.trim_end_matches("/v1"), "{origin}") + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name);
    if update() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, &text).expect("written");
    }
    let reviewed = std::fs::read_to_string(&file).unwrap_or_default();
    let changed = reviewed.lines().zip(text.lines()).position(|(reviewed, served)| reviewed != served);
    assert!(
        reviewed == text,
        "the document differs from tests/golden/{name}, first in line {:?}; if that is meant, see this test",
        changed.map(|line| line + 1)
    );
}

#[expect(clippy::disallowed_methods, reason = "whether a difference is meant is said by the person who runs this")]
fn update() -> bool {
    std::env::var("ESPALIER_UPDATE_GOLDEN").is_ok()
}
