//! Calls that a result suggests: the next step, and the repair of a finding.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A call that is worth making after this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Next {
    /// The operation to call.
    #[schemars(extend("own" = true))]
    pub operation_id: String,
    /// Its arguments, complete and valid for its contract. What a page wrote may stand in them.
    pub arguments: Map<String, Value>,
    /// What the call achieves.
    #[schemars(extend("own" = true))]
    pub why: String,
}

impl Next {
    /// A suggested call. `arguments` is a JSON object; anything else counts as an empty one.
    #[must_use]
    pub fn new(operation_id: &str, arguments: Value, why: impl Into<String>) -> Self {
        Self { operation_id: operation_id.to_owned(), arguments: object(arguments), why: why.into() }
    }
}

/// A call that repairs a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// The operation to call.
    #[schemars(extend("own" = true))]
    pub operation_id: String,
    /// Its arguments, complete and valid for its contract. What a page wrote may stand in them.
    pub arguments: Map<String, Value>,
}

impl Fix {
    /// A repairing call. `arguments` is a JSON object; anything else counts as an empty one.
    #[must_use]
    pub fn new(operation_id: &str, arguments: Value) -> Self {
        Self { operation_id: operation_id.to_owned(), arguments: object(arguments) }
    }

    /// A call of an operation that needs an address and nothing else.
    #[must_use]
    pub fn on(operation_id: &str, url: &str) -> Self {
        Self::new(operation_id, json!({ "url": url }))
    }

    /// The same call as a next step; `why` says what it achieves.
    #[must_use]
    pub fn because(self, why: impl Into<String>) -> Next {
        Next { operation_id: self.operation_id, arguments: self.arguments, why: why.into() }
    }

    /// The call, where its operation is served; see [`served`].
    #[must_use]
    pub fn if_served(self) -> Option<Self> {
        served(&self.operation_id).then_some(self)
    }
}

/// Whether an operation is served in the revision that the call belongs to, so that an answer may name it.
#[must_use]
pub fn served(operation_id: &str) -> bool {
    crate::offer::serves(operation_id)
}

/// The members of a JSON object; none for any other value.
pub(super) fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(members) = value { members } else { Map::new() }
}
