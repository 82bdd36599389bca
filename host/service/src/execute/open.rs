//! 409, 402, 503: whether this key was used before, and whether the points are there.

use std::sync::Arc;

use model::budget::{BudgetScope, Period, Unit};
use model::call::{Call, Outcome};
use model::clock::Moment;
use model::id::RequestId;
use model::refusal::{Refusal, codes};
use serde_json::json;
use store::{Earlier, Hold, KeyClaim, OverBudget, Reservation, SettleError, StoreError, Stored};

use super::authorize::Permit;
use super::claims::ClaimGuard;
use super::validate::Arguments;
use crate::execute::Spine;
use crate::generation::Generation;
use crate::watch::Books;

/// What the key leads to.
pub(super) enum Opening {
    /// An earlier call with these arguments succeeded.
    Answered(Outcome),
    /// An earlier call with these arguments was refused.
    Refused(Refusal),
    /// This call is the first.
    Fresh(Box<Opened>),
}

/// Proof that a call may run: the key is ours and the points are there.
pub(super) struct Opened {
    pub(super) generation: Arc<Generation>,
    pub(super) permit: Permit,
    pub(super) arguments: Arguments,
    pub(super) call: Call,
    /// Points reserved durably, for calls that reach outside.
    pub(super) hold: Option<Hold>,
    /// The key, claimed durably, for calls that may change something outside.
    pub(super) key: Option<KeyClaim>,
    /// Held until the answer is committed.
    _claim: Option<ClaimGuard>,
}

impl Spine {
    /// Takes the key and reserves the points.
    pub(super) async fn open(
        &self,
        generation: &Arc<Generation>,
        permit: Permit,
        arguments: Arguments,
        call: Call,
    ) -> Result<Opening, Refusal> {
        let customer = &permit.grant.customer;
        let (mut claim, mut key) = (None, None);
        if let Some(keyed) = &arguments.keyed {
            let taken = self.core.0.claims.take(customer, &keyed.key).await;
            let earlier = self.core.store().calls.earlier(customer, &keyed.key).await;
            if let Some(earlier) = earlier.map_err(|error| self.store_failed(&error))? {
                return replay(earlier, &keyed.fingerprint);
            }
            claim = Some(taken.ok_or_else(in_progress)?);
            key = match self.claim_key(&permit, keyed, &call).await? {
                Some(Err(earlier)) => return replay(*earlier, &keyed.fingerprint),
                Some(Ok(key)) => Some(key),
                None => None,
            };
        }
        match self.hold(&permit, &arguments, &call).await {
            Ok(hold) => {
                let generation = generation.clone();
                let opened = Opened { generation, permit, arguments, call, hold, key, _claim: claim };
                Ok(Opening::Fresh(Box::new(opened)))
            }
            Err(refusal) => {
                self.unclaim(&permit.grant.customer, key.as_ref()).await;
                Err(refusal)
            }
        }
    }

    /// Reserves what a call may cost at most, where it reaches outside.
    async fn hold(&self, permit: &Permit, arguments: &Arguments, call: &Call) -> Result<Option<Hold>, Refusal> {
        let ceiling = permit.operation.contract.cost.ceiling(&arguments.filled);
        Books::of(&self.core).check_ledger(ceiling)?;
        if !permit.operation.reaches_outside() {
            return Ok(None);
        }
        let reservation = Reservation {
            customer: permit.grant.customer.clone(),
            request: call.request.clone(),
            operation: permit.operation.contract.id.clone(),
            grant: Some(permit.grant.id.clone()),
            site: arguments.site(),
            points: ceiling,
            now: self.core.clock().now(),
        };
        self.core.store().calls.reserve(reservation).await.map(Some).map_err(|error| self.refuse_settle(error))
    }

    /// What a failure to reserve or settle looks like to the client.
    pub(crate) fn refuse_settle(&self, error: SettleError) -> Refusal {
        match error {
            SettleError::OutOfPoints { needed, included_remaining, paid_remaining } => {
                let renews = self.core.clock().now().next_day();
                let short = needed.saturating_sub(included_remaining + paid_remaining);
                Refusal::of(&codes::POINTS_EXHAUSTED,
                    format!("this call needs {needed} points and {short} are missing; the daily allowance renews at {}, or buy points (1 credit is 1,000)", renews.rfc3339()),
                )
                .with("needed", needed)
                .with("short", short)
                .with("included_remaining", included_remaining)
                .with("paid_remaining", paid_remaining)
                .with("renews_at", renews.rfc3339())
            }
            SettleError::OutOfCredits { needed_milli, available_milli } => Refusal::of(
                &codes::CREDITS_EXHAUSTED,
                format!(
                    "this work holds up to {} credits and {} are there; add credits or ask for less work",
                    credits(needed_milli),
                    credits(available_milli)
                ),
            )
            .with("needed_credits", credits(needed_milli))
            .with("available_credits", credits(available_milli)),
            SettleError::OverBudget(over) => over_budget(&over, self.core.clock().now()),
            SettleError::Unavailable(error) => self.store_failed(&error),
            SettleError::RecordConflict | SettleError::KeyTaken(_) | SettleError::JobLost | SettleError::ClaimLost => {
                tracing::error!("a call ended as only a job or a commit of records can");
                Refusal::internal()
            }
        }
    }

