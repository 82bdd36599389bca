//! Every message that the endpoint answers or refuses, with its status and code.

mod given;
mod offered;
mod older;

use http::{Method, StatusCode};
use model::scope::{Scope, ScopeSet};
use serde_json::{Value, json};
use service::config::Rates;
use service::routes::Route;

use super::tools;
use crate::tests::{ADDRESS, Answer, NO_TOKEN, PAGE, World};

const MODERN: &str = "2026-07-28";

/// A request of 2026-07-28 with all it needs.
fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn legacy(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params })
}

impl World {
    /// Sends a message with the headers that its body calls for, except those given.
    async fn mcp(&self, given: &[(&str, &str)], body: &Value) -> Answer {
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let version = text("/params/_meta/io.modelcontextprotocol~1protocolVersion");
        let (method, name) = (text("/method"), text("/params/name"));
        let mut headers = given.to_vec();
        if !version.is_empty() {
            for (header, value) in [("mcp-protocol-version", &version), ("mcp-method", &method), ("mcp-name", &name)] {
                if !given.iter().any(|(name, _)| *name == header) {
                    headers.push((header, value));
                }
            }
        }
        self.ask(Method::POST, "/mcp", &headers, &body.to_string()).await
    }

    async fn tool(&self, name: &str, arguments: Value) -> Value {
        let answer = self.mcp(&[], &modern("tools/call", json!({ "name": name, "arguments": arguments }))).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json()["result"].clone()
    }
}

#[track_caller]
fn expect(answer: &Answer, status: u16, code: i64) -> Value {
    let body = answer.json();
    assert_eq!((answer.status.as_u16(), &body["error"]["code"]), (status, &json!(code)), "{body}");
    assert_eq!(body["jsonrpc"], "2.0");
    body
}

#[tokio::test]
async fn a_get_is_told_that_there_is_no_stream_before_anything_else() {
    let answer = World::new().await.ask(Method::GET, "/mcp", &[NO_TOKEN], "").await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.text, "Standalone SSE is not enabled");
    assert_eq!(answer.header("allow"), "POST");
}

#[tokio::test]
async fn other_methods_are_405_before_the_token() {
    let world = World::new().await;
    for method in [Method::DELETE, Method::PUT, Method::PATCH, Method::OPTIONS] {
        let answer = world.ask(method, "/mcp", &[NO_TOKEN], "").await;
        answer.expect(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), "POST");
    }
}

#[tokio::test]
async fn the_address_with_a_slash_at_its_end_leads_to_the_one_without() {
    let world = World::new().await;
    let answer = world.ask(Method::POST, "/mcp/", &[], "{}").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (308, "/mcp"));
}

#[tokio::test]
async fn a_post_without_a_token_is_401_whatever_it_says() {
    let world = World::new().await;
    let answer = world.ask(Method::POST, "/mcp", &[NO_TOKEN, ("origin", "https://evil.example")], "not json").await;
    answer.expect(401, "unauthenticated");
    assert!(answer.header("www-authenticate").starts_with("Bearer resource_metadata="));
}

#[tokio::test]
async fn a_strange_origin_is_refused_and_a_known_one_is_not() {
    let world = World::new().await;
    let ping = legacy("ping", json!({}));
    world.mcp(&[("origin", "https://evil.example")], &ping).await.expect(403, "origin_not_allowed");
    world.mcp(&[("origin", "http://localhost:1234")], &ping).await.expect(403, "origin_not_allowed");
    for origin in [PAGE, ADDRESS] {
        assert_eq!(world.mcp(&[("origin", origin)], &ping).await.status, StatusCode::OK);
    }
}

