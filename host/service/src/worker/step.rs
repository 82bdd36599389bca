//! One step of one job.

use std::sync::Arc;
use std::time::Duration;

use model::audit::Audit;
use model::contract::Kind;
use model::legible::legible_json;
use model::limits::Limits;
use sandbox::egress::Verdict;
use sandbox::{Cancel, Export, FaultKind, Invocation, Receipt, Run, Slot, Stop};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use store::{Changes, JobRow, Next, Right, Sends, SettleError, StepSettlement, StoreError};

use super::{ATTEMPTS, BUSY, POISON};
use crate::execute::Spine;
use crate::execute::invocation::Turn;
use crate::generation::Revisions;
use crate::transcripts::Ran;
use crate::transcripts::Recorder;
use crate::website::Website;
use crate::worker::Worker;

/// What a step says of the job: go on, or done.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    next: Option<Box<RawValue>>,
    done: Option<Box<RawValue>>,
    #[serde(default)]
    progress: Option<Box<RawValue>>,
    #[serde(default)]
    wait_ms: u64,
    /// With `done`: what is left of the credits held for this job goes to the job that this step starts.
    #[serde(default)]
    hands_over: bool,
}

/// How long a job waits whose family of operations is switched off, before it looks again.
const OFF: Duration = Duration::from_secs(900);

/// Why a step was not run.
enum NotRun {
    /// It cannot be, ever.
    Never(&'static str),
    /// The store does not answer; its lease will end, and then another try begins.
    Now(StoreError),
    /// The claim was lost before it began.
    Lost,
}

impl From<&'static str> for NotRun {
    fn from(reason: &'static str) -> Self {
        Self::Never(reason)
    }
}

/// What a step used, as the trail tells it; nothing where none ran.
#[derive(Clone, Copy, Default)]
struct Used {
    fuel: u64,
    host_calls: u64,
    peak_memory: usize,
}

impl Used {
    fn of(receipt: &Receipt) -> Self {
        Self { fuel: receipt.fuel, host_calls: receipt.host_calls, peak_memory: receipt.peak_memory }
    }
}

impl Worker {
    /// Runs the step that a claimed job is at and commits it under the claim.
    pub(super) async fn step(&self, job: JobRow) {
        if self.core.config().off.family(&job.operation).is_some() {
            let later = Next::Wait { run_after: self.core.clock().now().plus(OFF) };
            if let Err(error) = self.commit(&job, Changes::default(), later, job.units, "off", Used::default()).await {
                tracing::warn!(job = %job.id, error = ?error, "a job of a family that is switched off could not be put back");
            }
            return;
        }
        let ran = if job.attempt > POISON {
            Err(NotRun::Never("its step ended its host again and again"))
        } else {
            self.run_step(&job).await
        };
        let (mut uses, mut recording, mut faulted) = (Vec::new(), None, false);
        let settled = match ran {
            Ok(mut run) => {
                uses = std::mem::take(&mut run.receipt.uses);
                let spent = std::mem::take(&mut run.receipt.spent);
                let journal = run.receipt.journal.take();
                Spine::of(&self.core).count_spent(&job.customer, &job.operation, journal, spent).await;
                recording = run.recording.take();
                faulted = run.outcome.as_ref().is_err_and(Stop::is_fault);
                for decision in run.receipt.egress.iter().filter(|decision| decision.verdict != Verdict::Permitted) {
                    let mut line = self.job_audit(&job, "egress.refused", decision.verdict.code());
                    if let Some(line) = &decision.line {
                        tracing::warn!(operation = %job.operation, job = %job.id, line, "a request is not in the lock");
                    }
                    line.add(json!({ "port": decision.port, "address": decision.address, "line": decision.line }));
                    // The host may be a word about the customer; the trail itself holds no such thing.
                    if let Err(error) =
                        self.core.store().trail.audit_committed(line, "host", decision.host.clone()).await
                    {
                        tracing::error!(error = %error, job = %job.id, "an event of the sandbox could not be recorded");
                    }
                }
                self.settle_run(&job, run).await
            }
            Err(NotRun::Never(reason)) => self.fail(&job, "job_unrunnable", reason, Used::default()).await,
            Err(NotRun::Now(error)) => Err(SettleError::Unavailable(error)),
            Err(NotRun::Lost) => Err(SettleError::JobLost),
        };
        let ran = Ran {
            customer: job.customer.clone(),
            run: format!("{}:{}:{}", job.id, job.steps + 1, job.attempt),
            request: None,
            operation: job.operation.clone(),
        };
        Recorder::of(&self.core).keep_transcript(ran, recording, faulted);
        Spine::of(&self.core).count_uses(&job.customer, &job.operation, uses).await;
        match settled {
            Ok(()) => {}
            Err(SettleError::RecordConflict) => {
                let later = Next::Wait { run_after: self.core.clock().now().plus(Duration::from_millis(200)) };
                if let Err(error) =
                    self.commit(&job, Changes::default(), later, job.units, "conflict", Used::default()).await
                {
                    tracing::warn!(job = %job.id, error = ?error, "a step met a conflict and could not be put back");
                }
            }
            Err(error) => tracing::warn!(job = %job.id, error = ?error, "a step was not committed; its lease will end"),
        }
    }

