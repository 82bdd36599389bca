//! Every failure a client can see. Statuses are mapped in one place of the web crate, not here.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::RequestId;
use crate::scope::ScopeSet;

mod about;
pub mod codes;

pub use about::About;

/// The class of a refusal, one per status of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// 400.
    Malformed,
    /// 401.
    Unauthenticated,
    /// 402.
    Payment,
    /// 403.
    Forbidden,
    /// 404.
    NotFound,
    /// 405.
    Method,
    /// 409.
    Conflict,
    /// 413.
    TooLarge,
    /// 415.
    Media,
    /// 422.
    Invalid,
    /// 429.
    Limited,
    /// 500.
    Internal,
    /// 503.
    Unavailable,
}

/// A failure with a stable code and a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Its class.
    pub class: Class,
    /// Stable and machine-readable.
    pub code: Cow<'static, str>,
    /// One sentence for a person.
    pub message: String,
    /// What a transport has to act on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Box<About>>,
    /// The request that got this refusal first, where it is told again under the same key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Box<RequestId>>,
    /// More for a program: members beside `code` and `message` in the envelope.
    #[serde(default)]
    pub detail: Map<String, Value>,
    /// Seconds after which trying again makes sense.
    #[serde(default)]
    pub retry_after: Option<u64>,
}

impl Refusal {
    /// A refusal of the host, by its row in the table.
    pub fn of(code: &codes::Code, message: impl Into<String>) -> Self {
        Self::new(code.class, code.name, message)
    }

    /// A refusal in a module's own words.
    pub fn new(class: Class, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            class,
            code: code.into(),
            message: message.into(),
            about: None,
            first: None,
            detail: Map::new(),
            retry_after: None,
        }
    }

    /// Adds a member to the envelope.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }

    /// Says what it is about.
    #[must_use]
    pub fn about(mut self, about: About) -> Self {
        self.about = Some(Box::new(about));
        self
    }

    /// As it is told again to who asks under the key of this earlier request.
    #[must_use]
    pub fn again(mut self, first: RequestId) -> Self {
        self.first = Some(Box::new(first));
        self
    }

    /// All members of the envelope beside `code` and `message`.
    pub fn members(&self) -> Map<String, Value> {
        let mut members = self.detail.clone();
        if let Some(about) = &self.about {
            about.write(&mut members);
        }
        members.retain(|name, _| !matches!(name.as_str(), "code" | "message"));
        members
    }

    /// Says when to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// 400 `malformed_request`.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::of(&codes::MALFORMED_REQUEST, message)
    }

    /// 401: no token came.
    pub fn unauthenticated() -> Self {
        Self::of(&codes::UNAUTHENTICATED, "a bearer token is required in the Authorization header")
    }

    /// 401: a token came and is expired, revoked or unknown.
    pub fn invalid_token() -> Self {
        Self::of(&codes::INVALID_TOKEN, "the bearer token is expired, revoked or unknown; sign in again")
    }

    /// 403 `insufficient_scope`, naming what is missing and, for clients that cannot ask for more, the way round.
    pub fn insufficient_scope(needed: &ScopeSet, missing: &ScopeSet) -> Self {
        Self::of(
            &codes::INSUFFICIENT_SCOPE,
            format!(
                "the grant lacks {missing}; connect again and ask for it, or make a token with it in the portal, under Tokens"
            ),
        )
            .about(About::Scopes { required: needed.clone(), missing: missing.clone() })
    }

    /// 403 `operation_off`, naming the family.
    pub fn operation_off(family: &str) -> Self {
        Self::of(
            &codes::OPERATION_OFF,
            format!("the operator of this service has switched {family} off; what runs can be stopped"),
        )
        .with("family", family)
    }

    /// 403 `access_inactive`.
    pub fn access_inactive() -> Self {
        Self::of(&codes::ACCESS_INACTIVE, "external access is not active for this account; activate it in the portal")
    }

    /// 404 `route_not_found`.
    pub fn route_not_found() -> Self {
        Self::of(&codes::ROUTE_NOT_FOUND, "there is no such route; the contract is at /v1/openapi.json")
    }

    /// 404 `operation_not_found`.
    pub fn operation_not_found() -> Self {
        Self::of(&codes::OPERATION_NOT_FOUND, "the catalog has no such operation; search for one by its goal")
    }

    /// 405.
    pub fn method_not_allowed(allowed: &str) -> Self {
        Self::of(&codes::METHOD_NOT_ALLOWED, format!("this route answers {allowed} only"))
            .about(About::Methods(allowed.to_owned()))
    }

    /// 422 `invalid_arguments` at a JSON pointer.
    pub fn invalid_arguments(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(&codes::INVALID_ARGUMENTS, message).with("pointer", pointer.into())
    }

    /// 503 for a metering or runtime dependency.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::of(&codes::UNAVAILABLE, message).retry_after(2)
    }

    /// 500: ours, logged once where it is handled, told to nobody.
    pub fn internal() -> Self {
        Self::of(&codes::INTERNAL_ERROR, "something broke on our side; nothing was charged")
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Refusal {}
