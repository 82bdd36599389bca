//! Arguments of tools as clients fill them in.

use serde_json::{Value, json};

use crate::tests::World;

#[tokio::test]
async fn an_optional_member_that_is_null_or_empty_is_not_there() {
    let world = World::new().await;
    let plain = world.tool("service_capabilities_search", json!({ "query": "list" })).await;
    let filled = json!({ "query": "list", "module": "", "kind": null, "cursor": "", "limit": null });
    let filled = world.tool("service_capabilities_search", filled).await;
    assert_eq!(filled["isError"], plain["isError"], "{filled}");
    assert_eq!(filled["structuredContent"]["data"]["results"], plain["structuredContent"]["data"]["results"]);
    let missing = world.tool("service_capability_get", json!({ "operation_id": "" })).await;
    let body: Value = serde_json::from_str(missing["content"][1]["text"].as_str().unwrap()).unwrap();
    assert_eq!(body["error"]["pointer"], "/operation_id", "a required one is refused as it was sent: {body}");
}
