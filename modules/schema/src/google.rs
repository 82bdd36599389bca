//! What Google's rich results ask of an item: the features and their requirements, and the rules of parts.
//!
//! Source: Google Search Central's pages on structured data. Compared row by row with copies of Google's own pages: article,
//! course list, education Q&A, employer rating, movie, organization, paywalled content, profile page and software app, as of
//! 2026-09-08, and the recommended rows of event; local business, recipe and review snippet with rating, as of 2025-12-10;
//! video, Q&A and vacation rental, of which no day is known. The rest as of the days in the heads of `feature/*`, from copies
//! of 2026-09-01; ends of features from a copy of Google's list of changes of 2026-09-28. The required properties equal
//! `@adobe/structured-data-validator` (`tests/references/schema`). A test fails when the day is more than 180 days ago.

use sdk::value::Day;
use serde_json::{Map, Value};

use crate::check::Found;

pub(crate) mod feature;
pub(crate) mod needs;
pub(crate) mod rule;
mod special;
mod table;
mod worth;

pub(crate) use feature::{Feature, Standing, of_types};

/// The findings of an item by Google's rules; a day before `today` is over.
pub(crate) fn check(item: &Map<String, Value>, today: Day) -> Vec<Found> {
    let mut found = rule::check(item);
    found.extend(worth::check(item, today));
    found.extend(needs::check(item, &found));
    found
}

/// The day of the table, as results show it.
pub(crate) fn checked() -> sdk::value::Day {
    CHECKED.parse().unwrap_or_else(|_| sdk::value::Day::from_epoch(0))
}

/// The same as text.
pub(crate) const CHECKED: &str = "2026-11-24";

#[cfg(test)]
mod tests;
