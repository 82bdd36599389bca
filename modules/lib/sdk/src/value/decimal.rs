//! Numbers with a fraction between two bounds.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// A number between two bounds, which are written in thousandths: `Decimal<100, 10_000>` is 0.1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Decimal<const MIN: i64, const MAX: i64>(f64);

impl<const MIN: i64, const MAX: i64> Decimal<MIN, MAX> {
    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "bounds are small, and their thousandths round to the nearest double"
    )]
    const fn bounds() -> (f64, f64) {
        (MIN as f64 / 1_000.0, MAX as f64 / 1_000.0)
    }
}

impl<const MIN: i64, const MAX: i64> TryFrom<f64> for Decimal<MIN, MAX> {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, String> {
        let (min, max) = Self::bounds();
        if (min..=max).contains(&number) {
            Ok(Self(number))
        } else {
            Err(format!("must be from {min} to {max}, is {number}"))
        }
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Decimal<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Decimal<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Decimal{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let (min, max) = Self::bounds();
        json_schema!({ "type": "number", "minimum": min, "maximum": max })
    }
}
