//! The answer to `spending`.

use sdk::prelude::*;
use sdk::{Grouping, PlatformQuestion, Spending as Asked};
use serde::Deserialize;

/// What was spent in some days.
#[derive(Debug, Deserialize)]
pub(crate) struct Spending {
    /// One for each day and key that was used.
    pub(crate) rows: Vec<Row>,
}

/// What was spent on one day under one key.
#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    /// UTC days since 1970-01-01.
    pub(crate) day: i32,
    /// The module, operation, website or grant; that of a day says nothing.
    #[serde(default)]
    pub(crate) key: Option<String>,
    /// What the customer knows the key by.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Calls.
    pub(crate) calls: u64,
    /// Points.
    pub(crate) points: i64,
    /// Thousandths of a credit.
    pub(crate) credits_milli: i64,
}

/// What was spent from one day to another, both included.
pub(crate) fn of(cx: &Cx, by: Grouping, from: Day, to: Day) -> Result<Vec<Row>> {
    let asked = Asked { by, from: from.since_epoch().into(), to: to.since_epoch().into() };
    Ok(cx.platform().ask::<Spending>(&PlatformQuestion::Spending(asked))?.rows)
}
