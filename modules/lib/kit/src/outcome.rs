//! What an answer says of the address that a link names: one reading, for the crawl, checks of one page and audits.
//!
//! A link is broken only when its target was asked and is not there. Sites answer 403, 429 and the like to programs that they
//! do not know, while people see the page: such a target is blocked, and nothing is said of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of asking for an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It answered 1xx to 3xx.
    Answered,
    /// It answered that programs, strangers or some countries are kept out (401, 403, 407, 429, 451, 999): people may see it.
    Blocked,
    /// It answered 4xx or 5xx, or redirects in a circle.
    Broken,
    /// There is no such name.
    Unresolved,
    /// The name is there, and no answer came: a refused connection, a timeout, a broken certificate.
    Silent,
    /// Nobody asked: robots.txt forbids it, the host wants a pause, or the request was not let out.
    #[default]
    NotAsked,
}

impl Outcome {
    /// By the status (0: no answer) and by why there was no answer, named as `sdk::Failure::name` and records of crawls do.
    #[must_use]
    pub fn of(status: u16, failure: Option<&str>) -> Self {
        match (status, failure) {
            (0, Some("robots" | "disallowed" | "paced" | "refused")) => Self::NotAsked,
            (0, Some("unresolved")) => Self::Unresolved,
            (0, Some("redirects")) => Self::Broken,
            (0, _) => Self::Silent,
            (401 | 403 | 407 | 429 | 451 | 999, _) => Self::Blocked,
            (400.., _) => Self::Broken,
            _ => Self::Answered,
        }
    }

    /// Whether a link that leads there leads to nothing.
    #[must_use]
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::Broken | Self::Unresolved | Self::Silent)
    }

    /// Its word in records and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Blocked => "blocked",
            Self::Broken => "broken",
            Self::Unresolved => "unresolved",
            Self::Silent => "silent",
            Self::NotAsked => "not_asked",
        }
    }
}

/// Whether the answer to a `HEAD` is to be confirmed by a `GET` before anything is said: servers that do not know `HEAD`
/// answer it with almost any error, or not at all (RFC 9110, 9.3.2 wants it like `GET`). Who asks for a pause gets one.
#[must_use]
pub fn head_is_doubtful(status: u16, failure: Option<&str>) -> bool {
    match Outcome::of(status, failure) {
        Outcome::Broken | Outcome::Silent => true,
        Outcome::Blocked => status != 429,
        Outcome::Answered | Outcome::Unresolved | Outcome::NotAsked => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, head_is_doubtful};

    #[test]
    fn only_what_was_asked_and_is_not_there_is_broken() {
        let table = [
            (200, None, Outcome::Answered, false),
            (301, None, Outcome::Answered, false),
            (404, None, Outcome::Broken, true),
            (410, None, Outcome::Broken, true),
            (500, None, Outcome::Broken, true),
            (503, None, Outcome::Broken, true),
            (401, None, Outcome::Blocked, false),
            (403, None, Outcome::Blocked, false),
            (429, None, Outcome::Blocked, false),
            (451, None, Outcome::Blocked, false),
            (999, None, Outcome::Blocked, false),
            (0, Some("unresolved"), Outcome::Unresolved, true),
            (0, Some("timeout"), Outcome::Silent, true),
            (0, Some("tls"), Outcome::Silent, true),
            (0, Some("redirects"), Outcome::Broken, true),
            (0, Some("robots"), Outcome::NotAsked, false),
            (0, Some("paced"), Outcome::NotAsked, false),
            (0, None, Outcome::Silent, true),
        ];
        for (status, failure, outcome, broken) in table {
            assert_eq!(Outcome::of(status, failure), outcome, "{status} {failure:?}");
            assert_eq!(outcome.is_broken(), broken, "{status} {failure:?}");
        }
    }

    #[test]
    fn a_head_that_fails_is_confirmed_and_one_that_was_not_asked_is_not() {
        for (status, failure) in [(403, None), (404, None), (405, None), (501, None), (503, None), (0, Some("timeout"))]
        {
            assert!(head_is_doubtful(status, failure), "{status} {failure:?}");
        }
        for (status, failure) in [(200, None), (302, None), (429, None), (0, Some("unresolved")), (0, Some("robots"))] {
            assert!(!head_is_doubtful(status, failure), "{status} {failure:?}");
        }
    }
}
