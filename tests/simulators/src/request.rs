//! A request as a provider looks at it: read whole, path in decoded parts, credentials taken apart.

use axum::http::HeaderMap;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use url::form_urlencoded;

/// One HTTP request, read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// As sent, without the query.
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    parts: Vec<String>,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str, query: &str, headers: HeaderMap, body: Bytes) -> Self {
        let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
            headers,
            body,
            parts: path.split('/').filter(|part| !part.is_empty()).map(decoded).collect(),
        }
    }

    /// The method and the decoded parts of the path, to be matched against a provider's routes.
    pub(crate) fn route(&self) -> (&str, Vec<&str>) {
        (&self.method, self.parts.iter().map(String::as_str).collect())
    }

    /// The first value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A query parameter as a number; what is no number counts as absent.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.query(name)?.parse().ok()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body as JSON; `null` when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The value of a field of a form.
    pub(crate) fn form(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(&self.body).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    pub(crate) fn bearer(&self) -> Option<&str> {
        self.header("authorization")?.strip_prefix("Bearer ")
    }

    /// Name and password of HTTP basic authentication (RFC 7617).
    pub(crate) fn basic(&self) -> Option<(String, String)> {
        let encoded = self.header("authorization")?.strip_prefix("Basic ")?;
        let text = String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()?;
        text.split_once(':').map(|(name, password)| (name.to_owned(), password.to_owned()))
    }

    /// Whether this is the basic authentication of this name and password; absent is not wrong.
    pub(crate) fn check_basic(&self, name: &str, password: &str) -> Auth {
        match (self.header("authorization"), self.basic()) {
            (None, _) => Auth::Missing,
            (_, Some((given, secret))) if given == name && secret == password => Auth::Right,
            _ => Auth::Wrong,
        }
    }

    /// Whether a credential that was given, if one was, is the right one.
    pub(crate) fn check(given: Option<&str>, right: &str) -> Auth {
        match given {
            None => Auth::Missing,
            Some(given) if given == right => Auth::Right,
            Some(_) => Auth::Wrong,
        }
    }
}

/// What a provider thinks of a request's credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// The path is open to everybody.
    NotNeeded,
    /// There was none.
    Missing,
    /// There was one, and it is not, or no longer, the right one.
    Wrong,
    /// The right one.
    Right,
}
