//! The answers to `balance`, `budgets`, `set-budget`, `order-credits`, `buy-points` and `estimate`.

use sdk::serde_json::{Map, Value};
use serde::Deserialize;

/// What the customer has.
#[derive(Debug, Deserialize)]
pub(crate) struct Balance {
    /// Whether the account is activated.
    pub(crate) activated: bool,
    /// Thousandths of a credit that can be spent.
    pub(crate) credits_milli: i64,
    /// Of running work.
    pub(crate) reserved_credits_milli: i64,
    /// Points that can be spent.
    pub(crate) points: i64,
    /// Of running work.
    pub(crate) reserved_points: i64,
    /// Free points of a UTC day.
    pub(crate) allowance: i64,
    /// Of these, left today.
    pub(crate) allowance_left: i64,
    /// When they come anew.
    pub(crate) renews_at: u64,
}

/// The caps on spending.
#[derive(Debug, Deserialize)]
pub(crate) struct Budgets {
    /// Each of them.
    pub(crate) budgets: Vec<Budget>,
}

/// A cap on spending; credits in thousandths.
#[derive(Debug, Deserialize)]
pub(crate) struct Budget {
    /// `workspace`, `module`, `site`, `client`.
    pub(crate) scope: String,
    /// Which one; empty for the workspace.
    pub(crate) target: Option<String>,
    /// `points` or `credits`.
    pub(crate) unit: String,
    /// In a UTC day.
    pub(crate) daily: Option<i64>,
    /// In a month of the calendar.
    pub(crate) monthly: Option<i64>,
    /// Spent today.
    pub(crate) used_today: i64,
    /// Spent this month.
    pub(crate) used_month: i64,
}

/// An order of credits.
#[derive(Debug, Deserialize)]
pub(crate) struct Ordered {
    /// The order.
    pub(crate) order_ref: String,
    /// The pro-forma invoice.
    pub(crate) invoice_ref: String,
    /// Where it stands.
    pub(crate) state: String,
    /// To be paid.
    pub(crate) total_cents: i64,
    /// Of the total.
    pub(crate) currency: String,
    /// When.
    pub(crate) placed_at: u64,
}

/// Points for credits.
#[derive(Debug, Deserialize)]
pub(crate) struct Bought {
    /// That came.
    pub(crate) points_added: i64,
    /// That there are now.
    pub(crate) points: i64,
    /// Thousandths of a credit that are left.
    pub(crate) credits_milli: i64,
}

/// What a call would cost.
#[derive(Debug, Deserialize)]
pub(crate) struct Estimated {
    /// At least.
    pub(crate) points_min: u64,
    /// At most.
    pub(crate) points_max: u64,
    /// Thousandths of a credit, at least.
    pub(crate) credits_min_milli: i64,
    /// At most.
    pub(crate) credits_max_milli: i64,
    /// Whether the account has to be activated first.
    pub(crate) needs_activation: bool,
    /// Whether the call would go through now.
    pub(crate) affordable: bool,
    /// What would stop it.
    pub(crate) blocking: Option<Blocking>,
}

/// What would stop a call.
#[derive(Debug, Deserialize)]
pub(crate) struct Blocking {
    /// The refusal's code.
    pub(crate) code: String,
    /// The refusal in words.
    pub(crate) message: String,
    /// More of it.
    pub(crate) detail: Option<Map<String, Value>>,
}
