//! Kept here: what Google's rich results ask of an item: the features and their requirements, and the rules of parts.
//!
//! Source: public descriptions of Google Search Central's pages on structured data and of their changelog, gathered on the
//! day of [`CHECKED`]. Google's own pages could not be reached and have not been compared yet; the required properties
//! equal `@adobe/structured-data-validator` (`tests/references/schema`). The dates of FAQ and practice problems are the
//! least sure. A test fails when the day is more than 180 days ago.

pub(crate) mod feature;
pub(crate) mod rule;
mod special;
mod table;

pub(crate) use feature::{Feature, Standing, of_types};
pub(crate) use rule::check;

/// The day of the table, as results show it.
pub(crate) fn checked() -> sdk::value::Day {
    CHECKED.parse().unwrap_or_else(|_| sdk::value::Day::from_epoch(0))
}

/// The same as text.
pub(crate) const CHECKED: &str = "2026-11-23";

#[cfg(test)]
mod tests;
