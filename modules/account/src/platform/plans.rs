//! The answers to `plans`, `plan-change` and `change-plan`.

use sdk::prelude::*;
use serde::Deserialize;

/// The plans there are.
#[derive(Debug, Deserialize)]
pub(crate) struct Plans {
    /// The `plan_ref` of the one in force.
    pub(crate) current: String,
    /// When its period ends.
    pub(crate) period_ends_at: Option<u64>,
    /// Each of them.
    pub(crate) plans: Vec<Plan>,
}

/// A plan.
#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    /// For `plan-change`.
    pub(crate) plan_ref: String,
    /// How it is called.
    pub(crate) name: String,
    /// Of a period.
    pub(crate) price_cents: i64,
    /// Of a credit.
    pub(crate) credit_price_cents: i64,
    /// Of both prices.
    pub(crate) currency: String,
    /// What it includes.
    pub(crate) limits: Limits,
}

/// What a plan includes; in a comparison, how much more or less.
#[value]
pub(crate) struct Limits {
    /// Calls a minute.
    pub(crate) requests_per_minute: Option<i64>,
    /// Calls a minute that ask the web or start jobs.
    pub(crate) heavy_per_minute: Option<i64>,
    /// Accounts at providers.
    pub(crate) connections: Option<i64>,
    /// Websites.
    pub(crate) websites: Option<i64>,
}

/// What a change of the plan costs.
#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    /// The change, once it was asked for.
    pub(crate) change_ref: Option<String>,
    /// From when on the new plan holds.
    pub(crate) effective_at: u64,
    /// What the total is made of.
    pub(crate) proration: Vec<Part>,
    /// To be paid; negative when there is something to give back.
    pub(crate) total_cents: i64,
    /// Of the total.
    pub(crate) currency: String,
}

/// A part of the total, by days.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    /// For what.
    pub(crate) words: String,
    /// Days that it is for.
    pub(crate) days: u32,
    /// Days of the period.
    pub(crate) of_days: u32,
    /// How much.
    pub(crate) amount_cents: i64,
}
