//! Commits what a run leaves: records, jobs, points, credits, the stored answer and the audit line, in one
//! transaction, here and nowhere else.

use std::borrow::Cow;

use model::call::Outcome;
use model::contract::Mode;
use model::legible::{legible, legible_json};
use model::refusal::{Class, Refusal, codes};
use model::usage::REFUSAL_POINTS;
use sandbox::{Answer, Fault, FaultKind, Receipt, Run, Stop};
use serde_json::{Map, Value, json};
use store::{Changes, JobHold, KeyedAnswer, MOST_OPEN, SettleError, Settlement, StoreError, Stored};

use super::open::{self, Opened, Opening};
use super::validate::Keyed;
use crate::execute::Spine;
use crate::limits::Limits;
use crate::watch::Books;

/// How a settlement ends.
pub(super) enum Settling {
    /// Committed.
    Done(Outcome),
    /// Refused, and the refusal is on record.
    Refused(Refusal),
    /// Another call changed what this one read: run again.
    Again,
}

impl Spine {
    /// Settles a run.
    pub(super) async fn settle(&self, opened: &Opened, run: Run) -> Settling {
        let Run { outcome, workspace, receipt, .. } = run;
        self.record_receipt(opened, &receipt).await;
        match outcome {
            Ok(answer) => match check_result(opened, &answer) {
                Ok(()) => self.settle_answer(opened, shown(answer), workspace.into_changes(), &receipt).await,
                Err(reason) => self.settle_broken(opened, "contract_violated", &reason, &receipt).await,
            },
            Err(Stop::Fault(fault)) if fault.kind == FaultKind::Unavailable => {
                self.give_up(opened, refusal_of(fault)).await
            }
            Err(Stop::Fault(fault)) => self.settle_fault(opened, refusal_of(fault)).await,
            Err(Stop::Busy) => {
                let refusal =
                    Refusal::of(&codes::TOO_MANY_RUNNING, "too many operations run at once; try again in a moment");
                self.give_up(opened, refusal.retry_after(1)).await
            }
            Err(Stop::Starved) => {
                let words = "this machine had no time for the call, which is no fault of the call's; nothing was written and \
                             nothing was charged; try again in a moment";
                self.give_up(opened, Refusal::unavailable(words).retry_after(5)).await
            }
            Err(Stop::Preparing) => {
                let words = "what you have stored is being indexed for an update of this operation; nothing was done and \
                             nothing was charged; try again in a moment";
                self.give_up(opened, Refusal::unavailable(words).retry_after(5)).await
            }
            Err(Stop::TooManyJobs) => {
                let words = format!(
                    "{MOST_OPEN} jobs of yours are open, which is as many as one customer may have; try again when one has \
                     ended, or end one with account.job.cancel"
                );
                self.give_up(opened, Refusal::of(&codes::TOO_MANY_JOBS, words).retry_after(60)).await
            }
            Err(Stop::Paused { retry_after }) => {
                let words = "this operation failed several times in a row and is resting; others work";
                self.give_up(opened, Refusal::of(&codes::OPERATION_RESTING, words).retry_after(retry_after)).await
            }
            Err(Stop::Locked { key }) => {
                tracing::error!(
                    key.id = key,
                    "a connection's secret does not open: the key that wraps it is not in the ring"
                );
                let words = "the key of the customer's connections is not available; nothing was changed and nothing was charged";
                self.give_up(opened, Refusal::of(&codes::CONNECTIONS_LOCKED, words).retry_after(60)).await
            }
            Err(Stop::Unavailable(error)) => self.unread(opened, &error),
            Err(Stop::Limit(kind)) if kind.follows_from_input() => {
                let words = format!(
                    "this is more than one call may take on: it reached the limit of {}; ask for less at once. Nothing was \
                     written and nothing was charged",
                    kind.words()
                );
                let refusal = Refusal::of(&codes::TOO_MUCH_AT_ONCE, words).with("limit", kind.as_str());
                let (id, request, code) = (&opened.permit.operation.contract.id, &opened.call.request, kind.code());
                // The caller's doing, whom the answer tells; nobody here has to act.
                tracing::info!(operation = %id, request = %request, code, "a call asked for more than one may take on");
                self.settle_stopped(opened, code, &receipt, refusal).await
            }
            Err(stop) => self.settle_broken(opened, stop.code(), &stop.to_string(), &receipt).await,
        }
    }

