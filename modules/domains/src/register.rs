//! Names that are registered, renewed and moved: what it costs, and the order.

pub(crate) mod order;
pub(crate) mod quote;
pub(crate) mod work;

use sdk::prelude::*;

use crate::registrar::Action;

/// Milliseconds for which a quote holds at least; it ends with the quarter after.
const QUARTER: u64 = 15 * 60 * 1_000;

/// What a quote seals.
#[value]
pub(crate) struct Terms {
    connection_ref: String,
    domain: String,
    action: Action,
    years: u64,
    cents: u64,
    premium: bool,
    /// The quarter of an hour in which it was made.
    quarter: u64,
}

/// The quarter of now.
fn quarter(cx: &Cx) -> u64 {
    cx.now().millis() / QUARTER
}
