//! Whole numbers between two bounds.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Count<const MIN: i64, const MAX: i64>(i64);

impl<const MIN: i64, const MAX: i64> Count<MIN, MAX> {
    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<const MIN: i64, const MAX: i64> TryFrom<i64> for Count<MIN, MAX> {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if (MIN..=MAX).contains(&number) {
            Ok(Self(number))
        } else {
            Err(format!("must be from {MIN} to {MAX}, is {number}"))
        }
    }
}

/// A negative number counts as none.
impl<const MIN: i64, const MAX: i64> From<Count<MIN, MAX>> for u64 {
    fn from(count: Count<MIN, MAX>) -> Self {
        count.0.try_into().unwrap_or(0)
    }
}

/// A negative number counts as none.
impl<const MIN: i64, const MAX: i64> From<Count<MIN, MAX>> for usize {
    fn from(count: Count<MIN, MAX>) -> Self {
        count.0.try_into().unwrap_or(if count.0 < 0 { 0 } else { Self::MAX })
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Count<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Count<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Count{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}
