//! The invoices of plans: one for each calendar month that begins under a plan with a price.

use std::time::Duration;

use model::billing::Plan;
use model::clock::Moment;
use model::id::CustomerId;
use store::StoreError;
use store::money::invoices::{Invoice, InvoiceLine};
use tokio::sync::watch;

use crate::Core;
use crate::platform::{invoice, plan_of};

/// How often it is looked whether a month has begun.
const LOOK: Duration = Duration::from_secs(600);
/// Customers that are read in one go.
const AT_ONCE: u32 = 500;

/// Charges plans and writes invoices.
#[derive(Clone)]
pub struct Billing {
    pub(crate) core: Core,
}

impl Billing {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Issues the invoices of plans until told to stop.
    pub async fn bill_plans(&self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            if let Err(error) = self.bill_month(self.core.clock().now()).await {
                tracing::error!(error = %error, "the invoices of plans could not be issued; it is tried again");
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Issues what is missing for the month of `now`. An invoice has its month in its number, so there is one.
    async fn bill_month(&self, now: Moment) -> Result<(), StoreError> {
        let mut after: Option<CustomerId> = None;
        loop {
            let customers = self.core.store().money.subscribers(after.as_ref(), AT_ONCE).await?;
            let Some(last) = customers.last() else { return Ok(()) };
            after = Some(last.clone());
            for customer in &customers {
                self.bill(customer, now).await?;
            }
        }
    }

    async fn bill(&self, customer: &CustomerId, now: Moment) -> Result<(), StoreError> {
        let billing = &self.core.config().billing;
        // What was in force when the month began; a plan that was taken later in it has its own invoice of days.
        let (present, _) = self.core.store().money.subscription(customer, now.month_begun()).await?;
        let plan = plan_of(billing, present.as_ref());
        if present.is_none() || plan.price_cents == 0 {
            return Ok(());
        }
        let month: String = now.day().chars().take(7).collect();
        let lines = vec![line(plan, &month)];
        let number = format!("inv_{}_{month}", plan.reference);
        let invoice = Invoice { period: Some(month), ..invoice(billing, number, lines, now.month_begun()) };
        self.core.store().money.issue(customer, invoice).await
    }
}

fn line(plan: &Plan, month: &str) -> InvoiceLine {
    let cents = i64::try_from(plan.price_cents).unwrap_or(i64::MAX);
    InvoiceLine { words: format!("Plan {}, {month}", plan.name), quantity: 1, unit_cents: cents, amount_cents: cents }
}