    async fn run_step(&self, job: &JobRow) -> Result<Run, NotRun> {
        let generation = Revisions::of(&self.core).generation_of(job).await;
        let module = generation.module(&job.module).ok_or("the module is not in the catalog")?.clone();
        let export = Export::Step(job.step.clone());
        let payload = RawValue::from_string(job.payload.clone()).map_err(|_| "the payload is not JSON")?;
        let checkpoint =
            job.checkpoint.clone().map(RawValue::from_string).transpose().map_err(|_| "the checkpoint is not JSON")?;
        let arguments = json!({ "payload": payload, "checkpoint": checkpoint, "attempt": job.attempt }).to_string();
        let cancel = Cancel::default();
        let slot = tokio::select! {
            slot = Slot::take(self.core.0.slots.clone()) => slot,
            () = cancel.cancelled() => return Err(NotRun::Lost),
            never = self.hold_lease(job, &cancel) => match never {},
        };
        let (mut now, mut seed) = (self.core.clock().now(), self.core.entropy().array());
        let mut sends = None;
        if generation.operation(&job.operation).is_some_and(|operation| operation.changes_outside()) {
            let right = Right::Job { job: job.id.clone(), claim: job.claim.clone() };
            let journal =
                Sends::open(&self.core.0.store, &job.customer, right, now, seed).await.map_err(NotRun::Now)?;
            (now, seed) = (journal.run_at(), journal.seed());
            sends = Some(journal);
        }
        // What is removed by destructive work is removed in its steps.
        let kind = generation.operation(&job.operation).map_or(Kind::Job, |operation| operation.contract.kind);
        let owned = self.owned_host(job).await.map_err(NotRun::Now)?;
        let turn = Turn { customer: &job.customer, grant: job.grant.as_ref(), now, seed };
        let limits = module.limits(&export).unwrap_or_else(Limits::step);
        let run = self.core.sandbox().run(Invocation {
            started_by: Some(job.operation.clone()),
            kind: if kind == Kind::Destructive { kind } else { Kind::Job },
            queued: true,
            arguments,
            sends,
            slot: Some(slot),
            owned,
            record: true,
            cancel: cancel.clone(),
            ..Spine::of(&self.core).invocation(module, export, limits, &turn)
        });
        tokio::pin!(run);
        tokio::select! {
            run = &mut run => Ok(run),
            never = self.hold_lease(job, &cancel) => match never {},
        }
    }

    /// The host of the job's website, if the customer has proven to own it.
    async fn owned_host(&self, job: &JobRow) -> Result<Option<Arc<str>>, StoreError> {
        let Some(site) = &job.site else { return Ok(None) };
        let website = Website::find(&self.core.0.store, &job.customer, site).await?;
        Ok(website.filter(Website::is_owned).map(|it| it.domain.into()))
    }

