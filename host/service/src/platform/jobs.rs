//! Jobs of every module: how far they are, what they have cost, and stopping them.

use model::id::JobId;
use sandbox::platform::{Deed, JobFilter, Untold};
use serde_json::{Map, Value, json};
use store::money::account::{AccountChange, SeenJob};
use store::{JobEntry, JobState};

use super::paging::{cursor, limit, page, place};
use super::{Desk, conflict, deed, not_found};

/// Bytes of an outcome that is shown whole.
const MOST_OUTCOME: usize = 512 * 1024;

impl Desk {
    /// Jobs that fit, newest first.
    pub(super) async fn jobs(&self, filter: &JobFilter) -> Result<Value, Untold> {
        let after = place(&filter.paging)?.map(|(at, name)| (at, JobId::from(name)));
        let wanted = store::JobFilter {
            open: false,
            state: filter.state.clone(),
            module: filter.module.clone(),
            site: filter.site.clone(),
        };
        let most = limit(&filter.paging);
        let jobs = self.service.core.store().jobs.list_jobs(&self.customer, &wanted, after.as_ref(), most + 1).await?;
        let (jobs, next) = page(jobs, most, |job| cursor(job.view.created, job.view.reference.as_str()));
        Ok(json!({ "jobs": jobs.iter().map(|job| self.in_list(job)).collect::<Vec<_>>(), "next": next }))
    }

    /// One job.
    pub(super) async fn job(&self, reference: &str) -> Result<Value, Untold> {
        Ok(self.shown(&self.job_entry(reference).await?))
    }

    /// Stops a job; what its steps have used is charged with the commit.
    pub(super) async fn cancel_job(&self, reference: &str) -> Result<Deed, Untold> {
        let mut job = self.job_entry(reference).await?;
        if !matches!(job.view.state, JobState::Queued | JobState::Running) {
            return Err(conflict("job_ended", "this job has ended already; its result stays"));
        }
        let seen = SeenJob {
            job: job.view.reference.clone(),
            operation: job.operation.clone(),
            grant: job.grant.clone(),
            site: job.site.clone(),
            steps: job.steps,
            points: job.points,
            credits_milli: job.credits_milli,
        };
        job.view.state = JobState::Cancelled;
        job.held = (0, 0);
        Ok(deed(&self.shown(&job), vec![AccountChange::CancelJob(seen)]))
    }

    async fn job_entry(&self, reference: &str) -> Result<JobEntry, Untold> {
        let job = self.service.core.store().jobs.job_entry(&self.customer, &JobId::from(reference)).await?;
        job.ok_or_else(|| not_found("job_not_found", "there is no such job"))
    }

    fn shown(&self, job: &JobEntry) -> Value {
        let mut shown = self.in_list(job);
        shown["outcome"] = json!(job.view.outcome.as_deref().map(outcome));
        shown
    }

    fn in_list(&self, job: &JobEntry) -> Value {
        let generation = self.service.core.catalog().current();
        let read = generation.operation(&job.operation).and_then(|it| it.contract.result_operation.clone());
        let object = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|_| json!({}));
        json!({
            "job_ref": job.view.reference,
            "operation_id": job.operation,
            "module": job.module,
            "site_id": job.site,
            "state": job.view.state.as_str(),
            "progress": object(&job.view.progress),
            "units": job.units,
            "points": job.points,
            "credits_milli": job.credits_milli,
            "points_held": job.held.0,
            "credits_held_milli": job.held.1,
            "created_at": job.view.created.0,
            "changed_at": job.view.changed.0,
            "client_name": job.grant_name,
            "result_operation": read,
            "result_arguments": job.result_arguments.as_deref().map(object),
        })
    }
}

/// The outcome of a job; without its lists and objects when it is too large for one answer.
fn outcome(text: &str) -> Value {
    let whole = serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    if text.len() <= MOST_OUTCOME {
        return Value::Object(whole);
    }
    let plain = |value: &Value| match value {
        Value::String(text) => text.len() <= 4_096,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::Array(_) | Value::Object(_) => false,
    };
    let mut kept: Map<String, Value> = whole.into_iter().filter(|(_, value)| plain(value)).collect();
    kept.insert(
        "warnings".to_owned(),
        json!(["the result is too large for one answer: its lists and objects are left out"]),
    );
    Value::Object(kept)
}
