//! What a handler may give back: a result, with the work it took.

use schemars::JsonSchema;
use serde::Serialize;

/// A type that answers a call. `#[value]` structs answer with no units, `#[page]` structs with their rows.
pub trait Reply {
    /// What is written as `data`.
    type Data: Serialize + JsonSchema;

    /// The data, and the units of work in the unit that the contract's cost names.
    fn into_parts(self) -> (Self::Data, u64);
}

/// A result with its units said aloud: `Answer::new(result).units(rows)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    data: T,
    units: u64,
}

impl<T> Answer<T> {
    /// An answer that took no countable work.
    pub fn new(data: T) -> Self {
        Self { data, units: 0 }
    }

    /// The work done, in the unit that the contract's cost names.
    #[must_use]
    pub fn units(mut self, units: u64) -> Self {
        self.units = units;
        self
    }
}

impl<T: Serialize + JsonSchema> Reply for Answer<T> {
    type Data = T;

    fn into_parts(self) -> (T, u64) {
        (self.data, self.units)
    }
}