    async fn settle_answer(
        &self,
        opened: &Opened,
        answer: Answer,
        mut changes: Changes,
        receipt: &Receipt,
    ) -> Settling {
        let operation = &opened.permit.operation;
        let contract = &operation.contract;
        let units = if contract.cost.counts_requests() { receipt.requests } else { answer.units };
        let ceiling = contract.cost.ceiling(&opened.arguments.filled);
        let queued = contract.mode == Mode::Queued;
        // A queued call pays its base now; the work is held and paid when the job ends. One that says how much work it
        // starts holds no more than that.
        let points = if queued {
            contract.cost.base
        } else if self.is_free_look(opened, &answer.data) {
            0
        } else {
            contract.cost.points(units).min(ceiling)
        };
        let started = |most: u64| if answer.units > 0 { answer.units.min(most) } else { most };
        let hold_for_job = queued.then(|| JobHold {
            points: contract.cost.points(started(u64::MAX)).min(ceiling) - contract.cost.base,
            credits_milli: contract
                .native_price
                .as_ref()
                .map_or(0, |price| price.milli(started(price.most.of(&opened.arguments.filled)))),
        });
        if changes.starts_work()
            && let Some(arguments) = self.result_arguments(opened, &answer.data)
        {
            changes.name_result(&arguments);
        }
        if changes.starts_work() {
            changes.begin_with(&opened.generation.began(&operation.module));
        }
        let data: std::sync::Arc<str> = answer.data.into();
        let untrusted = operation.untrusted.clone();
        let mut audit = self.audit_line(opened, "operation.executed", "ok", points);
        audit.add(Self::taken(receipt));
        audit.add(json!({
            "effects": changes.counted(),
            "module": operation.module.digest,
            "intent": opened.call.intent,
            "arguments": opened.arguments.names,
        }));
        let outcome = Stored::Done { data: data.clone(), untrusted: untrusted.clone() };
        let settlement = self.settlement(opened, points, changes, outcome, hold_for_job, audit);
        let api_version = settlement.api_version.clone();
        match self.core.store().calls.settle(settlement).await {
            Ok(settled) => Settling::Done(Outcome {
                request: opened.call.request.clone(),
                data,
                untrusted,
                usage: settled.usage,
                api_version,
                replayed: false,
            }),
            Err(error) => self.settling_failed(opened, error).await,
        }
    }

