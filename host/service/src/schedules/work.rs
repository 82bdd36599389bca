//! One round of a module's own work: a job as if the operation that set the schedule had started it, with what its units
//! cost held for it.
//!
//! It is committed by the one settlement, under a key made of the schedule and the moment at which the round was due: it
//! begins once, however many nodes try. While a round goes on, the next one is left out.

use std::time::Duration;

use model::audit::Audit;
use model::clock::Moment;
use model::grant::Grant;
use model::id::{JobId, RequestId};
use model::refusal::codes;
use model::schedule::Work;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::identity::notices::Notice;
use store::jobs::schedules::DueSchedule;
use store::{Changes, JobHold, JobState, KeyedAnswer, SettleError, Settlement, StoreError, Stored};

use crate::execute::Spine;
use crate::schedules::Schedules;

/// How long it is waited after a round that could not be paid.
const UNPAID: Duration = Duration::from_secs(3_600);
/// How the round of a customer without the credits for it ends.
const OUT_OF_CREDITS: &str = codes::CREDITS_EXHAUSTED.name;

/// The job of the last round.
#[derive(Serialize, Deserialize)]
struct Last {
    job: JobId,
}

/// What the answer under a round's key says.
#[derive(Deserialize)]
struct Begun {
    job_ref: JobId,
}

impl Schedules {
    /// Begins the round that is due, and says how.
    pub(super) async fn begin_work(&self, due: &mut DueSchedule, grant: &Grant, work: &Work) -> Result<(), StoreError> {
        let now = self.core.clock().now();
        let was_due = due.schedule.next_at.unwrap_or(now);
        due.schedule.next_at = Some(due.schedule.plan.next(now));
        if self.goes_on(due).await? {
            due.schedule.outcome = Some("still_running".to_owned());
            return Ok(());
        }
        due.schedule.last_at = Some(now);
        let outcome = match self.settle_round(due, grant, work, (was_due, now)).await {
            Ok(job) => {
                due.schedule.stage = serde_json::to_string(&Last { job }).ok();
                "ok".to_owned()
            }
            Err(NotBegun::Unpaid) => {
                self.tell_unpaid(due, now).await?;
                due.schedule.next_at = due.schedule.next_at.max(Some(due.schedule.plan.next(now.plus(UNPAID))));
                OUT_OF_CREDITS.to_owned()
            }
            Err(NotBegun::Over(code)) => code,
            Err(NotBegun::Store(error)) => return Err(error),
        };
        due.schedule.outcome = Some(outcome);
        Ok(())
    }

    /// Whether the job of the round before has not ended.
    async fn goes_on(&self, due: &DueSchedule) -> Result<bool, StoreError> {
        let last = due.schedule.stage.as_deref().and_then(|stage| serde_json::from_str::<Last>(stage).ok());
        let Some(Last { job }) = last else { return Ok(false) };
        let job = self.core.store().jobs.job(&due.customer, &job).await?;
        Ok(job.is_some_and(|job| matches!(job.state, JobState::Queued | JobState::Running)))
    }

    async fn settle_round(
        &self,
        due: &DueSchedule,
        grant: &Grant,
        work: &Work,
        (was_due, now): (Moment, Moment),
    ) -> Result<JobId, NotBegun> {
        let generation = self.core.catalog().current();
        let operation = generation
            .operation(&work.operation)
            .ok_or_else(|| NotBegun::Over(generation.not_served(&work.operation).code.to_string()))?;
        let contract = &operation.contract;
        let spine = Spine::of(&self.core);
        spine.permit(grant, operation).map_err(|refusal| NotBegun::Over(refusal.code.to_string()))?;
        let request = RequestId::at(now, self.core.entropy());
        let job = JobId::new(self.core.entropy());
        let payload = serde_json::to_string(&work.payload).unwrap_or_else(|_| "{}".to_owned());
        let mut changes = Changes::round(&due.module, job.clone(), &work.step, payload, now);
        changes.begin_with(&generation.began(&operation.module));
        let answer = KeyedAnswer {
            key: format!("schedule:{}:{}:{}:work", due.module, due.schedule.name, was_due.0),
            fingerprint: String::new(),
            outcome: Stored::Done { data: json!({ "job_ref": job }).to_string().into(), untrusted: None },
        };
        let credits_milli = contract.native_price.as_ref().map_or(0, |price| price.milli(work.units));
        let settlement = Settlement {
            customer: due.customer.clone(),
            grant: Some(grant.id.clone()),
            request: request.clone(),
            operation: contract.id.clone(),
            site: None,
            now,
            api_version: generation.api_version.clone(),
            points: 0,
            hold: None,
            hold_for_job: Some(JobHold { points: 0, credits_milli }),
            changes,
            answer: Some(answer),
            claim: None,
            audit: Audit {
                at: now,
                customer: due.customer.clone(),
                request: Some(request),
                grant: Some(grant.id.clone()),
                event: "schedule.round".to_owned(),
                subject: contract.id.clone(),
                outcome: "ok".to_owned(),
                points: 0,
                detail: json!({ "catalog": generation.digest, "job": job }),
            },
        };
        match self.core.store().calls.settle(settlement).await {
            Ok(_) => Ok(job),
            // Another node has begun it.
            Err(SettleError::KeyTaken(earlier)) => match earlier.outcome {
                Stored::Done { data, .. } => serde_json::from_str::<Begun>(&data)
                    .map(|it| it.job_ref)
                    .map_err(|_| NotBegun::Over("round_unknown".to_owned())),
                Stored::Refused(_) => Err(NotBegun::Over("round_unknown".to_owned())),
            },
            Err(SettleError::OutOfCredits { .. }) => Err(NotBegun::Unpaid),
            Err(SettleError::Unavailable(error)) => Err(NotBegun::Store(error)),
            Err(error) => Err(NotBegun::Over(spine.refuse_settle(error).code.to_string())),
        }
    }

    /// Tells once a day that scheduled work waits for credits.
    async fn tell_unpaid(&self, due: &DueSchedule, now: Moment) -> Result<(), StoreError> {
        let about = format!("{}:{}:unpaid:{}", due.module, due.schedule.name, now.start_of_day().0);
        let payload = json!({
            "kind": "alert",
            "severity": "warning",
            "at": now.0,
            "title": format!("{} waits for credits", due.module),
            "words": "Its scheduled work goes on by itself within an hour after credits are there.",
            "code": OUT_OF_CREDITS,
        });
        self.core.store().identity.tell(Notice { customer: due.customer.clone(), about, payload }, now).await
    }
}

/// Why a round was not begun.
enum NotBegun {
    /// The credits for it are not there.
    Unpaid,
    /// For this reason; the next one may be.
    Over(String),
    /// The store cannot be reached: it is tried again.
    Store(StoreError),
}
