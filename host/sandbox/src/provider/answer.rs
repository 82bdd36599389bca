//! Responses of providers, for the guest and for the journal.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::kinds::Kind;
use serde::{Deserialize, Serialize};

use super::credential::Credential;
use super::leak::Needles;
use crate::egress::{Failure, Fetched, Lost};
use crate::secrets::Sealed;

/// Response headers that every module may see: about the content, paging and the quota.
const HEADERS: [&str; 17] = [
    "content-type",
    "content-language",
    "date",
    "etag",
    "expires",
    "last-modified",
    "link",
    "location",
    "retry-after",
    "x-request-id",
    "ratelimit",
    "ratelimit-limit",
    "ratelimit-policy",
    "ratelimit-remaining",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
];

/// A provider's response with secrets redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) truncated: bool,
    pub(crate) total: Duration,
}

/// Why the guest gets no response, as in `wit/v1/connections.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Refused,
    NotConnected,
    Unreachable,
    Timeout,
    Tls,
    Malformed,
    Expired,
    Limited(Option<u32>),
    Unknown,
}

impl Trouble {
    /// The outcome in usage counters.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Trouble::Refused => "refused",
            Trouble::NotConnected => "not_connected",
            Trouble::Unreachable => "unreachable",
            Trouble::Timeout => "timeout",
            Trouble::Tls => "tls",
            Trouble::Malformed => "malformed",
            Trouble::Expired => "401",
            Trouble::Limited(_) => "429",
            Trouble::Unknown => "unknown_outcome",
        }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused => Trouble::Refused,
            Failure::Unresolved | Failure::Unreachable | Failure::Paced(_) | Failure::Disallowed => {
                Trouble::Unreachable
            }
            Failure::Timeout => Trouble::Timeout,
            Failure::Tls => Trouble::Tls,
            Failure::Redirects | Failure::Malformed => Trouble::Malformed,
        }
    }
}

impl Answer {
    /// The part of a response that the guest gets. All of it is searched for the credential.
    pub(crate) fn of(
        fetched: Fetched,
        kind: &Kind,
        credential: &Credential,
        sealed: &Sealed,
        most: usize,
    ) -> Result<Self, Trouble> {
        let header = |name: &str| fetched.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str());
        match fetched.status {
            401 => return Err(Trouble::Expired),
            // Seconds only: a date would need the provider's clock (RFC 9110, 10.2.3).
            429 => return Err(Trouble::Limited(header("retry-after").and_then(|value| value.trim().parse().ok()))),
            _ => {}
        }
        let needles = Needles::of(credential.secrets(kind).chain(sealed.values()));
        let shown = |name: &str| HEADERS.contains(&name) || kind.answers.iter().any(|it| it == name);
        let headers = fetched.headers.into_iter().filter(|(name, _)| shown(name));
        let mut body = needles.redact(fetched.body);
        let truncated = fetched.truncated || body.len() > most;
        body.truncate(most);
        Ok(Self {
            status: fetched.status,
            headers: headers.map(|(name, value)| (name, needles.redact_text(value))).collect(),
            body,
            truncated,
            total: fetched.timing.total,
        })
    }

    /// The outcome in usage counters.
    pub(crate) fn code(&self) -> String {
        if self.status < 400 { "ok".to_owned() } else { self.status.to_string() }
    }

    /// Serialises the response for the journal.
    pub(crate) fn text(&self) -> String {
        let kept = Kept {
            status: self.status,
            headers: self.headers.clone(),
            body: STANDARD.encode(&self.body),
            truncated: self.truncated,
        };
        serde_json::to_string(&kept).expect("texts can be written")
    }

    /// Parses a response from the journal.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let Kept { status, headers, body, truncated } = serde_json::from_str(text).ok()?;
        Some(Self { status, headers, body: STANDARD.decode(body).ok()?, truncated, total: Duration::ZERO })
    }
}

/// Bytes to read beyond those wanted, so that no secret is cut in half at the end.
pub(crate) fn margin(kind: &Kind, credential: &Credential, sealed: &Sealed) -> usize {
    Needles::of(credential.secrets(kind).chain(sealed.values())).longest()
}

/// A change that may have been made despite the failure has an unknown outcome.
pub(crate) fn trouble(lost: Lost, changes: bool) -> Trouble {
    if lost.sent && changes { Trouble::Unknown } else { lost.failure.into() }
}

#[derive(Serialize, Deserialize)]
struct Kept {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    truncated: bool,
}

#[cfg(test)]
mod tests {
    use catalog::kinds::kind;

    use super::*;

    fn of(status: u16, headers: &[(&str, &str)], body: &str, most: usize) -> Result<Answer, Trouble> {
        let kind = kind("llm").unwrap();
        let credential = Credential::entered(kind, r#"{"api_key":"sk-canary-1"}"#, None).unwrap();
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let fetched = Fetched { status, headers, body: body.into(), ..Fetched::default() };
        Answer::of(fetched, kind, &credential, &Sealed::default(), most)
    }

    #[test]
    fn an_echoed_credential_is_taken_out_and_other_headers_stay_behind() {
        let headers =
            [("etag", "\"sk-canary-1\""), ("set-cookie", "a=b"), ("x-internal", "1"), ("content-type", "text/plain")];
        let answer = of(200, &headers, "you are sk-canary-1!", 100).unwrap();
        assert_eq!(answer.body, b"you are [redacted]!");
        let headers: Vec<_> = answer.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(headers, [("etag", "\"[redacted]\""), ("content-type", "text/plain")]);
    }

    #[test]
    fn a_credential_at_the_end_of_what_is_wanted_is_not_cut_in_half() {
        let answer = of(200, &[], "0123456789sk-canary-1", 15).unwrap();
        assert_eq!((answer.body.as_slice(), answer.truncated), (&b"0123456789[reda"[..], true));
    }

    #[test]
    fn what_says_that_the_account_is_at_fault_is_a_failure() {
        assert_eq!(of(401, &[], "", 9), Err(Trouble::Expired));
        assert_eq!(of(429, &[("retry-after", "30")], "", 9), Err(Trouble::Limited(Some(30))));
        assert_eq!(of(429, &[("retry-after", "soon")], "", 9), Err(Trouble::Limited(None)));
        assert_eq!(of(403, &[], "", 9).unwrap().code(), "403");
        assert_eq!(of(302, &[], "", 9).unwrap().code(), "ok");
    }

    #[test]
    fn the_journal_gives_back_what_it_was_given() {
        let answer = of(201, &[("etag", "a")], "\u{0}\u{ff}body", 100).unwrap();
        assert_eq!(Answer::read(&answer.text()), Some(answer));
        assert_eq!(Answer::read("{}"), None);
    }
}
