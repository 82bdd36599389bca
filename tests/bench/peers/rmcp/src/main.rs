//! A trivial tool on rmcp, without sessions, answers as JSON: what the benchmark stands beside.
//!
//! `rmcp-peer PORT`.

use std::sync::Arc;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler, schemars, tool, tool_handler, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Text {
    text: String,
}

#[derive(Clone)]
struct Peer;

#[tool_router]
impl Peer {
    #[tool(description = "Says it back.")]
    async fn echo(&self, Parameters(Text { text }): Parameters<Text>) -> Result<CallToolResult, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
    }
}

#[tool_handler]
impl ServerHandler for Peer {}

#[tokio::main]
async fn main() {
    let port = std::env::args().nth(1).expect("a port");
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    let service = StreamableHttpService::new(|| Ok(Peer), Arc::new(LocalSessionManager::default()), config);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("a port");
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await.expect("served");
}
