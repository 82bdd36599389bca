//! A quote's terms: sealed with what decides the price and what was found out, and checked before anything is made.

use sdk::Seal;
use sdk::prelude::*;
use serde::Serialize;

/// Names the family, so that a quote of one is no quote of the other.
#[derive(Debug, Serialize)]
struct Sealed<'a, T> {
    campaign: &'a str,
    terms: &'a T,
}

/// Seals the terms of one family until the end of the next UTC day. The host adds the customer and the prices in force.
pub fn seal<T: Serialize>(cx: &Cx, campaign: &str, terms: &T) -> Seal {
    cx.quotes().seal(&Sealed { campaign, terms })
}

/// Goes on only when the hash seals these very terms: 409 `quote_changed` when anything is another one, arguments,
/// price or what was found out, and 409 `quote_expired` after its time. Both name the operation that quotes.
///
/// # Errors
/// As said.
pub fn check<T: Serialize>(cx: &Cx, campaign: &str, terms: &T, hash: &str, quote: &str) -> Result<()> {
    cx.quotes()
        .check(&Sealed { campaign, terms }, hash)
        .map_err(|fault| fault.at("/expected_quote_hash").detail(serde_json::json!({ "quote_with": quote })))
}
