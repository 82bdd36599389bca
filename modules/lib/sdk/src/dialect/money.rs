//! Amounts of money.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An amount of money as a decimal string, so that no rounding happens on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Money {
    /// The amount in units of the currency, such as `12.50`.
    #[schemars(regex(pattern = r"^-?[0-9]{1,18}(\.[0-9]{1,6})?$"))]
    pub amount: String,
    /// The currency's code in ISO 4217, such as `EUR`.
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    pub currency: String,
}

/// Credits of thousandths, as results have them: 1.25 of 1,250.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "prices are far below 2^52 thousandths")]
pub fn credits(milli: u64) -> f64 {
    milli as f64 / 1_000.0
}

impl Money {
    /// An amount given in hundredths of the currency's unit.
    #[must_use]
    pub fn from_cents(cents: i64, currency: &str) -> Self {
        let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
        Self { amount: format!("{sign}{}.{:02}", cents / 100, cents % 100), currency: currency.to_owned() }
    }
}
