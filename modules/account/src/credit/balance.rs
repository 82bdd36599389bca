//! The operation `account.credit.balance.get`.

use sdk::PlatformQuestion;
use sdk::prelude::*;

use crate::amount::credits;
use crate::budget::{Cap, caps};
use crate::platform::balance::{Balance as Known, Budgets};

/// What the customer has.
#[value]
pub(crate) struct Balance {
    /// Whether the account is activated.
    activated: bool,
    /// Credits that can be spent.
    credits: f64,
    /// Credits set aside for running work.
    reserved: f64,
    /// Reusable points for calls from outside.
    points: i64,
    /// Points set aside for running work.
    reserved_points: i64,
    /// Free points of a UTC day.
    allowance: i64,
    /// Of these, left today.
    allowance_left: i64,
    /// When they come anew.
    allowance_renews_at: Moment,
    /// The caps on spending.
    budgets: Vec<Cap>,
}

/// Returns credits, reserved credits of running native work, reusable external-access points, today's free allowance left (UTC day) and any spend caps.
#[operation(
    read,
    scope = "billing:read",
    cost = indexed_read,
    needs = ["store", "credits"],
    phrasings = [
        "how many credits do I have",
        "what is my balance",
        "how much of today's free allowance is left",
        "am I close to a spending cap",
    ],
    examples = [{}]
)]
pub(crate) fn get(cx: &Cx, _args: Nothing) -> Result<Balance> {
    let known: Known = cx.platform().ask(&PlatformQuestion::Balance)?;
    let budgets: Budgets = cx.platform().ask(&PlatformQuestion::Budgets)?;
    Ok(Balance {
        activated: known.activated,
        credits: credits(known.credits_milli),
        reserved: credits(known.reserved_credits_milli),
        points: known.points,
        reserved_points: known.reserved_points,
        allowance: known.allowance,
        allowance_left: known.allowance_left,
        allowance_renews_at: Moment::from_millis(known.renews_at),
        budgets: caps(budgets),
    })
}
