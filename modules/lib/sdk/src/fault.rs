//! Refusals: how an operation says no.

use crate::boundary::Kind;

/// A typed refusal; its writes are dropped. Made by the constructors, each of which names its status.
pub use crate::boundary::Fault;

/// What an operation gives back.
pub type Result<T, E = Fault> = core::result::Result<T, E>;

impl Fault {
    /// 404: the thing does not exist for this customer.
    pub fn not_found(code: &str, message: impl Into<String>) -> Self {
        Self::of(Kind::NotFound, code, message)
    }

    /// 422: the argument at the JSON pointer is wrong in a way the schema cannot say.
    pub fn invalid(pointer: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Self { pointer: Some(pointer.into()), ..Self::of(Kind::Invalid, code, message) }
    }

    /// 409: the state of the thing forbids it.
    pub fn conflict(code: &str, message: impl Into<String>) -> Self {
        Self::of(Kind::Conflict, code, message)
    }

    /// 403: a rule forbids it whatever the state.
    pub fn refused(code: &str, message: impl Into<String>) -> Self {
        Self::of(Kind::Refused, code, message)
    }

    /// 503: something it needs is not available; nothing is charged.
    pub fn unavailable(code: &str, message: impl Into<String>) -> Self {
        Self::of(Kind::Unavailable, code, message)
    }

    /// Names the argument at fault by its JSON pointer, such as `/urls/3`.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds a JSON object for a program to act on.
    #[must_use]
    pub fn detail(mut self, detail: serde_json::Value) -> Self {
        self.detail = Some(detail.to_string());
        self
    }

    fn of(kind: Kind, code: &str, message: impl Into<String>) -> Self {
        Self { kind, code: code.to_owned(), message: message.into(), pointer: None, detail: None }
    }
}
