//! Plans and orders: what they cost, and what is to be paid for a change.

use model::billing::{Billing, Plan};
use model::clock::Moment;
use model::id::{JobId, OrderId};
use sandbox::platform::{Deed, Order, PlanChange, Untold};
use serde_json::{Value, json};
use store::money::account::AccountChange;
use store::money::invoices::{Invoice, InvoiceLine};
use store::money::subscriptions::Subscription;

use super::{Desk, conflict, deed, invalid};

/// Credits of one order.
const CREDITS: std::ops::RangeInclusive<u32> = 10..=1_000_000;
/// Orders that wait for their money at once.
const MOST_OPEN: u32 = 20;
/// Characters of a customer's own reference.
const LONGEST_REFERENCE: usize = 60;
const DAY: i64 = 86_400_000;

/// The plan in force.
pub(crate) fn plan_of<'a>(billing: &'a Billing, present: Option<&Subscription>) -> &'a Plan {
    present.and_then(|choice| billing.plan(&choice.plan)).unwrap_or_else(|| billing.first())
}

/// What is asked for an order: so many credits at the plan's price.
pub(crate) fn pro_forma(billing: &Billing, plan: &Plan, order: &OrderId, credits: u64, now: Moment) -> Invoice {
    let unit = i64::try_from(plan.credit_price_cents).unwrap_or(i64::MAX);
    let amount = unit.saturating_mul(i64::try_from(credits).unwrap_or(i64::MAX));
    let line = InvoiceLine {
        words: format!("Credits, plan {}", plan.name),
        quantity: credits,
        unit_cents: unit,
        amount_cents: amount,
    };
    let name = order.as_str().trim_start_matches("ord_");
    Invoice { order: Some(order.clone()), ..invoice(billing, format!("inv_{name}"), vec![line], now) }
}

/// An invoice of these lines, to be paid.
pub(crate) fn invoice(billing: &Billing, reference: String, lines: Vec<InvoiceLine>, now: Moment) -> Invoice {
    let net: i64 = lines.iter().map(|line| line.amount_cents).sum();
    Invoice {
        reference,
        order: None,
        period: None,
        lines,
        currency: billing.currency.clone(),
        net,
        tax_percent: billing.tax_percent,
        tax: billing.tax(net),
        note: None,
        issued_at: now,
        paid_at: None,
        void_at: None,
    }
}

/// A change of the plan, priced.
pub(super) struct Priced {
    plan: String,
    effective_at: Moment,
    lines: Vec<(InvoiceLine, i64, i64)>,
    total: i64,
    currency: String,
}

impl Priced {
    /// As `plan-change` answers it.
    pub(super) fn document(&self) -> Value {
        let line = |(line, days, of): &(InvoiceLine, i64, i64)| json!({ "words": line.words, "days": days, "of_days": of, "amount_cents": line.amount_cents });
        json!({
            "effective_at": self.effective_at.0,
            "proration": self.lines.iter().map(line).collect::<Vec<_>>(),
            "total_cents": self.total,
            "currency": self.currency,
        })
    }
}

impl Desk {
    /// What is offered, beside what is in force.
    pub(super) async fn plans(&self, now: Moment) -> Result<Value, Untold> {
        let (present, _) = self.service.core.store().money.subscription(&self.customer, now).await?;
        let config = self.service.core.config();
        let limits = json!({
            "requests_per_minute": config.limits.requests,
            "heavy_per_minute": config.limits.heavy,
            "connections": store::MOST_CONNECTIONS,
            "websites": Value::Null,
        });
        let shown = |plan: &Plan| {
            json!({
                "plan_ref": plan.reference,
                "name": plan.name,
                "price_cents": plan.price_cents,
                "credit_price_cents": plan.credit_price_cents,
                "currency": config.billing.currency,
                "limits": limits,
            })
        };
        Ok(json!({
            "current": plan_of(&config.billing, present.as_ref()).reference,
            "period_ends_at": now.next_month().0,
            "plans": config.billing.plans.iter().map(shown).collect::<Vec<_>>(),
        }))
    }

