//! JSON-RPC errors with the HTTP status that each revision asks for.

use http::StatusCode;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcError, RequestId};
use serde_json::{Value, json};

use super::revision::{Era, SUPPORTED};

/// An error of the protocol. What a tool refuses is not one: that is a result.
#[derive(Debug)]
pub struct Fault {
    pub(super) status: StatusCode,
    error: ErrorData,
}

impl Fault {
    fn new(status: StatusCode, code: ErrorCode, message: impl Into<String>, data: Option<Value>) -> Self {
        Self { status, error: ErrorData::new(code, message.into(), data) }
    }

    /// -32021 of a request that needs what its client has not declared, as an object of capabilities.
    pub fn missing_capability(needed: Value) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
            "the client has not declared what this needs",
            Some(json!({ "requiredCapabilities": needed })),
        )
    }

    /// -32602 about a thing that the parameters name; `data` says which.
    pub fn unknown_thing(message: impl Into<String>, data: Value) -> Self {
        Self::new(StatusCode::OK, ErrorCode::INVALID_PARAMS, message, Some(data))
    }

    /// -32700: not JSON.
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::PARSE_ERROR, message, None)
    }

    /// -32600: JSON, and not a message.
    pub(super) fn not_a_message(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::INVALID_REQUEST, message, None)
    }

    /// -32020: a header and the body say different things.
    pub(super) fn disagreement(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::HEADER_MISMATCH, message, None)
    }

    /// -32602 of a request that lacks what 2026-07-28 wants in `_meta`.
    pub(super) fn incomplete_meta(missing: &[&str]) -> Self {
        let message = format!("_meta lacks or malforms {}", missing.join(", "));
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::INVALID_PARAMS, message, None)
    }

    /// -32022: a revision that is not served.
    pub(super) fn unsupported(requested: &str) -> Self {
        let requested: String = requested.chars().take(32).collect();
        Self::new(
            StatusCode::BAD_REQUEST,
            ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
            "this protocol version is not served",
            Some(json!({ "supported": SUPPORTED, "requested": requested })),
        )
    }

    /// A refusal of HTTP. The code is the status, which no reserved range holds.
    pub(super) fn refused(status: StatusCode, message: &str, envelope: Value) -> Self {
        Self::new(status, ErrorCode(i32::from(status.as_u16())), message.to_owned(), Some(envelope))
    }

    /// -32601; 404 since 2026-07-28.
    pub fn unknown_method(era: &Era, method: &str) -> Self {
        let status = match era {
            Era::Modern => StatusCode::NOT_FOUND,
            Era::Handshake | Era::Legacy(_) => StatusCode::OK,
        };
        let method: String = method.chars().filter(|c| !c.is_control()).take(64).collect();
        Self::new(status, ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method} here"), None)
    }

    /// -32602: parameters that the method cannot take.
    pub fn wrong_params(message: impl Into<String>) -> Self {
        Self::new(StatusCode::OK, ErrorCode::INVALID_PARAMS, message, None)
    }

    /// The message. Without an id when none could be read.
    pub(super) fn text(self, id: Option<RequestId>) -> String {
        serde_json::to_string(&JsonRpcError::new(id, self.error)).expect("an error can be written")
    }
}
