//! The customer's own accounts at providers: asked within what the lock permits, without ever seeing a credential.

mod need;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::wit::connections as wit;
use crate::host::Host;
use crate::{Cx, entry};

pub use need::Need;

/// A connection of the customer, without its secret.
pub use crate::bindings::wit::connections::Connection;
/// Why a provider gave no answer that can be used.
pub use crate::bindings::wit::connections::Failure as SendFailure;
/// What a provider answered.
pub use crate::bindings::wit::connections::Response as Sent;
/// How a connection does.
pub use crate::bindings::wit::connections::State as ConnectionState;

/// One request to a provider. Defaults: the kind's default service, 2 MiB, 10 seconds.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Send(pub(crate) wit::Request);

impl Send {
    /// Reads at a path as the provider documents it, percent-encoded: `/wp-json/wp/v2/posts/7`.
    pub fn get(connection: &str, path: impl Into<String>) -> Self {
        Self::new(wit::Method::Get, connection, path)
    }

    /// Asks or changes; the line of the lock says which.
    pub fn post(connection: &str, path: impl Into<String>) -> Self {
        Self::new(wit::Method::Post, connection, path)
    }

    /// Puts in place.
    pub fn put(connection: &str, path: impl Into<String>) -> Self {
        Self::new(wit::Method::Put, connection, path)
    }

    /// Changes a part.
    pub fn patch(connection: &str, path: impl Into<String>) -> Self {
        Self::new(wit::Method::Patch, connection, path)
    }

    /// Removes.
    pub fn delete(connection: &str, path: impl Into<String>) -> Self {
        Self::new(wit::Method::Delete, connection, path)
    }

    /// Another service of the kind than the default one.
    pub fn service(mut self, service: &str) -> Self {
        self.0.service = Some(service.to_owned());
        self
    }

    /// A parameter of the query; the host encodes it.
    pub fn query(mut self, name: &str, value: impl ToString) -> Self {
        self.0.query.push((name.to_owned(), value.to_string()));
        self
    }

    /// A header that the kind takes; the host refuses others.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.0.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A JSON body.
    pub fn json(mut self, body: &impl Serialize) -> Self {
        self.0.body = entry::written(body).into_bytes();
        self
    }

    /// A body of another media type, which the kind must take.
    pub fn bytes(mut self, content_type: &str, body: Vec<u8>) -> Self {
        self.0.body = body;
        self.header("content-type", content_type)
    }

    /// Body bytes of the answer to keep, at most 8 MiB.
    pub fn max_bytes(mut self, bytes: u32) -> Self {
        self.0.max_bytes = bytes;
        self
    }

    /// Milliseconds for the whole exchange, at most 50,000.
    pub fn timeout(mut self, milliseconds: u32) -> Self {
        self.0.timeout_ms = milliseconds;
        self
    }

    fn new(method: wit::Method, connection: &str, path: impl Into<String>) -> Self {
        Self(wit::Request {
            connection: connection.to_owned(),
            service: None,
            method,
            path: path.into(),
            query: Vec::new(),
            headers: Vec::new(),
            body: Vec::new(),
            max_bytes: 2 << 20,
            timeout_ms: 10_000,
        })
    }
}

impl Sent {
    /// The first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Whether the status is 200 to 299.
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// The body is not the JSON that was expected; providers' answers are not believed.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, SendFailure> {
        serde_json::from_slice(&self.body).map_err(|_| SendFailure::Malformed)
    }
}

/// The customer's connections. Made by `Cx::connections`.
pub struct Connections<'a> {
    pub(crate) cx: &'a Cx,
}

impl Connections<'_> {
    /// Those of a kind or a group that the operation needs.
    pub fn of(&self, kind: &str) -> Vec<Connection> {
        self.cx.host.connections(Some(kind))
    }

    /// All of the kinds that the operation needs.
    pub fn all(&self) -> Vec<Connection> {
        self.cx.host.connections(None)
    }

    /// Sends one request.
    ///
    /// # Errors
    /// There is no answer, or one that says that the account is at fault.
    pub fn send(&self, request: &Send) -> Result<Sent, SendFailure> {
        self.cx.host.send(&request.0)
    }

    /// Sends many, at most 8 at a time; answers in the order of the requests.
    pub fn send_many(&self, requests: impl IntoIterator<Item = Send>) -> Vec<Result<Sent, SendFailure>> {
        let requests: Vec<_> = requests.into_iter().map(|it| it.0).collect();
        self.cx.host.send_many(&requests)
    }
}
