//! One round: its calls one after the other, each when the job of the one before has succeeded, and the watched number.

use std::time::Duration;

use model::call::{Call, Outcome};
use model::clock::Moment;
use model::grant::Grant;
use model::id::{JobId, RequestId};
use model::refusal::{Class, Refusal, codes};
use model::schedule::{Cadence, Plan, Planned, Watch};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::identity::notices::Notice;
use store::jobs::schedules::DueSchedule;
use store::{JobState, StoreError};

use crate::execute::Spine;
use crate::schedules::Schedules;

/// How often it is looked whether a job has ended.
const WAIT: Duration = Duration::from_secs(5);
/// How long until a call is tried again that could not be made now.
const AGAIN: Duration = Duration::from_secs(60);
/// How often that is tried.
const TRIES: u32 = 60;

/// Where a round is, as it is kept between two looks.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stage {
    /// When the round was due: the stem of its idempotency keys.
    due: i64,
    /// The call that is made next, or whose job is waited for.
    at: usize,
    /// The job that is waited for.
    #[serde(default)]
    job: Option<JobId>,
    /// What the calls so far have answered.
    #[serde(default)]
    results: Map<String, Value>,
    /// Tries of the next call that came to nothing for now.
    #[serde(default)]
    tries: u32,
}

/// What a round does, and when the next one comes.
struct Round {
    calls: Vec<Planned>,
    watch: Option<Watch>,
    /// None: it is made one time.
    cadence: Option<Cadence>,
}

/// What a look comes to.
enum Look {
    /// Something else can be done at once.
    On,
    /// Later.
    Later(Duration),
    /// The round has ended: `ok`, or what ended it.
    Over(String),
    /// What it is about is gone: there is no next round.
    Gone(String),
}

impl Schedules {
    /// Goes on with one schedule as far as it can now, and writes how far that was.
    pub(super) async fn go_on(&self, mut due: DueSchedule) {
        let now = self.core.clock().now();
        if let Err(error) = self.look(&mut due, now).await {
            // Its lease ends, and it is looked at again.
            tracing::warn!(error = %error, module = due.module, "a schedule could not be gone on with");
            return;
        }
        match self.core.store().jobs.advance_schedule(&due).await {
            Ok(true) => {}
            Ok(false) => tracing::debug!(module = due.module, "a schedule was changed while its round ran"),
            Err(error) => tracing::warn!(error = %error, module = due.module, "a schedule could not be written"),
        }
    }

    async fn look(&self, due: &mut DueSchedule, now: Moment) -> Result<(), StoreError> {
        let Some(grant) = self.core.store().jobs.living_grant(&due.customer, &due.grant).await? else {
            due.schedule.next_at = None;
            due.schedule.last_at = due.schedule.last_at.or(Some(now));
            due.schedule.stopped = Some("grant_ended".to_owned());
            return Ok(());
        };
        match due.schedule.plan.clone() {
            Plan::Calls(it) => {
                let round = Round { calls: it.calls, watch: it.watch, cadence: Some(it.cadence) };
                self.go_on_calling(due, &grant, &round, now).await
            }
            Plan::Once(it) => {
                let round = Round { calls: it.calls, watch: None, cadence: None };
                self.go_on_calling(due, &grant, &round, now).await
            }
            Plan::Work(work) => self.begin_work(due, &grant, &work).await,
        }
    }

    async fn go_on_calling(
        &self,
        due: &mut DueSchedule,
        grant: &Grant,
        plan: &Round,
        now: Moment,
    ) -> Result<(), StoreError> {
        let kept = due.schedule.stage.take();
        let begun: Option<Stage> = kept.and_then(|stage| serde_json::from_str(&stage).ok());
        let fresh = begun.is_none();
        let mut stage = begun.unwrap_or_else(|| Stage {
            due: due.schedule.next_at.unwrap_or(now).0,
            at: 0,
            job: None,
            results: Map::new(),
            tries: 0,
        });
        if fresh {
            (due.schedule.last_at, due.schedule.outcome) = (Some(now), None);
        }
        loop {
            let look = match plan.calls.get(stage.at) {
                Some(call) => self.step_on(due, grant, call, &mut stage).await?,
                None => Look::Over(self.watched(due, grant, plan, &stage).await?),
            };
            match look {
                Look::On => {}
                Look::Later(wait) => {
                    due.schedule.next_at = Some(self.core.clock().now().plus(wait));
                    due.schedule.stage = serde_json::to_string(&stage).ok();
                    return Ok(());
                }
                Look::Gone(outcome) => {
                    due.schedule.next_at = None;
                    due.schedule.stopped = Some(outcome);
                    return Ok(());
                }
                Look::Over(outcome) => {
                    due.schedule.next_at = plan.cadence.map(|it| it.next(self.core.clock().now()));
                    due.schedule.outcome = Some(outcome);
                    return Ok(());
                }
            }
        }
    }

