//! How far a job has come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a job has come, counted in the unit that its step names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// Units finished.
    pub done: u64,
    /// Units in all; null while that is not known.
    pub total: Option<u64>,
    /// The stage that is running, such as `fetching pages`.
    #[schemars(extend("own" = true))]
    pub step: String,
}

impl Progress {
    /// `done` of `total` units, in a named stage.
    #[must_use]
    pub fn new(done: u64, total: impl Into<Option<u64>>, step: impl Into<String>) -> Self {
        Self { done, total: total.into(), step: step.into() }
    }
}
