//! The outcome of sending a message, for the guest and for the journal.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::edges::recipients::Standing;

use crate::egress::{Failure, Reply, Undelivered};

/// A message that the server accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Delivered {
    pub(crate) message_id: String,
    pub(crate) accepted: Vec<String>,
    pub(crate) refused: Vec<(String, u16, Option<String>)>,
    #[serde(skip)]
    pub(crate) total: Duration,
}

impl Delivered {
    /// Serialises the outcome for the journal.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("texts can be written")
    }

    /// Parses an outcome from the journal.
    pub(crate) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// Why a message was not accepted, as in `wit/v1/mail.wit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Refused,
    Invalid(super::letter::Invalid),
    NotConnected,
    Unsubscribed,
    Unreachable,
    Timeout,
    Tls,
    Malformed,
    Expired,
    Limited(Option<Reply>),
    Rejected(Reply),
    TooLarge(u64),
    /// An invitation that is not sent, for what is known of its recipient.
    Known(Standing),
    Unknown,
}

impl Trouble {
    /// The outcome in usage counters: an SMTP code or a word.
    pub(crate) fn code(&self) -> String {
        match self {
            Trouble::Refused => "refused".to_owned(),
            Trouble::Invalid(_) => "invalid".to_owned(),
            Trouble::NotConnected => "not_connected".to_owned(),
            Trouble::Unsubscribed => "unsubscribed".to_owned(),
            Trouble::Unreachable => "unreachable".to_owned(),
            Trouble::Timeout => "timeout".to_owned(),
            Trouble::Tls => "tls".to_owned(),
            Trouble::Malformed => "malformed".to_owned(),
            Trouble::Expired => "535".to_owned(),
            Trouble::Limited(None) => "paced".to_owned(),
            Trouble::Limited(Some(reply)) | Trouble::Rejected(reply) => reply.code.to_string(),
            Trouble::TooLarge(_) => "too_large".to_owned(),
            Trouble::Known(_) => "asked_before".to_owned(),
            Trouble::Unknown => "unknown_outcome".to_owned(),
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

impl From<Undelivered> for Trouble {
    fn from(undelivered: Undelivered) -> Self {
        match undelivered {
            Undelivered::Failure(failure) => failure.into(),
            Undelivered::Login => Trouble::Expired,
            Undelivered::Said(reply) => replied(reply),
            Undelivered::TooLarge(most) => Trouble::TooLarge(most),
            Undelivered::Unknown => Trouble::Unknown,
        }
    }
}

/// RFC 5321, 4.2.1: a 4yz reply may be retried, a 5yz may not.
fn replied(reply: Reply) -> Trouble {
    if reply.is_temporary() { Trouble::Limited(Some(reply)) } else { Trouble::Rejected(reply) }
}
