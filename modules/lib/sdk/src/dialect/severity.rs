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

impl Severity {
    /// All of them, the most serious first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// The word in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}
