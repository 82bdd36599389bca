//! What a server offers over MCP, apart from how it is reached. The product's nine tools are one offer; what the
//! outside suites ask of a server is another, mounted by the tests on this same transport and behind the same tokens.

use model::grant::Grant;
use model::id::RequestId;
use model::refusal::Refusal;
use rmcp::model::{Implementation, ServerCapabilities};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

pub use super::fault::Fault;
pub use super::revision::Era;

/// Something that can be asked over MCP.
pub trait Offer: Send + Sync + 'static {
    /// How it introduces itself in this era.
    fn hello(&self, era: &Era) -> Hello;

    /// Answers a request of a client that holds a good token. `initialize`, `server/discover` and `ping` never come
    /// here: they are the transport's.
    fn answer(&self, call: Call<'_>) -> impl Future<Output = Result<Reply, Miss>> + Send;

    /// Takes a client's answer to a question that went out in [`Reply::Parts`]; false when nothing was asked of this
    /// grant under its id.
    fn hear(&self, _: &Grant, _: Heard) -> bool {
        false
    }
}

/// An introduction.
#[derive(Clone, Debug)]
pub struct Hello {
    /// Who it is.
    pub server: Implementation,
    /// What it can do.
    pub capabilities: ServerCapabilities,
    /// How to work with it, for the agent.
    pub instructions: Option<String>,
}

/// A request whose token, message and revision were found good.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Who asks.
    pub grant: &'a Grant,
    /// The request as the client sees it over HTTP.
    pub request: &'a RequestId,
    /// How the client speaks.
    pub era: &'a Era,
    /// The method.
    pub method: &'a str,
    /// The parameters; empty when there were none.
    pub params: &'a Map<String, Value>,
}

/// An answer.
#[derive(Debug)]
pub enum Reply {
    /// The result, sent as `application/json`.
    Whole(Box<RawValue>),
    /// Messages and at last the result, sent as `text/event-stream` while they come.
    Parts(mpsc::Receiver<Part>),
}

/// One event of a streamed answer.
#[derive(Debug)]
pub enum Part {
    /// A notification, or a question to the client: a whole message.
    Message(Box<RawValue>),
    /// The result; nothing after it is sent.
    Result(Box<RawValue>),
}

/// How a request ends that gets no result.
#[derive(Debug)]
pub enum Miss {
    /// As a refusal of HTTP.
    Refused(Refusal),
    /// As a JSON-RPC error.
    Fault(Fault),
}

impl From<Fault> for Miss {
    fn from(fault: Fault) -> Self {
        Miss::Fault(fault)
    }
}

impl From<Refusal> for Miss {
    fn from(refusal: Refusal) -> Self {
        Miss::Refused(refusal)
    }
}

/// A client's answer to a question.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The question's id.
    pub id: rmcp::model::RequestId,
    /// Its result, or the error that came instead.
    pub outcome: Result<Value, Value>,
}

/// A value as text that goes into an answer unread.
///
/// # Panics
/// Never for values made of JSON, as results are.
pub fn raw(value: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("results are made of JSON")
}