    /// What a change would cost. With the next month: nothing now, its invoice comes then. At once: the days that are
    /// left of the month, today among them, of the new plan less those of the old one.
    pub(super) async fn plan_change(&self, change: &PlanChange, now: Moment) -> Result<Priced, Untold> {
        let billing = &self.service.core.config().billing;
        let (present, next) = self.service.core.store().money.subscription(&self.customer, now).await?;
        let plan = billing.plan(&change.plan);
        let plan = plan.ok_or_else(|| invalid("/plan_ref", "unknown_plan", "there is no plan of this reference"))?;
        let old = plan_of(billing, present.as_ref());
        if old.reference == plan.reference && (change.now || next.is_none()) {
            return Err(conflict("plan_in_force", "this plan is in force already"));
        }
        let mut lines = Vec::new();
        if change.now {
            let days = (now.next_month().0 - now.month_begun().0) / DAY;
            let left = (now.next_month().0 - now.start_of_day().0) / DAY;
            let part = |price: u64| (i64::try_from(price).unwrap_or(i64::MAX) * left + days / 2) / days;
            for (plan, sign, words) in [(plan, 1, "Plan"), (old, -1, "Less plan")] {
                let amount = sign * part(plan.price_cents);
                if amount != 0 {
                    let words = format!("{words} {}, {left} of {days} days", plan.name);
                    let line = InvoiceLine { words, quantity: 1, unit_cents: amount, amount_cents: amount };
                    lines.push((line, left, days));
                }
            }
        }
        let net: i64 = lines.iter().map(|(line, _, _)| line.amount_cents).sum();
        Ok(Priced {
            plan: plan.reference.clone(),
            effective_at: if change.now { now } else { now.next_month() },
            lines,
            total: net + billing.tax(net),
            currency: billing.currency.clone(),
        })
    }

    /// Chooses a plan.
    pub(super) async fn change_plan(&self, change: &PlanChange, now: Moment) -> Result<Deed, Untold> {
        let priced = self.plan_change(change, now).await?;
        let reference = JobId::new(self.service.core.entropy()).as_str().replace("job_", "chg_");
        let choice = Subscription {
            since: priced.effective_at,
            plan: priced.plan.clone(),
            reference: reference.clone(),
            placed_at: now,
        };
        let mut document = priced.document();
        document["change_ref"] = json!(reference);
        let lines: Vec<InvoiceLine> = priced.lines.iter().map(|(line, _, _)| line.clone()).collect();
        let number = reference.replace("chg_", "inv_");
        let billing = &self.service.core.config().billing;
        let invoice = (!lines.is_empty()).then(|| invoice(billing, number, lines, now));
        Ok(deed(&document, vec![AccountChange::ChangePlan { choice, invoice }]))
    }

    /// Orders credits at the price of the plan in force.
    pub(super) async fn order_credits(&self, asked: &Order, now: Moment) -> Result<Deed, Untold> {
        if !CREDITS.contains(&asked.credits) {
            return Err(invalid("/credits", "invalid_order", "an order is of 10 to 1000000 credits"));
        }
        let fits = |text: &String| text.chars().count() <= LONGEST_REFERENCE && !text.chars().any(char::is_control);
        if !asked.reference.as_ref().is_none_or(fits) {
            return Err(invalid("/reference", "invalid_order", "a reference has at most 60 characters, on one line"));
        }
        let store = self.service.core.store();
        let open = store::money::invoices::InvoiceFilter { state: Some("open".to_owned()), ..Default::default() };
        let waiting = store.money.invoices(&self.customer, &open, None, 500).await?;
        if waiting.iter().filter(|it| it.order.is_some()).count() >= MOST_OPEN as usize {
            return Err(conflict("too_many_orders", "20 orders wait to be paid; pay one before the next"));
        }
        let (present, _) = store.money.subscription(&self.customer, now).await?;
        let billing = &self.service.core.config().billing;
        let order = OrderId::new(self.service.core.entropy());
        let credits = u64::from(asked.credits);
        let plan = plan_of(billing, present.as_ref());
        let invoice = Invoice { note: asked.reference.clone(), ..pro_forma(billing, plan, &order, credits, now) };
        let document = json!({
            "order_ref": order,
            "invoice_ref": invoice.reference,
            "state": invoice.state(),
            "total_cents": invoice.net + invoice.tax,
            "currency": invoice.currency,
            "placed_at": now.0,
        });
        Ok(deed(&document, vec![AccountChange::PlaceOrder { order, credits, invoice }]))
    }
}
