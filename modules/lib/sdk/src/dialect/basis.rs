//! What a result rests on, and how old that is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::value::{Id, Moment};

/// What a result rests on, and how old that is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The crawl or run; null when the result rests on something else.
    pub run_ref: Option<Id<Self>>,
    /// When it ended.
    pub at: Moment,
    /// Seconds since then.
    pub age_seconds: u64,
    /// Whether it covers everything that it set out to cover; false when it was stopped or reached a bound.
    pub complete: bool,
}

impl Basis {
    /// A run that ended at `at`, seen from `now`.
    #[must_use]
    pub fn of_run(run_ref: impl Into<String>, at: Moment, now: Moment, complete: bool) -> Self {
        let age_seconds = now.since(at) / 1_000;
        Self { run_ref: Some(Id::new(run_ref)), at, age_seconds, complete }
    }
}
