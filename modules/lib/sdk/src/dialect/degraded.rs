//! A part of a result that is missing or incomplete, and the call that would supply it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A part of the result that is missing or incomplete. The host copies the list to `meta.degraded`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Degraded {
    /// What is missing or incomplete.
    #[schemars(extend("own" = true))]
    pub what: String,
    /// Why.
    #[schemars(extend("own" = true))]
    pub why: String,
    /// The operation that supplies it; null when no call does.
    #[schemars(extend("own" = true))]
    pub operation_id: Option<String>,
    /// Valid arguments for that operation; null when no call supplies it.
    #[schemars(extend("own" = true))]
    pub arguments: Option<Map<String, Value>>,
}

impl Degraded {
    /// A missing part that no call supplies.
    #[must_use]
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into(), operation_id: None, arguments: None }
    }

    /// Names the call that supplies it, unless its operation is not served. `arguments` is a JSON object; anything else
    /// counts as an empty one.
    #[must_use]
    pub fn supplied_by(mut self, operation_id: &str, arguments: Value) -> Self {
        if !super::served(operation_id) {
            return self;
        }
        self.operation_id = Some(operation_id.to_owned());
        self.arguments = Some(super::next::object(arguments));
        self
    }
}