    /// Logs a failure of the database once and tells the client to come again.
    pub(crate) fn store_failed(&self, error: &StoreError) -> Refusal {
        tracing::error!(error = %error, "the store failed");
        match error {
            StoreError::ClockRegressed => Refusal::of(&codes::CLOCK_REGRESSED,
                "the host's clock is behind what it has already recorded; until it is right again nothing is done and nothing is charged",
            )
            .retry_after(60),
            StoreError::Unavailable(_) | StoreError::Inconsistent(_) | StoreError::NotUpgraded(..) => {
                Refusal::unavailable("the metering store is not available; nothing was done and nothing was charged")
            }
        }
    }

    /// As [`Self::store_failed`], where a commit may have taken place and nobody can tell yet.
    pub(super) fn unconfirmed(&self, error: &StoreError) -> Refusal {
        match error {
            StoreError::ClockRegressed => self.store_failed(error),
            StoreError::Unavailable(_) | StoreError::Inconsistent(_) | StoreError::NotUpgraded(..) => {
                tracing::error!(error = %error, "a commit was not confirmed");
                Refusal::unavailable(
                    "the metering store did not confirm the call, so nobody can tell yet whether it was done; repeat it with the same idempotency key, and it is done and charged once",
                )
            }
        }
    }
}

/// A cap of the customer's own: which one, how far it is used, and when it begins anew.
fn over_budget(over: &OverBudget, now: Moment) -> Refusal {
    let OverBudget { budget, period, used, needed } = over;
    let (cap, renews) = match period {
        Period::Daily => (budget.daily, now.next_day()),
        Period::Monthly => (budget.monthly, now.next_month()),
    };
    let about = match budget.scope {
        BudgetScope::Workspace => "the workspace".to_owned(),
        BudgetScope::Module => format!("the module {}", budget.target),
        BudgetScope::Site => format!("the website {}", budget.target),
        BudgetScope::Client => "this connection".to_owned(),
    };
    let amount = |amount: u64| match budget.unit {
        Unit::Points => amount.to_string(),
        Unit::Credits => credits(amount),
    };
    let (unit, period, cap) = (budget.unit.word(), period.word(), amount(cap.unwrap_or(0)));
    let words = format!(
        "this call may cost {} {unit}, and the {period} budget of {about} has {} of {cap} used; it begins anew at {}, or raise it",
        amount(*needed),
        amount(*used),
        renews.rfc3339()
    );
    Refusal::of(&codes::BUDGET_EXHAUSTED, words)
        .with("budget", json!({ "scope": budget.scope, "target": budget.target, "unit": unit, "period": period }))
        .with("cap", cap)
        .with("used", amount(*used))
        .with("needed", amount(*needed))
        .with("renews_at", renews.rfc3339())
}

/// The answer of an earlier call, or the conflict with it.
pub(super) fn replay(earlier: Earlier, fingerprint: &str) -> Result<Opening, Refusal> {
    if earlier.fingerprint != fingerprint {
        return Err(key_conflict(&earlier.request));
    }
    Ok(match earlier.outcome {
        Stored::Done { data, untrusted } => Opening::Answered(Outcome {
            request: earlier.request,
            data,
            untrusted,
            usage: earlier.usage,
            api_version: earlier.api_version,
            replayed: true,
        }),
        Stored::Refused(refusal) => Opening::Refused(refusal.again(earlier.request)),
    })
}

/// The key belongs to a call with other arguments.
pub(super) fn key_conflict(first: &RequestId) -> Refusal {
    Refusal::of(
        &codes::IDEMPOTENCY_KEY_CONFLICT,
        "this key was used with other arguments; use a new key for a new request",
    )
    .with("first_request_id", first.as_str())
}

/// A twin of the call is at work.
pub(super) fn in_progress() -> Refusal {
    Refusal::of(
        &codes::IDEMPOTENCY_IN_PROGRESS,
        "a call with this key is still running; ask again in a moment with the same key",
    )
    .retry_after(1)
}

/// Thousandths of a credit as a decimal number.
fn credits(milli: u64) -> String {
    match milli % 1_000 {
        0 => format!("{}", milli / 1_000),
        rest => format!("{}.{rest:03}", milli / 1_000).trim_end_matches('0').to_owned(),
    }
}
