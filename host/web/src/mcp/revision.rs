//! Which revision a message speaks, and whether its headers and its body agree.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use serde_json::Value;

use super::fault::Fault;
use super::message::Asked;

/// The revisions served, newest first.
pub(super) const SUPPORTED: [&str; 4] = [MODERN, "2025-11-25", "2025-06-18", "2025-03-26"];
/// The first revision without a handshake.
pub(super) const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, newest first.
pub(super) const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const VERSION_HEADER: &str = "mcp-protocol-version";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// How a message is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize` of an older client.
    Handshake,
    /// A request of a client that has shaken hands, in this revision.
    Legacy(&'static str),
    /// A request that brings all it needs.
    Modern,
}

/// Decides, and checks what the revision demands of headers and `_meta`.
pub(super) fn judge(headers: &HeaderMap, asked: &Asked) -> Result<Era, Fault> {
    let header = single(headers, VERSION_HEADER)?;
    let meta = asked.params.get("_meta");
    let said = meta.and_then(|meta| meta.get(VERSION));
    if asked.method == "initialize" && said.is_none() {
        // The body says what the client would speak. Some send the revision that they prefer in every header, from the
        // first message on: what comes after the handshake is judged by it.
        return Ok(Era::Handshake);
    }
    // Dates in this form compare as text: whatever is newer than we know is judged by the newest rules.
    let modern = said.is_some() || asked.method == "server/discover" || header.is_some_and(|header| header >= MODERN);
    if modern {
        return modern_request(headers, asked, header, meta).map(|()| Era::Modern);
    }
    match header {
        // Without the header the revision before it is assumed (2025-06-18, transports).
        None => Ok(Era::Legacy("2025-03-26")),
        Some(header) => match LEGACY.iter().find(|known| **known == header) {
            Some(known) => Ok(Era::Legacy(known)),
            None => Err(Fault::unsupported(header)),
        },
    }
}

/// A notification needs no more than a revision that is served.
pub(super) fn judge_notification(headers: &HeaderMap) -> Result<(), Fault> {
    match single(headers, VERSION_HEADER)? {
        Some(header) if !SUPPORTED.contains(&header) => Err(Fault::unsupported(header)),
        _ => Ok(()),
    }
}

fn modern_request(headers: &HeaderMap, asked: &Asked, header: Option<&str>, meta: Option<&Value>) -> Result<(), Fault> {
    let member = |name: &str| meta.and_then(|meta| meta.get(name));
    let version = member(VERSION).and_then(Value::as_str);
    match (header, version) {
        (None, Some(_)) => return Err(Fault::disagreement("the header MCP-Protocol-Version is missing")),
        (Some(header), Some(version)) if header != version => {
            return Err(Fault::disagreement("MCP-Protocol-Version and _meta differ"));
        }
        _ => {}
    }
    let mut missing = Vec::new();
    if version.is_none() {
        missing.push(VERSION);
    }
    if !member(CAPABILITIES).is_some_and(Value::is_object) {
        missing.push(CAPABILITIES);
    }
    if !missing.is_empty() {
        return Err(Fault::incomplete_meta(&missing));
    }
    if let Some(version) = version
        && version != MODERN
    {
        return Err(Fault::unsupported(version));
    }
    standard_headers(headers, asked)
}

/// `Mcp-Method` and `Mcp-Name` let a gateway see what passes; so they must be true.
fn standard_headers(headers: &HeaderMap, asked: &Asked) -> Result<(), Fault> {
    match single(headers, "mcp-method")? {
        None => return Err(Fault::disagreement("the header Mcp-Method is missing")),
        Some(method) if method != asked.method => {
            return Err(Fault::disagreement("Mcp-Method is not the body's method"));
        }
        Some(_) => {}
    }
    let named_by = match asked.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let Some(name) = asked.params.get(named_by).and_then(Value::as_str) else { return Ok(()) };
    let Some(header) = single(headers, "mcp-name")? else {
        return Err(Fault::disagreement("the header Mcp-Name is missing"));
    };
    match decode(header) {
        None => Err(Fault::disagreement("Mcp-Name is not Base64 within its marks")),
        Some(header) if header != name => Err(Fault::disagreement("Mcp-Name is not the name in the body")),
        Some(_) => Ok(()),
    }
}

/// `=?base64?…?=` carries what a header cannot.
fn decode(header: &str) -> Option<String> {
    match header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        None => Some(header.to_owned()),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
    }
}

/// The one value of a header, without white space around it.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Fault> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Fault::disagreement(format!("the header {name} is given twice")));
    }
    match value.to_str() {
        Ok(text) => Ok(Some(text.trim_matches([' ', '\t']))),
        Err(_) => Err(Fault::disagreement(format!("the header {name} is not printable ASCII"))),
    }
}
