//! What a call would cost, without running it.

use model::budget::{Purpose, Unit};
use model::clock::Moment;
use model::contract::Mode;
use sandbox::platform::{Estimate, PlatformFault, PlatformFaultKind, Untold};
use serde_json::{Map, Value, json};
use store::Balance;

use super::Desk;
use crate::execute::validate;
use crate::generation::Operation;

/// A call in points and thousandths of a credit.
struct Range {
    points: (u64, u64),
    credits: (u64, u64),
}

impl Desk {
    /// Validates the arguments as the call would, and evaluates what the contract states.
    pub(super) async fn estimate(&self, asked: &Estimate, now: Moment) -> Result<Value, Untold> {
        let generation = self.service.core.catalog().current();
        let Some(operation) = generation.operation(&asked.operation) else {
            let nearest = json!({ "nearest": generation.search().nearest(&asked.operation) });
            return Err(Untold::Fault(PlatformFault {
                kind: PlatformFaultKind::NotFound,
                code: "operation_not_found".to_owned(),
                message: "the catalog has no operation of this id".to_owned(),
                pointer: Some("/target_operation".to_owned()),
                detail: Some(nearest.to_string()),
            }));
        };
        let sent: Map<String, Value> = serde_json::from_str(&asked.arguments).unwrap_or_default();
        if let Some(refusal) = validate::first_error(operation, &sent) {
            let mut detail = refusal.members();
            let within = detail.remove("pointer").and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
            return Err(Untold::Fault(PlatformFault {
                kind: PlatformFaultKind::Invalid,
                code: "invalid_arguments".to_owned(),
                message: refusal.message.to_string(),
                pointer: Some(format!("/arguments{within}")),
                detail: Some(Value::Object(detail).to_string()),
            }));
        }
        let filled = validate::filled(operation, &sent);
        let range = range(operation, &filled);
        let balance = self.service.core.store().money.balance(&self.customer, now).await?;
        let blocking = match short(&range, &balance) {
            Some(short) => Some(short),
            None => self.capped(operation, &filled, &range, now).await?,
        };
        Ok(json!({
            "points_min": range.points.0,
            "points_max": range.points.1,
            "credits_min_milli": range.credits.0,
            "credits_max_milli": range.credits.1,
            "needs_activation": balance.activated_at.is_none(),
            "affordable": blocking.is_none() && balance.activated_at.is_some(),
            "blocking": blocking,
        }))
    }

    /// The first cap that a call of this price would break.
    async fn capped(
        &self,
        operation: &Operation,
        filled: &Map<String, Value>,
        range: &Range,
        now: Moment,
    ) -> Result<Option<Value>, Untold> {
        let site = filled.get("site_id").and_then(Value::as_str);
        let purpose = Purpose { operation: &operation.contract.id, grant: self.grant.as_ref(), site };
        for it in self.service.core.store().money.budgets(&self.customer, now).await? {
            let needed = match it.budget.unit {
                Unit::Points => range.points.1,
                Unit::Credits => range.credits.1,
            };
            if needed == 0 || !it.budget.covers(purpose) {
                continue;
            }
            let caps = [("daily", it.budget.daily, it.used_today), ("monthly", it.budget.monthly, it.used_month)];
            for (period, cap, used) in caps {
                let Some(cap) = cap.filter(|cap| used.saturating_add(needed) > *cap) else { continue };
                return Ok(Some(json!({
                    "code": "budget_exhausted",
                    "message": format!("the {period} budget of the {} would be exceeded", it.budget.scope.word()),
                    "detail": {
                        "scope": it.budget.scope.word(),
                        "target": it.budget.target,
                        "unit": it.budget.unit.word(),
                        "period": period,
                        "cap": cap,
                        "used": used,
                        "needed": needed,
                    },
                })));
            }
        }
        Ok(None)
    }
}

/// From a call that has the least to do to one that has the most. One that the operation refuses costs less.
fn range(operation: &Operation, filled: &Map<String, Value>) -> Range {
    let contract = &operation.contract;
    let most = contract.cost.ceiling(filled);
    let credits = contract.native_price.as_ref().map_or(0, |price| price.milli(price.most.of(filled)));
    // Work that is started has its own end; what is bought at once is known.
    let least = if contract.mode == Mode::Queued { 0 } else { credits };
    Range { points: (contract.cost.base.min(most), most), credits: (least, credits) }
}

fn short(range: &Range, balance: &Balance) -> Option<Value> {
    let points = balance.included_remaining + balance.paid_points;
    if range.points.1 > points {
        let detail = json!({ "needed": range.points.1, "available": points, "short": range.points.1 - points });
        let message = "the points do not suffice; buy points (1 credit is 1,000) or wait for the daily allowance";
        return Some(json!({ "code": "points_exhausted", "message": message, "detail": detail }));
    }
    (range.credits.1 > balance.credits_milli).then(|| {
        let detail = json!({ "needed_milli": range.credits.1, "available_milli": balance.credits_milli });
        json!({ "code": "credits_exhausted", "message": "the credits do not suffice; order credits", "detail": detail })
    })
}
