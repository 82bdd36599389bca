//! The answer to `activity`.

use serde::Deserialize;

/// A page of the trail, the newest first.
#[derive(Debug, Deserialize)]
pub(crate) struct Activity {
    /// The lines.
    pub(crate) entries: Vec<Entry>,
    /// Where the page ended.
    pub(crate) next: Option<String>,
    /// The age to which a search came that looked at as much as one may.
    pub(crate) stopped_at: Option<u64>,
}

/// An operation that was called.
#[derive(Debug, Deserialize)]
pub(crate) struct Entry {
    /// Grows with each line.
    pub(crate) seq: u64,
    /// When.
    pub(crate) at: u64,
    /// Its id.
    pub(crate) operation: String,
    /// What it may do; none where the service no longer knows the operation.
    pub(crate) kind: Option<String>,
    /// `ok`, `failed` or `denied`.
    pub(crate) outcome: String,
    /// Why it failed.
    pub(crate) code: Option<String>,
    /// What it cost.
    pub(crate) points: i64,
    /// What it cost in thousandths of a credit.
    pub(crate) credits_milli: i64,
    /// By whom.
    pub(crate) grant_ref: Option<String>,
    /// By whom, in words.
    pub(crate) client_name: Option<String>,
    /// The request.
    pub(crate) request: Option<String>,
    /// The search of the catalog that led to it.
    pub(crate) intent_ref: Option<String>,
    /// Names of the arguments that were given; their values are not kept.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
}