/// A body that is no message: its status, its code, and whether its id could be read.
#[tokio::test]
async fn what_is_no_message_is_told_with_the_code_of_json_rpc() {
    let world = World::new().await;
    let table = [
        ("{", -32700, false),
        ("", -32700, false),
        ("{\"a\":1,\"a\":2}", -32700, false),
        ("[]", -32600, false),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600, false),
        ("7", -32600, false),
        ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, false),
        ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600, false),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600, true),
        ("{\"jsonrpc\":\"2.0\",\"id\":1}", -32600, true),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", -32600, true),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", -32600, true),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", -32600, true),
    ];
    for (body, code, has_id) in table {
        let answer = world.ask(Method::POST, "/mcp", &[("content-type", "application/json")], body).await;
        let error = expect(&answer, 400, code);
        assert_eq!(error.get("id").is_some(), has_id, "{body}");
    }
    world
        .ask(Method::POST, "/mcp", &[("content-type", "text/plain")], "{}")
        .await
        .expect(415, "unsupported_media_type");
}

#[tokio::test]
async fn headers_that_disagree_with_the_body_are_refused() {
    let world = World::new().await;
    let list = modern("tools/list", json!({}));
    let call = modern("tools/call", json!({ "name": "service_mcp_usage_get", "arguments": {} }));
    let table: [(&Value, (&str, &str)); 8] = [
        (&list, ("mcp-protocol-version", "")),
        (&list, ("mcp-protocol-version", "2025-11-25")),
        (&list, ("mcp-method", "")),
        (&list, ("mcp-method", "tools/call")),
        (&list, ("mcp-method", "Tools/List")),
        (&call, ("mcp-name", "")),
        (&call, ("mcp-name", "service_website_get")),
        (&call, ("mcp-name", "=?base64?!!?=")),
    ];
    for (body, header) in table {
        let error = expect(&world.mcp(&[header], body).await, 400, -32020);
        assert_eq!(error["id"], 1, "{header:?}");
    }
    let encoded = ("mcp-name", "=?base64?c2VydmljZV9tY3BfdXNhZ2VfZ2V0?=");
    assert_eq!(world.mcp(&[encoded], &call).await.status, StatusCode::OK);
    assert_eq!(world.mcp(&[("mcp-method", "  tools/list ")], &list).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_without_what_the_revision_wants_in_meta_is_told_what_is_missing() {
    let world = World::new().await;
    let headers = [("mcp-protocol-version", MODERN), ("mcp-method", "tools/list")];
    let bare = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let error = expect(&world.mcp(&headers, &bare).await, 400, -32602);
    assert!(error["error"]["message"].as_str().unwrap().contains("clientCapabilities"));
    let mut half = modern("tools/list", json!({}));
    half["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    expect(&world.mcp(&[], &half).await, 400, -32602);
    half["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!("none");
    expect(&world.mcp(&[], &half).await, 400, -32602);
    expect(&world.mcp(&[], &json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover" })).await, 400, -32602);
}

#[tokio::test]
async fn an_unknown_revision_is_told_which_are_served() {
    let world = World::new().await;
    let mut future = modern("tools/list", json!({}));
    future["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let error = expect(&world.mcp(&[], &future).await, 400, -32022);
    assert_eq!(error["error"]["data"]["requested"], "2099-01-01");
    assert_eq!(error["error"]["data"]["supported"], json!([MODERN, "2025-11-25", "2025-06-18", "2025-03-26"]));
    let old = [("mcp-protocol-version", "2024-11-05")];
    expect(&world.mcp(&old, &legacy("tools/list", json!({}))).await, 400, -32022);
}

#[tokio::test]
async fn an_unknown_method_is_404_in_the_modern_era_and_200_before() {
    let world = World::new().await;
    for method in
        ["initialize", "ping", "logging/setLevel", "resources/list", "prompts/list", "completion/complete", "nonsense"]
    {
        let error = expect(&world.mcp(&[], &modern(method, json!({}))).await, 404, -32601);
        assert_eq!(error["id"], 1, "{method}");
    }
    expect(&world.mcp(&[], &legacy("resources/list", json!({}))).await, 200, -32601);
}

#[tokio::test]
async fn parameters_that_a_method_cannot_take_are_invalid() {
    let world = World::new().await;
    for params in [
        json!({}),
        json!({ "name": 7 }),
        json!({ "name": "no_such_tool" }),
        json!({ "name": "service_mcp_usage_get", "arguments": [] }),
    ] {
        expect(&world.mcp(&[], &modern("tools/call", params)).await, 200, -32602);
    }
    expect(&world.mcp(&[], &modern("tools/list", json!({ "cursor": "x" }))).await, 200, -32602);
    expect(&world.mcp(&[], &legacy("initialize", json!({}))).await, 200, -32602);
}

#[tokio::test]
async fn a_notification_is_accepted_without_a_word() {
    let world = World::new().await;
    for note in ["notifications/initialized", "notifications/cancelled", "anything"] {
        let answer =
            world.mcp(&[("mcp-protocol-version", "2025-11-25")], &json!({ "jsonrpc": "2.0", "method": note })).await;
        assert_eq!((answer.status, answer.text.as_str()), (StatusCode::ACCEPTED, ""));
    }
}

#[tokio::test]
async fn newer_clients_discover() {
    let result = World::new().await.mcp(&[], &modern("server/discover", json!({}))).await.json()["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"], json!([MODERN, "2025-11-25", "2025-06-18", "2025-03-26"]));
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(300_000), &json!("public")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "espalier");
}

#[tokio::test]
async fn nine_tools_are_listed_with_titles_hints_and_schemas_in_few_tokens() {
    let world = World::new().await;
    let answer = world.mcp(&[], &modern("tools/list", json!({}))).await;
    let result = answer.json()["result"].clone();
    let names: Vec<&str> =
        result["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "service_capabilities_search",
            "service_capability_get",
            "service_action_execute",
            "service_account_snapshot",
            "service_mcp_usage_get",
            "service_websites_list",
            "service_website_get",
            "service_seo_opportunities_analyze",
            "service_feedback_submit",
        ]
    );
    for tool in result["tools"].as_array().unwrap() {
        assert!(tool["title"].is_string() && tool["description"].is_string());
        assert_eq!((&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]), (&json!("object"), &json!("object")));
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{tool}");
        }
    }
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"], &result["resultType"]),
        (&json!(300_000), &json!("public"), &json!("complete"))
    );
    // Four characters a token is what English and JSON come to.
    assert!(answer.text.len() / 4 <= 2_500, "{} characters", answer.text.len());

    let again = world.mcp(&[], &modern("tools/list", json!({}))).await;
    assert_eq!(again.json(), answer.json());
    let older = world.mcp(&[], &legacy("tools/list", json!({}))).await.json()["result"].clone();
    assert_eq!(older["tools"], result["tools"]);
    assert!(older.get("resultType").is_none() && older.get("ttlMs").is_none());
}

#[test]
fn every_door_is_one_tool() {
    for name in ["service_account_snapshot", "service_action_execute"] {
        assert!(tools::route_of(name).is_some());
    }
    assert_eq!(tools::route_of("service_unknown"), None);
    assert_eq!(Route::ALL.len(), 9);
}

#[tokio::test]
async fn a_tool_answers_with_the_envelope_of_rest_as_text_and_as_structure() {
    let world = World::new().await;
    let result = world.tool("service_mcp_usage_get", json!({})).await;
    assert_eq!((&result["isError"], &result["resultType"]), (&json!(false), &json!("complete")));
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    let rest = world.get("/v1/usage").await.json();
    assert_eq!(result["structuredContent"]["data"], rest["data"]);
    assert_eq!(result["structuredContent"]["meta"]["usage"], rest["meta"]["usage"]);
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "espalier");
}

