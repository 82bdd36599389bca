//! What a provider says back, before a fault bends it.

use serde_json::Value;

/// One HTTP answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// JSON with a status.
    pub(crate) fn json(status: u16, value: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json; charset=utf-8".to_owned())],
            body: value.to_string().into_bytes(),
        }
    }

    /// JSON with the status 200.
    pub(crate) fn ok(value: &Value) -> Self {
        Self::json(200, value)
    }

    /// A status and nothing else.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Text of a type.
    pub(crate) fn text(status: u16, kind: &str, body: &str) -> Self {
        Self { status, headers: vec![("content-type", kind.to_owned())], body: body.as_bytes().to_vec() }
    }

    /// With one header more.
    pub(crate) fn header(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }
}