    /// Whether the answer says that work still goes on, and nobody of this customer has looked for a second.
    fn is_free_look(&self, opened: &Opened, answer: &str) -> bool {
        #[derive(serde::Deserialize)]
        struct Look<'a> {
            #[serde(borrow, default)]
            state: Option<std::borrow::Cow<'a, str>>,
        }
        let contract = &opened.permit.operation.contract;
        let goes_on = || {
            let look: Option<Look<'_>> = serde_json::from_str(answer).ok();
            look.and_then(|it| it.state).is_some_and(|state| matches!(&*state, "queued" | "running"))
        };
        contract.follows_work()
            && goes_on()
            && Limits::of(&self.core).limiter().is_free_look(
                &opened.permit.grant.customer,
                &contract.id,
                self.core.clock().now(),
            )
    }

    /// What the operation that reads the result requires, out of the answer or the arguments of the call that starts the
    /// work.
    fn result_arguments(&self, opened: &Opened, answer: &str) -> Option<String> {
        let read = opened.permit.operation.contract.result_operation.as_deref()?;
        let required = opened.generation.operation(read)?.contract.arguments.get("required")?.as_array()?.clone();
        let answer: Map<String, Value> = serde_json::from_str(answer).ok()?;
        let member = |name: &Value| {
            let name = name.as_str()?;
            let value = answer.get(name).or_else(|| opened.arguments.filled.get(name))?;
            Some((name.to_owned(), value.clone()))
        };
        Some(Value::Object(required.iter().filter_map(member).collect()).to_string())
    }

    /// A refusal by the guest: its writes are dropped, the overhead is charged, the answer is kept under its key.
    async fn settle_fault(&self, opened: &Opened, refusal: Refusal) -> Settling {
        let is_free = opened.permit.operation.defends() || !Books::of(&self.core).may_charge();
        let points = if is_free { 0 } else { REFUSAL_POINTS };
        let audit = self.audit_line(opened, "operation.refused", &refusal.code, points);
        let stored = Stored::Refused(refusal.clone());
        let settlement = self.settlement(opened, points, Changes::default(), stored, None, audit);
        match self.core.store().calls.settle(settlement).await {
            Ok(_) | Err(SettleError::OutOfPoints { .. } | SettleError::OverBudget(_)) => Settling::Refused(refusal),
            Err(error) => self.settling_failed(opened, error).await,
        }
    }

    /// A trap, a timeout, a broken contract: ours.
    async fn settle_broken(&self, opened: &Opened, code: &str, reason: &str, receipt: &Receipt) -> Settling {
        let refusal = Refusal::of(
            &codes::OPERATION_FAILED,
            "the operation was stopped by the sandbox; nothing was written and nothing was charged",
        );
        let (id, undeclared) = (&opened.permit.operation.contract.id, &receipt.undeclared);
        tracing::error!(operation = %id, request = %opened.call.request, code, reason, undeclared, "a module was stopped");
        self.settle_stopped(opened, code, receipt, refusal).await
    }

    /// The sandbox ended the run: no points, the key is free again, an audit line.
    async fn settle_stopped(&self, opened: &Opened, code: &str, receipt: &Receipt, refusal: Refusal) -> Settling {
        let mut audit = self.audit_line(opened, "operation.failed", code, 0);
        audit.add(Self::taken(receipt));
        if let Some(undeclared) = &receipt.undeclared {
            audit.add(json!({ "undeclared": undeclared }));
        }
        self.abandon_with(opened, audit).await;
        Settling::Refused(refusal)
    }

    /// The store could not be read: what was reserved goes back as soon as it can be written again.
    pub(super) fn unread(&self, opened: &Opened, error: &StoreError) -> Settling {
        let refusal = self.store_failed(error);
        self.abandon_later(opened, &refusal.code);
        Settling::Refused(refusal)
    }

    /// Refuses without a charge: what was reserved goes back and the key is free again.
    async fn give_up(&self, opened: &Opened, refusal: Refusal) -> Settling {
        self.abandon(opened, &refusal).await;
        Settling::Refused(refusal)
    }

    async fn settling_failed(&self, opened: &Opened, error: SettleError) -> Settling {
        match error {
            SettleError::RecordConflict => Settling::Again,
            SettleError::KeyTaken(earlier) => {
                // The twin on another node was first. What we reserved goes back.
                self.abandon_as(opened, "idempotency_twin").await;
                let fingerprint = opened.arguments.keyed.as_ref().map_or("", |keyed| &keyed.fingerprint);
                match open::replay(*earlier, fingerprint) {
                    Ok(Opening::Answered(outcome)) => Settling::Done(outcome),
                    Ok(Opening::Refused(refusal)) | Err(refusal) => Settling::Refused(refusal),
                    Ok(Opening::Fresh(_)) => unreachable!("a replay never opens"),
                }
            }
            // It took too long, and another run went on from what it sent. That one's answer is the answer.
            SettleError::ClaimLost => self.give_up(opened, open::in_progress()).await,
            SettleError::Unavailable(error) => {
                let refusal = self.unconfirmed(&error);
                self.abandon_later(opened, &refusal.code);
                Settling::Refused(refusal)
            }
            other => {
                let refusal = self.refuse_settle(other);
                self.give_up(opened, refusal).await
            }
        }
    }

    fn settlement(
        &self,
        opened: &Opened,
        points: u64,
        changes: Changes,
        outcome: Stored,
        hold_for_job: Option<JobHold>,
        audit: model::audit::Audit,
    ) -> Settlement {
        let contract = &opened.permit.operation.contract;
        let keyed = opened.arguments.keyed.as_ref();
        Settlement {
            customer: opened.permit.grant.customer.clone(),
            grant: Some(opened.permit.grant.id.clone()),
            request: opened.call.request.clone(),
            operation: contract.id.clone(),
            site: opened.arguments.site(),
            now: self.core.clock().now(),
            api_version: opened.generation.api_version.clone(),
            points,
            hold: opened.hold.clone(),
            hold_for_job,
            changes,
            answer: keyed.map(|Keyed { key, fingerprint }| KeyedAnswer {
                key: key.clone(),
                fingerprint: fingerprint.clone(),
                outcome,
            }),
            claim: opened.key.clone(),
            audit,
        }
    }
}

/// The result is checked like the arguments: a module is not believed.
/// What pages and providers wrote goes on without what hides in it, whichever member it stands in. The module's answer was
/// held against its schema before: a title of nothing but invisible characters is then an empty one, and no fault.
fn shown(mut answer: Answer) -> Answer {
    if let Cow::Owned(shown) = legible_json(&answer.data) {
        answer.data = shown;
    }
    answer
}

fn check_result(opened: &Opened, answer: &Answer) -> Result<(), String> {
    let data: Value = serde_json::from_str(&answer.data).map_err(|error| format!("the answer is not JSON: {error}"))?;
    match opened.permit.operation.result.validate(&data) {
        Ok(()) => Ok(()),
        Err(error) => Err(format!("the answer breaks its schema at {}", error.instance_path())),
    }
}

fn refusal_of(fault: Fault) -> Refusal {
    let class = match fault.kind {
        FaultKind::NotFound => Class::NotFound,
        FaultKind::Invalid => Class::Invalid,
        FaultKind::Conflict => Class::Conflict,
        FaultKind::Refused => Class::Forbidden,
        FaultKind::Unavailable => Class::Unavailable,
    };
    let mut refusal = Refusal::new(class, fault.code, legible(&fault.message));
    if let Some(Value::Object(detail)) =
        fault.detail.as_deref().and_then(|text| serde_json::from_str(&legible_json(text)).ok())
    {
        refusal.retry_after = detail.get("retry_after").and_then(Value::as_u64).filter(|_| class == Class::Unavailable);
        refusal.detail = detail;
    }
    match fault.pointer {
        Some(pointer) => refusal.with("pointer", pointer),
        None => refusal,
    }
}
