//! Counts as numbers with a fraction.

/// A count as a number.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of keywords, clicks and searches are far below 2^52")]
pub const fn as_number(count: u64) -> f64 {
    count as f64
}

/// A number as a count, rounded; 0 below zero.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded below and above")]
pub fn as_count(number: f64) -> u64 {
    number.round().clamp(0.0, 9e15) as u64
}
