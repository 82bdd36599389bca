//! The operations `account.plan.list` and `account.plan.change`.

use sdk::prelude::*;
use sdk::{PlanChange, PlatformAction, PlatformQuestion, json};

use crate::amount::{is_cents, money};
use crate::platform::plans::{Change as Priced, Limits, Part as KnownPart, Plan as Known, Plans as KnownPlans};
use crate::platform::{about, moment};

/// A plan; the service keeps it.
pub(crate) enum Plan {}

/// A change of the plan; the service keeps it.
pub(crate) enum Change {}

/// The plans there are.
#[value]
pub(crate) struct Plans {
    /// The plan in force.
    current: Id<Plan>,
    /// When its period ends; null where it has none.
    period_ends_at: Option<Moment>,
    plans: Vec<Offer>,
}

/// A plan with what it would change.
#[value]
pub(crate) struct Offer {
    /// For `account.plan.change`.
    plan_ref: Id<Plan>,
    name: String,
    /// Whether it is in force.
    current: bool,
    /// Of a period.
    price: f64,
    /// Of one credit.
    credit_price: f64,
    currency: String,
    /// What it includes; null: no limit of its own.
    limits: Limits,
    /// Against the plan in force; null for that one itself, and where the plan in force is no longer offered.
    delta: Option<Delta>,
}

/// How one plan differs from another.
#[value]
pub(crate) struct Delta {
    /// More a period, negative for less; null between two currencies.
    price: Option<f64>,
    /// More a credit, negative for less; null between two currencies.
    credit_price: Option<f64>,
    /// More of each, negative for less; null where one of the two has no such limit.
    limits: Limits,
}

/// Lists subscription plans with credit price, included limits and what would change against the current plan.
#[operation(
    read,
    scope = "billing:read",
    cost = indexed_read,
    needs = ["store", "credits"],
    phrasings = [
        "which plans are there",
        "what would I get with a larger plan",
        "compare subscription prices",
        "how much is a credit in each plan",
    ],
    examples = [{}]
)]
pub(crate) fn list(cx: &Cx, _args: Nothing) -> Result<Plans> {
    let known: KnownPlans = cx.platform().ask(&PlatformQuestion::Plans)?;
    let base = known.plans.iter().find(|it| it.plan_ref == known.current);
    let plans = known.plans.iter().map(|plan| {
        let current = plan.plan_ref == known.current;
        Offer {
            plan_ref: Id::new(plan.plan_ref.clone()),
            name: plan.name.clone(),
            current,
            price: money(plan.price_cents),
            credit_price: money(plan.credit_price_cents),
            currency: plan.currency.clone(),
            limits: plan.limits.clone(),
            delta: base.filter(|_| !current).map(|base| delta(plan, base)),
        }
    });
    Ok(Plans {
        plans: plans.collect(),
        period_ends_at: moment(known.period_ends_at),
        current: Id::new(known.current.clone()),
    })
}

fn delta(plan: &Known, base: &Known) -> Delta {
    let comparable = plan.currency == base.currency;
    let more = |one: Option<i64>, other: Option<i64>| Some(one? - other?);
    let (one, other) = (&plan.limits, &base.limits);
    Delta {
        price: comparable.then(|| money(plan.price_cents - base.price_cents)),
        credit_price: comparable.then(|| money(plan.credit_price_cents - base.credit_price_cents)),
        limits: Limits {
            requests_per_minute: more(one.requests_per_minute, other.requests_per_minute),
            heavy_per_minute: more(one.heavy_per_minute, other.heavy_per_minute),
            connections: more(one.connections, other.connections),
            websites: more(one.websites, other.websites),
        },
    }
}

/// When a change holds from.
#[value]
pub(crate) enum Effective {
    /// With the next period: nothing is to be paid before.
    NextPeriod,
    /// At once: the rest of the period is charged and given back by days.
    Now,
}

#[args]
pub(crate) struct ChangeTo {
    /// The plan, as listed.
    plan_ref: Id<Plan>,
    /// From when on.
    #[default("next_period")]
    effective: Effective,
    /// What the customer agrees to pay, in the plan's currency; negative when something is given back. 0 for a change with
    /// the next period.
    expected_total: Decimal<-1_000_000_000, 1_000_000_000>,
}

/// A change that was asked for.
#[value]
pub(crate) struct Changed {
    change_ref: Option<Id<Change>>,
    effective_at: Moment,
    /// What the total is made of.
    proration: Vec<Part>,
    /// To be paid; negative when something is given back.
    total: f64,
    currency: String,
}

/// A part of a total, by days.
#[value]
pub(crate) struct Part {
    /// For what.
    description: String,
    /// Days that it is for.
    days: u32,
    /// Days of the period.
    of_days: u32,
    amount: f64,
}

impl From<KnownPart> for Part {
    fn from(it: KnownPart) -> Self {
        Self { description: it.words, days: it.days, of_days: it.of_days, amount: money(it.amount_cents) }
    }
}

/// Schedules a plan change for the next period after returning the proration lines computed by day count.
///
/// The total is worked out anew with each call. Where it is not `expected_total`, nothing changes, and 409
/// `total_changed` says the total with its lines: call again with that one to agree to it.
#[operation(
    write,
    scope = "billing:manage",
    cost = write,
    needs = ["store", "credits"],
    side_effects = ["changes the subscription", "a change that holds at once is charged"],
    phrasings = [
        "upgrade my plan",
        "switch to a cheaper subscription",
        "change the plan next month",
        "what would an upgrade cost today",
    ],
    examples = [
        { "plan_ref": "agency", "expected_total": 0 },
        { "plan_ref": "agency", "effective": "now", "expected_total": 41.94 }
    ]
)]
pub(crate) fn change(cx: &Cx, args: ChangeTo) -> Result<Changed> {
    let wanted = PlanChange { plan: args.plan_ref.as_str().to_owned(), now: matches!(args.effective, Effective::Now) };
    let priced: Priced =
        cx.platform().ask(&PlatformQuestion::PlanChange(wanted.clone())).map_err(about("/plan_ref"))?;
    if !is_cents(args.expected_total.get(), priced.total_cents) {
        let total = money(priced.total_cents);
        let message = format!("the change costs {total:.2} {} and not what was expected", priced.currency);
        let proration: Vec<Part> = priced.proration.into_iter().map(Part::from).collect();
        let detail = json!({ "total": total, "currency": priced.currency, "proration": proration });
        return Err(Fault::conflict("total_changed", message).at("/expected_total").detail(detail));
    }
    let done: Priced = cx.platform().act(&PlatformAction::ChangePlan(wanted))?;
    Ok(Changed {
        change_ref: done.change_ref.map(Id::new),
        effective_at: Moment::from_millis(done.effective_at),
        proration: done.proration.into_iter().map(Part::from).collect(),
        total: money(done.total_cents),
        currency: done.currency,
    })
}
