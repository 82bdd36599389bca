//! Credits, money and points as people read them. The service counts credits in thousandths and money in cents.

/// Credits of thousandths.
#[expect(clippy::cast_precision_loss, reason = "balances are far below 2^52 thousandths")]
pub(crate) fn credits(milli: i64) -> f64 {
    milli as f64 / 1_000.0
}

/// Money of cents.
#[expect(clippy::cast_precision_loss, reason = "amounts are far below 2^52 cents")]
pub(crate) fn money(cents: i64) -> f64 {
    cents as f64 / 100.0
}

/// Points, or credits of thousandths where the unit is `credits` or `credits_milli`.
#[expect(clippy::cast_precision_loss, reason = "balances are far below 2^52")]
pub(crate) fn of_unit(unit: &str, amount: i64) -> f64 {
    if unit.starts_with("credits") { credits(amount) } else { amount as f64 }
}

/// Whether a decimal is exactly so many cents.
pub(crate) fn is_cents(decimal: f64, cents: i64) -> bool {
    (decimal - money(cents)).abs() < 1e-6
}