#[tokio::test]
async fn a_refusal_is_the_error_envelope_as_text_without_structure() {
    let world = World::new().await;
    for (tool, arguments, code) in [
        ("service_capabilities_search", json!({}), "invalid_arguments"),
        ("service_capabilities_search", json!({ "query": "list", "customer_id": "x" }), "invalid_arguments"),
        ("service_capability_get", json!({ "operation_id": "no.such" }), "operation_not_found"),
        ("service_action_execute", json!({ "operation_id": "no.such" }), "operation_not_found"),
        (
            "service_action_execute",
            json!({ "operation_id": "no.such", "idempotency_key": "short" }),
            "invalid_arguments",
        ),
        ("service_action_execute", json!({}), "invalid_arguments"),
        ("service_feedback_submit", json!({ "category": "x" }), "invalid_arguments"),
    ] {
        let result = world.tool(tool, arguments.clone()).await;
        assert_eq!(result["isError"], true, "{tool} {arguments}");
        assert!(result.get("structuredContent").is_none());
        let sentence = result["content"][0]["text"].as_str().unwrap();
        assert!(sentence.starts_with(&format!("Refused ({code}): ")), "{sentence}");
        let body: Value = serde_json::from_str(result["content"][1]["text"].as_str().unwrap()).unwrap();
        assert_eq!(body["error"]["code"], code, "{tool} {arguments}");
        assert_eq!(body["request_id"], result["_meta"]["requestId"]);
    }
}

