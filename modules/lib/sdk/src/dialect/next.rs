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

/// Modules that the catalog serves. A module that ships adds its name, and calls of its operations appear in the
/// answers of the others.
const SERVED: [&str; 20] = [
    "account",
    "audit",
    "authors",
    "backlinks",
    "cms",
    "connections",
    "crawl",
    "domains",
    "indexing",
    "keywords",
    "links",
    "local_grid",
    "logs",
    "monitoring",
    "onpage",
    "rankings",
    "schema",
    "search_console",
    "ux_signals",
    "websites",
];

/// Operations of these modules that are still to come. One that ships takes its line away.
const TO_COME: [&str; 1] = ["cms.draft.push"];

/// Whether an operation of the catalog's table is served, so that an answer may name it.
#[must_use]
pub fn served(operation_id: &str) -> bool {
    let is_of = |module: &str| SERVED.contains(&module) && !TO_COME.contains(&operation_id);
    operation_id.split_once('.').is_some_and(|(module, _)| is_of(module))
}

/// The members of a JSON object; none for any other value.
pub(super) fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(members) = value { members } else { Map::new() }
}

#[cfg(test)]
mod tests {
    //! Tests of `next`.

    use super::*;

    #[test]
    fn the_served_modules_are_those_of_the_workspace() {
        let modules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = std::fs::read_dir(modules).expect("the folder of the modules").filter_map(Result::ok);
        let mut names: Vec<String> = folders
            .filter(|it| it.path().join("Cargo.toml").is_file())
            .map(|it| it.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, SERVED);
    }
}
