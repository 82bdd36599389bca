//! How long the catalog's answers may be, so that an agent can afford to read them. A token is counted as four bytes of
//! the answer's JSON, envelope and usage included, as REST sends it; over MCP it is the text of the result.

use serde_json::Value;

/// Bytes that are counted as one token.
pub const TOKEN: usize = 4;
/// Tokens of the list of tools, at most.
pub const TOOLS: usize = 2_500;
/// Tokens of an answer of the search, at most.
pub const SEARCH: usize = 1_500;
/// Tokens of a contract or of a further page of one, at most.
pub const CONTRACT: usize = 2_000;
/// Bytes of what stands around the data: the envelope, the request, the usage.
const AROUND: usize = 400;

/// Bytes that the data of an answer of so many tokens may have.
pub(super) fn data(tokens: usize) -> usize {
    tokens * TOKEN - AROUND
}

/// Bytes of a value as it is sent.
pub(super) fn bytes(value: &Value) -> usize {
    value.to_string().len()
}
