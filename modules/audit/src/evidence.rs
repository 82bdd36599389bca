//! What a rule shows for its word: the element, its exact value, what was expected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest value kept, in characters; the rest is cut with an ellipsis.
pub const VALUE: usize = 300;

/// The proof of one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Where it was seen: an element, a header, or a part of the address.
    pub element: String,
    /// The exact value found there; empty when the element is missing.
    pub value: String,
    /// What would have satisfied the rule.
    pub expected: Option<String>,
    /// How many such elements the page has, when more than one.
    pub count: Option<u32>,
}

impl Evidence {
    /// A value found in an element.
    #[must_use]
    pub fn at(element: impl Into<String>, value: impl AsRef<str>) -> Self {
        Self { value: clip(value.as_ref()), ..Self::absent(element) }
    }

    /// An element that is not there.
    #[must_use]
    pub fn absent(element: impl Into<String>) -> Self {
        Self { element: clip(&element.into()), value: String::new(), expected: None, count: None }
    }

    /// Says what would have satisfied the rule.
    #[must_use]
    pub fn expected(mut self, expected: impl AsRef<str>) -> Self {
        self.expected = Some(clip(expected.as_ref()));
        self
    }

    /// Says how many such elements there are.
    #[must_use]
    pub fn count(mut self, count: usize) -> Self {
        self.count = Some(u32::try_from(count).unwrap_or(u32::MAX));
        self
    }
}

/// The text, cut after [`VALUE`] characters.
pub(crate) fn clip(value: &str) -> String {
    match value.char_indices().nth(VALUE) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}…", &value[..end]),
    }
}
