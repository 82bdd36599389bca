//! How serious a finding is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How serious a finding is. Sorts the most serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Harms search traffic or visitors now.
    Error,
    /// Is likely to harm them.
    Warning,
    /// Is worth knowing.
    Notice,
}