    async fn settle_run(&self, job: &JobRow, run: Run) -> Result<(), SettleError> {
        let used = Used::of(&run.receipt);
        match run.outcome {
            Ok(answer) => {
                let Ok(said) = serde_json::from_str::<Said>(&answer.data) else {
                    return self.fail(job, "step_malformed", "a step answers with next or done", used).await;
                };
                let progress =
                    said.progress.map_or_else(|| job.progress.clone(), |it| legible_json(it.get()).into_owned());
                let units = job.units.saturating_add(answer.units);
                let next = match (said.next, said.done) {
                    (Some(checkpoint), None) => Next::Continue {
                        checkpoint: checkpoint.get().to_owned(),
                        progress,
                        run_after: self.core.clock().now().plus(Duration::from_millis(said.wait_ms.min(3_600_000))),
                    },
                    (None, Some(result)) => Next::Done { result: legible_json(result.get()).into_owned(), progress },
                    _ => return self.fail(job, "step_malformed", "a step answers with next or done", used).await,
                };
                let mut changes = run.workspace.into_changes();
                if let Some(began) = &job.began {
                    changes.begin_with(began);
                }
                if said.hands_over {
                    changes.hand_over();
                }
                self.commit(job, changes, next, units, "ok", used).await
            }
            Err(Stop::Fault(fault)) if fault.kind != FaultKind::Unavailable => {
                let fault = json!({ "code": fault.code, "message": fault.message }).to_string();
                self.commit(job, Changes::default(), Next::Failed { fault }, job.units, "fault", used).await
            }
            Err(Stop::Busy | Stop::Preparing | Stop::Paused { .. } | Stop::TooManyJobs) => {
                let run_after = self.core.clock().now().plus(BUSY);
                self.commit(job, Changes::default(), Next::Wait { run_after }, job.units, "busy", used).await
            }
            // Its lease could not be renewed in time, which is no fault of the step's. Most often the claim is lost
            // with it, and this commits nothing.
            Err(Stop::Cancelled) => {
                let run_after = self.core.clock().now();
                self.commit(job, Changes::default(), Next::Wait { run_after }, job.units, "cancelled", used).await
            }
            // It would be reached again, by the same input.
            Err(Stop::Limit(kind)) if kind.is_deterministic() => {
                let words = "a step has more to do than one step may; a smaller part of the work may pass";
                self.fail(job, kind.code(), words, used).await
            }
            Err(stop) if job.failures + 1 >= ATTEMPTS => {
                self.fail(job, stop.code(), "a step failed several times", used).await
            }
            Err(stop) => {
                tracing::warn!(job = %job.id, attempt = job.attempt, code = stop.code(), reason = %stop, "a step was stopped");
                let wait = Duration::from_secs(2 << job.failures.min(5));
                let run_after = self.core.clock().now().plus(wait);
                self.commit(job, Changes::default(), Next::Retry { run_after }, job.units, stop.code(), used).await
            }
        }
    }

    async fn fail(&self, job: &JobRow, code: &str, message: &str, used: Used) -> Result<(), SettleError> {
        tracing::error!(job = %job.id, code, message, "a job failed");
        let fault = json!({ "code": code, "message": message }).to_string();
        self.commit(job, Changes::default(), Next::Failed { fault }, job.units, code, used).await
    }

    async fn commit(
        &self,
        job: &JobRow,
        changes: Changes,
        next: Next,
        units: u64,
        outcome: &str,
        used: Used,
    ) -> Result<(), SettleError> {
        let generation = self.core.catalog().current();
        let operation = generation.operation(&job.operation);
        let (points, credits) = operation.map_or((0, 0), |operation| {
            let contract = &operation.contract;
            let points = contract.cost.points(units) - contract.cost.base;
            (points, contract.native_price.as_ref().map_or(0, |price| price.milli(units)))
        });
        let mut audit = self.job_audit(job, "job.step", outcome);
        let step = job.steps + 1;
        audit.add(json!({
            "job": job.id, "step": step, "attempt": job.attempt, "units": units,
            "fuel": used.fuel, "host_calls": used.host_calls, "peak_memory": used.peak_memory, "effects": changes.counted(),
        }));
        self.core
            .store()
            .calls
            .settle_step(StepSettlement {
                job: job.id.clone(),
                customer: job.customer.clone(),
                claim: job.claim.clone(),
                step,
                changes,
                journaled: operation.is_none_or(|operation| operation.changes_outside()),
                next,
                units_total: units,
                points_total: points,
                credits_milli_total: credits,
                audit,
                now: self.core.clock().now(),
            })
            .await
    }

    fn job_audit(&self, job: &JobRow, event: &str, outcome: &str) -> Audit {
        Audit {
            at: self.core.clock().now(),
            customer: job.customer.clone(),
            request: None,
            grant: job.grant.clone(),
            event: event.to_owned(),
            subject: job.operation.clone(),
            outcome: outcome.to_owned(),
            points: 0,
            detail: json!({ "catalog": self.core.catalog().current().digest }),
        }
    }
}
