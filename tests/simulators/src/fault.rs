//! What can go wrong with a provider, and for how many requests.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

/// Something that goes wrong with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Nothing takes effect and nothing is ever answered.
    Timeout,
    /// The request takes effect and is never answered: what a sender cannot tell from [`Fault::Timeout`].
    AnswerLost,
    /// Refused in the provider's own words for "too often" or "over quota". Nothing takes effect.
    RateLimited,
    /// Refused in the provider's own words for "our fault". Nothing takes effect.
    ServerError,
    /// Takes effect; half of the body is sent, then the connection ends.
    Truncated,
    /// Takes effect; the body is JSON, but of a shape that the provider never documented.
    WrongJson,
    /// Takes effect; the body is a gateway's HTML page with the status 200.
    NotJson,
    /// Takes effect; the body comes one byte at a time, five bytes a second.
    SlowDrip,
    /// Refused as if the credential had expired. Nothing takes effect.
    Unauthorized,
    /// Takes effect; the `Date` header is a day ahead.
    ClockSkew,
}

impl Fault {
    /// All of them, for tests that go through the matrix.
    pub const ALL: [Self; 10] = [
        Self::Timeout,
        Self::AnswerLost,
        Self::RateLimited,
        Self::ServerError,
        Self::Truncated,
        Self::WrongJson,
        Self::NotJson,
        Self::SlowDrip,
        Self::Unauthorized,
        Self::ClockSkew,
    ];
}

/// A fault that waits for its requests.
#[derive(Clone, Debug)]
struct Planned {
    fault: Fault,
    /// `None` is until cleared.
    left: Option<u32>,
    /// Only requests whose path begins so.
    path: String,
}

/// The faults that one simulator is told to have. The first planned that fits a request is used up first.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Planned>>);

impl Faults {
    pub(crate) fn plan(&self, fault: Fault, times: Option<u32>, path: &str) {
        if times != Some(0) {
            crate::lock(&self.0).push(Planned { fault, left: times, path: path.to_owned() });
        }
    }

    pub(crate) fn clear(&self) {
        crate::lock(&self.0).clear();
    }

    /// The fault of this request, taken off the plan.
    pub(crate) fn take(&self, path: &str) -> Option<Fault> {
        let mut planned = crate::lock(&self.0);
        let at = planned.iter().position(|it| path.starts_with(&it.path))?;
        let fault = planned[at].fault;
        match &mut planned[at].left {
            Some(1) => {
                planned.remove(at);
            }
            Some(left) => *left -= 1,
            None => {}
        }
        Some(fault)
    }
}
