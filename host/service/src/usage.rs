//! Activation, the day's allowance, reusable paid points and credits: what `GET /usage` shows, for nothing.

use model::call::Outcome;
use model::clock::Moment;
use model::grant::Grant;
use model::id::RequestId;
use model::refusal::Refusal;
use model::usage::{ACTIVATION_CREDITS, INCLUDED_POINTS, POINTS_PER_CREDIT};
use serde_json::{Value, json};
use store::Balance;

use crate::account::Account;
use crate::execute::Spine;
use crate::oauth::by_hand::milli;

impl Account {
    /// The state of external access. Costs nothing, so that a customer without points can see why.
    ///
    /// # Errors
    /// 503 when the store is away.
    pub(crate) async fn usage(&self, grant: &Grant, request: RequestId) -> Result<Outcome, Refusal> {
        let now = self.core.clock().now();
        let balance = self
            .core
            .store()
            .money
            .balance(&grant.customer, now)
            .await
            .map_err(|error| Spine::of(&self.core).store_failed(&error))?;
        let mut data = state(&balance, now);
        data["limits"] = self.rates();
        Spine::of(&self.core).run_host_read(grant, request, "usage.get", 0, data).await
    }

    fn rates(&self) -> Value {
        let rates = &self.core.config().limits;
        json!({
            "window_seconds": 60,
            "request": rates.requests,
            "heavy": rates.heavy,
            "enumeration": rates.enumeration,
            "feedback": rates.feedback,
        })
    }
}

/// Balances in words a client can act on.
pub(crate) fn state(balance: &Balance, now: Moment) -> Value {
    json!({
        "activation": {
            "state": if balance.activated_at.is_some() { "active" } else { "inactive" },
            "activated_at": balance.activated_at.map(Moment::rfc3339),
            "credits": ACTIVATION_CREDITS,
        },
        "included": {
            "day": now.day(),
            "allowance": INCLUDED_POINTS,
            "used": balance.used_today,
            "remaining": balance.included_remaining,
            "renews_at": now.next_day().rfc3339(),
        },
        "paid": {
            "remaining": balance.paid_points,
            "points_per_credit": POINTS_PER_CREDIT,
        },
        "credits": { "available": milli(balance.credits_milli) },
    })
}
