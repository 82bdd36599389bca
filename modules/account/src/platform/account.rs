//! The answers to `account` and `connected`.

use sdk::prelude::*;
use serde::Deserialize;

/// The customer, as far as the service knows them.
#[derive(Debug, Deserialize)]
pub(crate) struct Account {
    /// When the account was activated.
    pub(crate) activated_at: Option<u64>,
    /// When it was made.
    pub(crate) created_at: u64,
    /// The name of the plan in force.
    pub(crate) plan: String,
    /// The plan after this one.
    pub(crate) next_plan: Option<NextPlan>,
    /// How often it may ask.
    pub(crate) rates: Rates,
}

/// A plan that is to come.
#[derive(Debug, Deserialize)]
pub(crate) struct NextPlan {
    /// Its name.
    pub(crate) plan: String,
    /// From when on.
    pub(crate) effective_at: u64,
}

/// How many calls one window of time takes, by what they ask for.
#[value]
pub(crate) struct Rates {
    /// Seconds of a window.
    window_seconds: u64,
    /// Calls of any kind.
    request: u64,
    /// Calls that ask the web or start jobs.
    heavy: u64,
    /// Searches of the catalog.
    enumeration: u64,
    /// Reports of an outcome.
    feedback: u64,
}

/// The customer's own accounts at providers.
#[derive(Debug, Deserialize)]
pub(crate) struct Connected {
    /// Each of them.
    pub(crate) connections: Vec<Connection>,
}

/// One of them.
#[derive(Debug, Deserialize)]
pub(crate) struct Connection {
    /// `smtp` and its kin.
    pub(crate) kind: String,
    /// How it does: `ok`, `failing`, `expired`, `untested`.
    pub(crate) state: String,
}
