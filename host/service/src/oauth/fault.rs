//! Failures of the authorization server, in the shape and with the codes of the OAuth RFCs.

use std::borrow::Cow;

use store::StoreError;

use crate::limits::Standing;

/// `error` of an OAuth answer. The list is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// RFC 6749 4.1.2.1 and 5.2.
    InvalidRequest,
    /// RFC 6749 5.2.
    InvalidClient,
    /// RFC 6749 5.2.
    InvalidGrant,
    /// RFC 6749 5.2.
    UnauthorizedClient,
    /// RFC 6749 5.2.
    UnsupportedGrantType,
    /// RFC 6749 4.1.2.1.
    UnsupportedResponseType,
    /// RFC 6749 4.1.2.1.
    InvalidScope,
    /// RFC 8707 2.
    InvalidTarget,
    /// RFC 6749 4.1.2.1.
    AccessDenied,
    /// RFC 7591 3.2.2.
    InvalidRedirectUri,
    /// RFC 7591 3.2.2.
    InvalidClientMetadata,
    /// RFC 6749 4.1.2.1; also what a client gets that asks too often.
    TemporarilyUnavailable,
    /// Too many requests: 429.
    SlowDown,
    /// A body beyond its bound: 413.
    TooLarge,
}

impl Code {
    /// As written in the answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::InvalidRequest | Code::TooLarge => "invalid_request",
            Code::InvalidClient => "invalid_client",
            Code::InvalidGrant => "invalid_grant",
            Code::UnauthorizedClient => "unauthorized_client",
            Code::UnsupportedGrantType => "unsupported_grant_type",
            Code::UnsupportedResponseType => "unsupported_response_type",
            Code::InvalidScope => "invalid_scope",
            Code::InvalidTarget => "invalid_target",
            Code::AccessDenied => "access_denied",
            Code::InvalidRedirectUri => "invalid_redirect_uri",
            Code::InvalidClientMetadata => "invalid_client_metadata",
            Code::TemporarilyUnavailable | Code::SlowDown => "temporarily_unavailable",
        }
    }
}

/// A failure of an OAuth endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its code.
    pub code: Code,
    /// What is wrong and what to do, in the character set of RFC 6749 5.2.
    pub description: Cow<'static, str>,
    /// Seconds after which trying again makes sense.
    pub retry_after: Option<u64>,
    /// The limit that is reached.
    pub limit: Option<Box<Standing>>,
}

impl Fault {
    /// A fault with this description; characters that RFC 6749 5.2 forbids become `'` or `?`.
    pub fn new(code: Code, description: impl Into<Cow<'static, str>>) -> Self {
        Self { code, description: printable(description.into()), retry_after: None, limit: None }
    }

    /// Too many requests.
    pub fn limited(standing: Standing) -> Self {
        let Standing { limit, quota, window, reset, .. } = standing;
        let what = format!("the {limit} limit of {quota} in {window} seconds is reached; wait {reset} seconds");
        Self { limit: Some(Box::new(standing)), ..Self::new(Code::SlowDown, what).retry_after(reset) }
    }

    /// Says when to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        tracing::error!(error = %error, "the authorization server could not reach its store");
        Self::new(Code::TemporarilyUnavailable, "the service cannot answer at the moment; try again").retry_after(2)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.description)
    }
}

impl std::error::Error for Fault {}

fn printable(text: Cow<'static, str>) -> Cow<'static, str> {
    let legal = |c: char| matches!(c, ' '..='~') && c != '"' && c != '\\';
    if text.chars().all(legal) {
        return text;
    }
    let replace = |c: char| match c {
        '"' => '\'',
        c if legal(c) => c,
        _ => '?',
    };
    Cow::Owned(text.chars().map(replace).collect())
}
