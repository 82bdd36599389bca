//! The account itself, what is connected, and what is left to spend.

use model::clock::Moment;
use model::usage::INCLUDED_POINTS;
use sandbox::platform::Untold;
use serde_json::{Value, json};

use super::{Desk, plan_of};

impl Desk {
    /// Activation, plan and rates.
    pub(super) async fn account(&self, now: Moment) -> Result<Value, Untold> {
        let store = self.service.core.store();
        let customer = store.identity.customer(&self.customer).await?;
        let (present, next) = store.money.subscription(&self.customer, now).await?;
        let billing = &self.service.core.config().billing;
        let name = |reference: &str| billing.plan(reference).map_or(reference, |plan| &plan.reference).to_owned();
        let next = next.map(|next| json!({ "plan": name(&next.plan), "effective_at": next.since.0 }));
        let rates = &self.service.core.config().limits;
        Ok(json!({
            "activated_at": customer.as_ref().and_then(|customer| customer.activated_at).map(|at| at.0),
            "created_at": customer.as_ref().map(|customer| customer.created_at.0),
            "plan": plan_of(billing, present.as_ref()).reference,
            "next_plan": next,
            "rates": {
                "window_seconds": 60,
                "request": rates.requests,
                "heavy": rates.heavy,
                "enumeration": rates.enumeration,
                "feedback": rates.feedback,
            },
        }))
    }

    /// The customer's own accounts at providers, by kind.
    pub(super) async fn connected(&self) -> Result<Value, Untold> {
        let connections = self.service.core.store().connections.connections(&self.customer).await?;
        let shown = |it: &store::Connection| {
            let group = catalog::kinds::kind(&it.kind).and_then(|kind| kind.group.clone());
            json!({ "kind": it.kind, "group": group, "state": it.state.as_str() })
        };
        Ok(json!({ "connections": connections.iter().map(shown).collect::<Vec<_>>() }))
    }

    /// What is left, and what is held for work that goes on.
    pub(super) async fn balance(&self, now: Moment) -> Result<Value, Untold> {
        let store = self.service.core.store();
        let balance = store.money.balance(&self.customer, now).await?;
        let (reserved_points, reserved_credits) = store.money.reserved(&self.customer).await?;
        Ok(json!({
            "activated": balance.activated_at.is_some(),
            "credits_milli": balance.credits_milli,
            "reserved_credits_milli": reserved_credits,
            "points": balance.paid_points,
            "reserved_points": reserved_points,
            "allowance": INCLUDED_POINTS,
            "allowance_left": balance.included_remaining,
            "renews_at": now.next_day().0,
        }))
    }
}
