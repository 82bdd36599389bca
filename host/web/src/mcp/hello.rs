//! How the server says who it is: `initialize` to older clients, `server/discover` to newer ones.

use rmcp::model::{CacheScope, DiscoverResult, InitializeResult, ProtocolVersion};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::fault::Fault;
use super::offer::Hello;
use super::raw;
use super::revision::{LEGACY, SUPPORTED};

/// How long a client may keep what does not depend on who asks, in milliseconds.
pub(super) const FRESH_MS: u64 = 300_000;

/// Answers `initialize`: the revision that was asked for, if it is served; else the newest that has a handshake.
pub(super) fn initialize(hello: Hello, params: &Map<String, Value>) -> Result<Box<RawValue>, Fault> {
    let asked = params
        .get("protocolVersion")
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::wrong_params("protocolVersion is a string and required"))?;
    let version = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[0]);
    let mut result = InitializeResult::new(hello.capabilities)
        .with_protocol_version(protocol_version(version))
        .with_server_info(hello.server);
    result.instructions = hello.instructions;
    Ok(raw(&result))
}

/// Answers `server/discover`.
pub(super) fn discover(hello: Hello) -> Box<RawValue> {
    let versions = SUPPORTED.into_iter().map(protocol_version).collect();
    let mut result = DiscoverResult::new(versions, hello.capabilities).with_server_info(hello.server);
    result.instructions = hello.instructions;
    result.ttl_ms = FRESH_MS;
    result.cache_scope = CacheScope::Public;
    raw(&result)
}

fn protocol_version(date: &'static str) -> ProtocolVersion {
    serde_json::from_value(Value::from(date)).expect("a date is a version")
}
