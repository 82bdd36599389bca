//! The operation `account.credit.order.create`.

use sdk::prelude::*;
use sdk::{PlatformAction, PlatformOrder};

use crate::amount::money;
use crate::invoice::Invoice;
use crate::platform::balance::Ordered as Known;

/// An order; the service keeps it.
pub(crate) enum Order {}

#[args]
pub(crate) struct Create {
    /// How many.
    credits: Count<10, 1_000_000>,
    /// The customer's own reference, for the invoice.
    reference: Option<Text<1, 60>>,
}

/// An order that waits for its payment.
#[value]
pub(crate) struct Ordered {
    order_ref: Id<Order>,
    /// The pro-forma invoice; `account.invoice.list` shows it.
    invoice_ref: Id<Invoice>,
    /// To be paid.
    amount: f64,
    currency: String,
    /// Where it stands: `open` until the payment has come.
    state: String,
    placed_at: Moment,
}

/// Orders credits: issues a pro-forma invoice at the plan's credit price and adds the credits when the operator marks the payment as received.
///
/// Nothing is charged by the call. The credits come with the payment; `account.invoice.list` says when it has.
#[operation(
    write,
    scope = "billing:manage",
    cost = write,
    queued(outside),
    result_operation = "account.invoice.list",
    needs = ["store", "credits"],
    side_effects = ["issues a pro-forma invoice"],
    phrasings = [
        "buy more credits",
        "order 500 credits",
        "top up my account",
        "send me an invoice for credits",
    ],
    examples = [{ "credits": 500 }, { "credits": 10_000, "reference": "PO 2026-118" }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Ordered> {
    let order = PlatformOrder {
        credits: u32::try_from(u64::from(args.credits)).unwrap_or(u32::MAX),
        reference: args.reference.map(Text::into_string),
    };
    let placed: Known = cx.platform().act(&PlatformAction::OrderCredits(order))?;
    Ok(Ordered {
        order_ref: Id::new(placed.order_ref),
        invoice_ref: Id::new(placed.invoice_ref),
        amount: money(placed.total_cents),
        currency: placed.currency,
        state: placed.state,
        placed_at: Moment::from_millis(placed.placed_at),
    })
}
