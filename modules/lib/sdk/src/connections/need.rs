//! A connection that a call cannot do without, and a provider's no as ours.

use serde_json::json;

use super::{Connection, ConnectionState, Connections, SendFailure, Sent};
use crate::{Fault, Result};

/// What a call needs a connection for. In the catalog's words: `connection_required` with what adds one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    kind: &'static str,
    permissions: &'static [&'static str],
    consent: bool,
}

impl Need {
    /// A language model behind the OpenAI-compatible interface.
    pub const LLM: Self = Self::key("llm", &["models may be listed and used"]);
    /// Results pages, keyword data and backlinks.
    pub const DATAFORSEO: Self = Self::key("dataforseo", &["an account with credit"]);

    /// A kind whose credentials are handed over, with the permissions that it must have there.
    pub const fn key(kind: &'static str, permissions: &'static [&'static str]) -> Self {
        Self { kind, permissions, consent: false }
    }

    /// A kind that is connected by the customer's consent at the provider.
    pub const fn consent(kind: &'static str, permissions: &'static [&'static str]) -> Self {
        Self { kind, permissions, consent: true }
    }

    /// 422 `connection_required`: which kind, why, what adds one, and what it must be allowed there. `pointer` is the
    /// argument that asks for it.
    pub fn missing(self, pointer: &str, reason: &str) -> Fault {
        let add_with = if self.consent { "connections.oauth.start" } else { "connections.add" };
        let message = format!("{reason}; add a connection of the kind {} with {add_with}", self.kind);
        Fault::invalid(pointer, "connection_required", message).detail(json!({
            "kind": self.kind,
            "reason": reason,
            "add_with": add_with,
            "min_permissions": self.permissions,
        }))
    }
}

impl Connections<'_> {
    /// The connection that a call needs: of several the one that did best last.
    ///
    /// # Errors
    /// 422 `connection_required` when there is none, 409 `connection_expired` when none is accepted any more.
    pub fn required(&self, need: Need, pointer: &str, reason: &str) -> Result<Connection> {
        let rank = |it: &Connection| match it.state {
            ConnectionState::Ok => 0,
            ConnectionState::Untested => 1,
            ConnectionState::Failing => 2,
            ConnectionState::Expired => 3,
        };
        let best = self.of(need.kind).into_iter().min_by_key(rank).ok_or_else(|| need.missing(pointer, reason))?;
        if best.state == ConnectionState::Expired {
            return Err(expired().detail(json!({ "kind": need.kind, "connection_ref": best.reference })));
        }
        Ok(best)
    }
}

fn expired() -> Fault {
    let message = "the provider no longer accepts the credential; replace it with connections.secret.rotate";
    Fault::conflict("connection_expired", message)
}

impl From<SendFailure> for Fault {
    /// In the catalog's words: `connection_expired`, `provider_quota_exhausted`, `provider_error`. What passes by itself
    /// is 503 and costs nothing.
    fn from(failure: SendFailure) -> Self {
        let broken = |cause: &str, message: &str| {
            Self::unavailable("provider_error", message)
                .detail(json!({ "cause": cause, "provider_code": null, "retry_after": null }))
        };
        match failure {
            SendFailure::ExpiredCredential => expired(),
            SendFailure::RateLimited(seconds) => {
                Self::unavailable("provider_quota_exhausted", "the provider asks to wait before it answers again")
                    .detail(json!({ "provider_code": 429, "retry_after": seconds }))
            }
            SendFailure::NotConnected => Self::conflict("connection_gone", "the connection was removed meanwhile"),
            SendFailure::Refused => Self::refused("provider_path_refused", "this operation may not ask that"),
            SendFailure::Unreachable => broken("unreachable", "the provider could not be reached"),
            SendFailure::Timeout => broken("timeout", "the provider did not answer in time"),
            SendFailure::Tls => broken("tls", "no secure connection to the provider could be made"),
            SendFailure::Malformed => broken("malformed_answer", "the provider's answer is not what it documents"),
            SendFailure::UnknownOutcome => broken("unknown_outcome", "nobody knows whether the provider did it"),
        }
    }
}

impl Sent {
    /// The answer, when its status is 200 to 299.
    ///
    /// # Errors
    /// 402 and 429 are `provider_quota_exhausted`, 403 is `missing_permission`, the others are `provider_error` with the
    /// provider's status.
    pub fn accepted(self) -> Result<Self> {
        if self.is_success() {
            return Ok(self);
        }
        let after = self.header("retry-after").and_then(|it| it.parse::<u32>().ok());
        let fault = match self.status {
            402 | 429 => Fault::unavailable("provider_quota_exhausted", "the account at the provider is used up"),
            403 => Fault::refused("missing_permission", "the provider does not let this credential ask that"),
            status => Fault::unavailable("provider_error", format!("the provider answered with status {status}")),
        };
        Err(fault.detail(json!({ "provider_code": self.status, "retry_after": after })))
    }
}
