//! The answer to `ledger`.

use serde::Deserialize;

/// A page of the ledger, the newest first.
#[derive(Debug, Deserialize)]
pub(crate) struct Ledger {
    /// The lines.
    pub(crate) lines: Vec<Line>,
    /// Of the whole selection, not of this page.
    pub(crate) totals: Totals,
    /// Where the page ended.
    pub(crate) next: Option<String>,
}

/// Something that moved from one account of the book to another.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    /// The line.
    pub(crate) line_ref: String,
    /// When.
    pub(crate) at: u64,
    /// `charge`, `refund`, `order`, `points` or `activation`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// `posted`, `reserved`, `settled` or `released`.
    pub(crate) state: String,
    /// What it was for.
    pub(crate) operation: Option<String>,
    /// The request or job that it belongs to.
    pub(crate) request_or_job: Option<String>,
    /// `points` or `credits_milli`.
    pub(crate) unit: String,
    /// How much.
    pub(crate) amount: i64,
    /// Out of this account.
    pub(crate) from: String,
    /// Into this one.
    pub(crate) to: String,
}

/// What moved in all.
#[derive(Debug, Deserialize)]
pub(crate) struct Totals {
    /// Points charged.
    pub(crate) points_charged: i64,
    /// Thousandths of a credit charged.
    pub(crate) credits_charged_milli: i64,
    /// Thousandths of a credit that came in.
    pub(crate) credits_added_milli: i64,
    /// Points bought with credits.
    pub(crate) points_bought: i64,
}
