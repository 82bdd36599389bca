//! The same customer, speaking MCP in either era.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::customer::{Customer, fresh_key};

/// An answer to one JSON-RPC request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: StatusCode,
    /// The HTTP headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body; null when there is none.
    pub body: Value,
}

impl Reply {
    /// The structured content of a successful tool call.
    ///
    /// # Panics
    /// When it failed.
    #[track_caller]
    pub fn data(&self) -> Value {
        let result = &self.body["result"];
        assert_ne!(result["isError"], json!(true), "{}", self.body);
        result["structuredContent"]["data"].clone()
    }

    /// The code of a failed tool call, out of the error envelope in its text.
    ///
    /// # Panics
    /// When it did not fail.
    #[track_caller]
    pub fn refusal(&self) -> String {
        let result = &self.body["result"];
        assert_eq!(result["isError"], json!(true), "{}", self.body);
        assert!(result.get("structuredContent").is_none(), "an error carries no structured content: {result}");
        let said = result["content"][0]["text"].as_str().expect("a sentence");
        assert!(said.starts_with("Refused ("), "a sentence comes first: {said}");
        let envelope: Value = serde_json::from_str(result["content"][1]["text"].as_str().expect("text")).expect("JSON");
        envelope["error"]["code"].as_str().expect("a code").to_owned()
    }
}

impl Customer {
    /// Calls a tool in the stateless era.
    pub async fn tool(&self, name: &str, arguments: Value) -> Reply {
        let params = json!({
            "name": name,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        });
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", name)];
        self.rpc(&headers, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await
    }

    /// Reads over REST and over MCP, which give the same but for ages, since a moment lies between them.
    ///
    /// # Panics
    /// When one fails, or they differ.
    pub async fn both(&self, operation: &str, arguments: Value) -> Value {
        let rest = self.read(operation, arguments.clone()).await.data();
        let call = json!({ "operation_id": operation, "arguments": arguments });
        let mcp = self.tool("service_action_execute", call).await.data();
        assert_eq!(ageless(rest.clone()), ageless(mcp), "{operation}");
        rest
    }

    /// Changes something over MCP, under a new key.
    ///
    /// # Panics
    /// When it fails.
    pub async fn change(&self, operation: &str, arguments: Value) -> Value {
        let call = json!({ "operation_id": operation, "arguments": arguments, "idempotency_key": fresh_key() });
        self.tool("service_action_execute", call).await.data()
    }

    /// The code with which both doors refuse this as not found.
    ///
    /// # Panics
    /// When one does not, or they give other codes.
    pub async fn not_found(&self, operation: &str, arguments: Value) -> String {
        let (status, code) = self.run(operation, arguments.clone()).await.refusal();
        assert_eq!(status, 404, "{operation}: {code}");
        let call = json!({ "operation_id": operation, "arguments": arguments, "idempotency_key": fresh_key() });
        assert_eq!(self.tool("service_action_execute", call).await.refusal(), code, "{operation}");
        code
    }

    /// Calls a tool as clients of 2025 do.
    pub async fn legacy_tool(&self, name: &str, arguments: Value) -> Reply {
        let params = json!({ "name": name, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        self.rpc(&[("mcp-protocol-version", "2025-11-25")], message).await
    }

    /// Posts any message.
    ///
    /// # Panics
    /// When the host does not answer.
    pub async fn rpc(&self, headers: &[(&str, &str)], message: Value) -> Reply {
        let mut request = self
            .http
            .post(&self.mcp)
            .bearer_auth(&self.token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.body(message.to_string()).send().await.expect("the host answers");
        let (status, headers) = (answer.status(), answer.headers().clone());
        let bytes = answer.bytes().await.expect("a whole body");
        Reply { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
    }
}

/// What a report stands on, without how old that is.
fn ageless(mut result: Value) -> Value {
    let members = result.as_object_mut().into_iter().flat_map(|it| it.values_mut());
    members.filter_map(Value::as_object_mut).for_each(|it| {
        it.remove("age_seconds");
    });
    result
}