#[tokio::test]
async fn a_missing_scope_is_a_status_with_a_challenge_before_the_tool_runs() {
    let world = World::with(ScopeSet::default_grant(), Rates::default()).await;
    let call = modern("tools/call", json!({ "name": "service_seo_opportunities_analyze", "arguments": {} }));
    let answer = world.mcp(&[], &call).await;
    answer.expect(403, "insufficient_scope");
    assert!(answer.header("www-authenticate").contains("error=\"insufficient_scope\", scope=\"seo:audit\""));
    let body: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(body["error"]["message"].as_str().unwrap().contains("make a token with it in the portal"), "{body}");
    let narrow = World::with([Scope::WebsitesRead].into_iter().collect(), Rates::default()).await;
    let call = modern("tools/call", json!({ "name": "service_account_snapshot" }));
    narrow.mcp(&[], &call).await.expect(403, "insufficient_scope");
}

#[tokio::test]
async fn a_search_and_its_feedback_are_linked_over_mcp_as_over_rest() {
    let world = World::new().await;
    let found = world.tool("service_capabilities_search", json!({ "query": "compare my prices" })).await;
    let intent = found["structuredContent"]["data"]["intent_ref"].clone();
    let report = json!({ "category": "missing_capability", "completion_state": "blocked", "intent": "compare prices", "intent_ref": intent });
    assert_eq!(world.tool("service_feedback_submit", report).await["isError"], false);
    assert_eq!(
        world.service.core.store().identity.feedback(1).await.unwrap()[0].intent_ref.as_ref().map(|it| json!(it)),
        Some(intent)
    );
}

#[tokio::test]
async fn any_accept_is_served_and_the_answer_is_json() {
    let world = World::new().await;
    for accept in ["application/json", "text/event-stream", "*/*", ""] {
        let answer = world
            .mcp(&[("accept", accept), ("mcp-session-id", "x"), ("last-event-id", "7")], &legacy("ping", json!({})))
            .await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
    }
}

#[tokio::test]
async fn the_request_limit_is_a_status_and_a_json_rpc_error() {
    let world = World::with(ScopeSet::all(), Rates { requests: 1, ..Rates::default() }).await;
    let ping = legacy("ping", json!({}));
    assert_eq!(world.mcp(&[], &ping).await.status, StatusCode::OK);
    let answer = world.mcp(&[], &ping).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(answer.header("ratelimit-policy"), "\"request\";q=1;w=60");
    assert_eq!(answer.header("ratelimit"), "\"request\";r=0;t=60");
    let body = answer.json();
    assert_eq!((&body["jsonrpc"], &body["id"], &body["error"]["code"]), (&json!("2.0"), &ping["id"], &json!(429)));
    let told = &body["error"]["data"];
    assert_eq!((&told["error"]["code"], &told["error"]["limit"]), (&json!("rate_limited"), &json!("request")));
    assert_eq!(told["request_id"], answer.header("x-request-id"));
}
