//! A streamed answer: server-sent events (WHATWG HTML 9.2), one JSON-RPC message each, the result last.

use axum::body::Body;
use axum::response::Response;
use futures_util::stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};
use rmcp::model::RequestId;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use super::Answer;
use super::offer::Part;
use crate::context::Context;

/// Tells proxies of the nginx kind to pass each event on as it comes.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The answer to the request of this id.
pub(super) fn respond(context: &Context<'_>, id: RequestId, parts: mpsc::Receiver<Part>) -> Response {
    let events = stream::unfold(Some((parts, id)), async |waiting| {
        let (mut parts, id) = waiting?;
        match parts.recv().await? {
            Part::Message(message) => Some((event(&message), Some((parts, id)))),
            Part::Result(result) => {
                let last = super::raw(&Answer { jsonrpc: "2.0", id: &id, result: &result });
                Some((event(&last), None))
            }
        }
    });
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    context.mark(headers);
    response
}

/// JSON as it is written here has no line breaks, so that one line of data holds a message.
fn event(message: &RawValue) -> Result<String, std::convert::Infallible> {
    Ok(format!("event: message\ndata: {}\n\n", message.get()))
}
