//! How the server says who it is: `initialize` to older clients, `server/discover` to newer ones.

use rmcp::model::{CacheScope, DiscoverResult, Implementation, InitializeResult, ProtocolVersion, ServerCapabilities};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::fault::Fault;
use super::raw;
use super::revision::{LEGACY, SUPPORTED};

/// How long a client may keep what does not depend on who asks, in milliseconds.
pub(super) const FRESH_MS: u64 = 300_000;

/// How to work with the tools, for the agent.
const INSTRUCTIONS: &str = "SEO actions on the signed-in customer's own websites. \
    Workflow: service_capabilities_search with the user's real goal, keep intent_ref; \
    service_capability_get for one operation_id: arguments, scopes, cost, side effects, mode; \
    service_action_execute with arguments that fit the contract and the same intent_ref. \
    For kind write, job or destructive send a new idempotency_key, and the same one only to repeat the same request. \
    A queued operation answers queued: read its result_operation until the state is final. \
    Ids are opaque strings: list, then pass them back as they came. \
    When a goal is blocked, partial or wrong, use service_feedback_submit with the intent_ref.";

/// The server's own name.
pub(super) fn server_info() -> Implementation {
    Implementation::new("espalier", env!("CARGO_PKG_VERSION")).with_title("Espalier")
}

/// Answers `initialize`: the revision that was asked for, if it is served; else the newest that has a handshake.
pub(super) fn initialize(params: &Map<String, Value>) -> Result<Box<RawValue>, Fault> {
    let asked = params
        .get("protocolVersion")
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::wrong_params("protocolVersion is a string and required"))?;
    let version = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[0]);
    let result = InitializeResult::new(capabilities())
        .with_protocol_version(protocol_version(version))
        .with_server_info(server_info())
        .with_instructions(INSTRUCTIONS);
    Ok(raw(&result))
}

/// Answers `server/discover`.
pub(super) fn discover() -> Box<RawValue> {
    let versions = SUPPORTED.into_iter().map(protocol_version).collect();
    let mut result = DiscoverResult::new(versions, capabilities()).with_server_info(server_info());
    result.instructions = Some(INSTRUCTIONS.to_owned());
    result.ttl_ms = FRESH_MS;
    result.cache_scope = CacheScope::Public;
    raw(&result)
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities::builder().enable_tools().build()
}

fn protocol_version(date: &'static str) -> ProtocolVersion {
    serde_json::from_value(Value::from(date)).expect("a date is a version")
}
