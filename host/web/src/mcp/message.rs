//! Reads one JSON-RPC message.

use model::canonical;
use rmcp::model::RequestId;
use serde_json::{Map, Value};

use super::fault::Fault;
use super::offer::Heard;

/// What came.
pub(super) enum Message {
    /// Something that wants an answer.
    Request(Asked),
    /// Something that does not.
    Notification,
    /// What a client says to a question of ours.
    Answer(Heard),
}

/// A request.
pub(super) struct Asked {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
}

/// The id of a message that is not read any further.
pub(super) fn id(bytes: &[u8]) -> Option<RequestId> {
    match read(bytes) {
        Ok(Message::Request(asked)) => Some(asked.id),
        Ok(Message::Answer(heard)) => Some(heard.id),
        Ok(Message::Notification) => None,
        Err((id, _)) => id,
    }
}

/// Reads the body; a failure carries the id when there is one to be read.
pub(super) fn read(bytes: &[u8]) -> Result<Message, (Option<RequestId>, Fault)> {
    let value = canonical::read(bytes).map_err(|message| (None, Fault::unreadable(message)))?;
    let mut members = match value {
        Value::Object(members) => members,
        Value::Array(_) => return Err((None, Fault::not_a_message("a body is one message: batches are not served"))),
        _ => return Err((None, Fault::not_a_message("a message is a JSON object"))),
    };
    let id = match members.remove("id") {
        None => None,
        Some(id) => Some(
            serde_json::from_value::<RequestId>(id)
                .map_err(|_| (None, Fault::not_a_message("an id is a string or an integer")))?,
        ),
    };
    let fail = |message: &str| Err((id.clone(), Fault::not_a_message(message)));
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return fail("jsonrpc must be \"2.0\"");
    }
    let method = match members.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return fail("a method is a string"),
        None => {
            return match (id.clone(), members.remove("result"), members.remove("error")) {
                (Some(id), Some(result), None) => Ok(Message::Answer(Heard { id, outcome: Ok(result) })),
                (Some(id), None, Some(error)) => Ok(Message::Answer(Heard { id, outcome: Err(error) })),
                (_, None, None) => fail("a message has a method"),
                _ => fail("an answer has an id, and either a result or an error"),
            };
        }
    };
    let params = match members.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return fail("params must be an object"),
    };
    Ok(match id {
        Some(id) => Message::Request(Asked { id, method, params }),
        None => Message::Notification,
    })
}
