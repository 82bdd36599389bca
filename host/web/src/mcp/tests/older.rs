//! What clients of older revisions are told.

use model::scope::ScopeSet;
use serde_json::json;
use service::config::Rates;

use super::{MODERN, legacy};
use crate::tests::World;

#[tokio::test]
async fn older_clients_shake_hands_in_their_own_revision_and_get_no_session() {
    let world = World::new().await;
    for (asked, given) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        (MODERN, "2025-11-25"),
    ] {
        let params =
            json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
        let answer = world.mcp(&[], &legacy("initialize", params)).await;
        let result = &answer.json()["result"];
        assert_eq!(result["protocolVersion"], given);
        assert_eq!(result["capabilities"], json!({ "tools": {} }));
        assert_eq!(result["serverInfo"]["name"], "espalier");
        assert!(result.get("resultType").is_none());
        assert!(!answer.headers.contains_key("mcp-session-id"));
    }
    // What the body asks for counts, whatever a client sends in the header of each of its messages.
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {} });
    for header in ["2025-11-25", MODERN] {
        let answer = world.mcp(&[("mcp-protocol-version", header)], &legacy("initialize", params.clone())).await;
        assert_eq!(answer.json()["result"]["protocolVersion"], "2025-06-18", "{header}");
    }
    let answer = world.mcp(&[], &legacy("ping", json!({}))).await.json();
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": "a", "result": {} }));
}

#[tokio::test]
async fn the_challenge_names_all_scopes_since_a_client_asks_for_what_it_names_and_would_lose_the_rest() {
    let world = World::with(ScopeSet::default_grant(), Rates::default()).await;
    let call = legacy("tools/call", json!({ "name": "service_seo_opportunities_analyze", "arguments": {} }));
    let told = world.mcp(&[("mcp-protocol-version", "2025-11-25")], &call).await;
    let all = "scope=\"account:read websites:read seo:audit assets:read seo:analyze\"";
    assert!(told.header("www-authenticate").contains(all), "{}", told.header("www-authenticate"));
}