    /// Makes the next call, or looks after the job of the last one.
    async fn step_on(
        &self,
        due: &DueSchedule,
        grant: &Grant,
        call: &Planned,
        stage: &mut Stage,
    ) -> Result<Look, StoreError> {
        let over = |code: &str| Ok(Look::Over(format!("{}: {code}", call.operation)));
        if let Some(job) = &stage.job {
            let Some(job) = self.core.store().jobs.job(&due.customer, job).await? else { return over("job_not_found") };
            match job.state {
                JobState::Queued | JobState::Running => return Ok(Look::Later(WAIT)),
                JobState::Failed => return over("job_failed"),
                JobState::Cancelled => return over("job_cancelled"),
                JobState::Succeeded => {}
            }
            stage.results.extend(members(job.outcome.as_deref().unwrap_or("{}")));
            (stage.job, stage.at, stage.tries) = (None, stage.at + 1, 0);
            return Ok(Look::On);
        }
        match self.call(due, grant, call, stage, &stage.at.to_string()).await {
            Ok(answer) => {
                let answer = members(&answer.data);
                stage.job = answer.get("job_ref").and_then(Value::as_str).map(JobId::from);
                stage.results.extend(answer);
                if stage.job.is_none() {
                    (stage.at, stage.tries) = (stage.at + 1, 0);
                }
                Ok(Look::On)
            }
            Err(refusal) if is_passing(&refusal) && stage.tries < TRIES => {
                stage.tries += 1;
                Ok(Look::Later(AGAIN))
            }
            Err(refusal) if refusal.class == Class::NotFound && stage.at == 0 => {
                Ok(Look::Gone(refusal.code.to_string()))
            }
            Err(refusal) => over(&refusal.code),
        }
    }

    /// Reads the watched number and tells of its fall; how the round has ended.
    async fn watched(
        &self,
        due: &mut DueSchedule,
        grant: &Grant,
        plan: &Round,
        stage: &Stage,
    ) -> Result<String, StoreError> {
        let Some(watch) = &plan.watch else { return Ok("ok".to_owned()) };
        let answer = match self.call(due, grant, &watch.read, stage, "watch").await {
            Ok(answer) => Value::Object(members(&answer.data)),
            Err(refusal) => return Ok(format!("{}: {}", watch.read.operation, refusal.code)),
        };
        let Some(number) = answer.pointer(&watch.pointer).and_then(Value::as_f64) else {
            return Ok(format!("{}: nothing_to_watch", watch.read.operation));
        };
        let now = thousandths(number);
        let before = due.schedule.watched.replace(now);
        if let Some(before) = before.filter(|before| before - now >= i64::from(watch.falls_by) * 1_000) {
            self.core
                .store()
                .identity
                .tell(self.alert(due, plan, watch, (stage, before, now)), self.core.clock().now())
                .await?;
        }
        Ok("ok".to_owned())
    }

    fn alert(
        &self,
        due: &DueSchedule,
        plan: &Round,
        watch: &Watch,
        (stage, before, now): (&Stage, i64, i64),
    ) -> Notice {
        let number = |thousandths: i64| {
            #[expect(clippy::cast_precision_loss, reason = "a score has few digits")]
            let number = thousandths as f64 / 1_000.0;
            number
        };
        let site = plan.calls.first().and_then(|call| call.arguments.get("site_id")).cloned();
        let payload = json!({
            "kind": "alert",
            "severity": "warning",
            "at": self.core.clock().now().0,
            "title": watch.title,
            "before": number(before),
            "now": number(now),
            "site_id": site,
        });
        let about = format!("{}:{}:{}", due.module, due.schedule.name, stage.due);
        Notice { customer: due.customer.clone(), about, payload }
    }

    async fn call(
        &self,
        due: &DueSchedule,
        grant: &Grant,
        call: &Planned,
        stage: &Stage,
        part: &str,
    ) -> Result<Outcome, Refusal> {
        let arguments = call.filled(&stage.results).map_err(|missing| {
            let words = format!("no call before answered {missing}");
            Refusal::of(&codes::RESULT_MISSING, words)
        })?;
        let request = RequestId::at(self.core.clock().now(), self.core.entropy());
        let key = format!("schedule:{}:{}:{}:{part}", due.module, due.schedule.name, stage.due);
        let call = Call {
            request,
            operation: call.operation.clone(),
            arguments,
            key: Some(key),
            intent: None,
            contract: None,
        };
        Spine::of(&self.core).execute(grant, call).await
    }
}

/// Whether a refusal may be gone in a minute: too much at once, or something that is away.
fn is_passing(refusal: &Refusal) -> bool {
    matches!(refusal.class, Class::Limited | Class::Unavailable)
}

fn members(document: &str) -> Map<String, Value> {
    serde_json::from_str(document).unwrap_or_default()
}

#[expect(clippy::cast_possible_truncation, reason = "a score is far below what an i64 holds")]
fn thousandths(number: f64) -> i64 {
    (number * 1_000.0).round() as i64
}
