//! Work that goes on after the answer.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bindings::wit::jobs as wit;
use crate::bindings::wit::refunds_write::RefundError;
use crate::host::Host;
use crate::value::{Id, Moment};
use crate::{Cx, Fault, Result, entry};

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Not begun.
    Queued,
    /// Begun.
    Running,
    /// Ended with a result.
    Succeeded,
    /// Ended with a fault.
    Failed,
    /// Stopped by somebody.
    Cancelled,
}

/// A job of the own module and customer.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// What `enqueue` gave back.
    pub id: Id<Job>,
    /// Where it stands.
    pub state: JobState,
    /// When it was enqueued.
    pub created: Moment,
    /// When its state or progress last changed.
    pub changed: Moment,
    progress: String,
    outcome: Option<String>,
}

impl Job {
    /// The last progress a step reported; none before the first step.
    pub fn progress<P: DeserializeOwned>(&self) -> Option<P> {
        serde_json::from_str(&self.progress).ok()
    }

    /// The result, of a job that succeeded.
    pub fn result<D: DeserializeOwned>(&self) -> Option<D> {
        (self.state == JobState::Succeeded).then(|| serde_json::from_str(self.outcome.as_deref()?).ok())?
    }

    /// The code and message of the fault, of a job that failed.
    pub fn fault(&self) -> Option<(String, String)> {
        #[derive(Deserialize)]
        struct Written {
            code: String,
            message: String,
        }
        let fault: Written =
            (self.state == JobState::Failed).then(|| serde_json::from_str(self.outcome.as_deref()?).ok())??;
        Some((fault.code, fault.message))
    }
}

/// The jobs. Made by `Cx::jobs`.
pub struct Jobs<'a> {
    pub(crate) cx: &'a Cx,
}

impl Jobs<'_> {
    /// The job with this reference; 404 `job_not_found` without one.
    pub fn get(&self, id: &Id<Job>) -> Result<Job> {
        self.find(id).ok_or_else(|| Fault::not_found("job_not_found", "there is no such job"))
    }

    /// The job with this reference, if there is one.
    pub fn find(&self, id: &Id<Job>) -> Option<Job> {
        let job = self.cx.host.job(id.as_str())?;
        let state = match job.state {
            wit::State::Queued => JobState::Queued,
            wit::State::Running => JobState::Running,
            wit::State::Succeeded => JobState::Succeeded,
            wit::State::Failed => JobState::Failed,
            wit::State::Cancelled => JobState::Cancelled,
        };
        Some(Job {
            id: Id::new(job.reference),
            state,
            created: Moment::from_millis(job.created),
            changed: Moment::from_millis(job.changed),
            progress: job.progress,
            outcome: job.outcome,
        })
    }

    /// Gives back what so many units cost of a job that has ended: at most what it was charged, once for each job.
    /// Returns the credits that go back, in thousandths.
    ///
    /// # Errors
    /// 404 `job_not_found`; 409 `job_not_ended` and `job_refunded`.
    pub fn refund(&self, id: &Id<Job>, units: u64) -> Result<u64> {
        self.cx.host.refund(id.as_str(), units).map_err(|error| match error {
            RefundError::Missing => Fault::not_found("job_not_found", "there is no such job"),
            RefundError::NotEnded => {
                Fault::conflict("job_not_ended", "the job goes on, so nothing was charged for it yet")
            }
            RefundError::Refunded => Fault::conflict("job_refunded", "the job was refunded before"),
        })
    }

    /// Starts the step of this name; only for an operation of mode `queued`, and its steps. Committed with the call.
    pub fn enqueue(&self, step: &str, payload: &impl Serialize) -> Result<Id<Job>> {
        self.cx
            .host
            .enqueue(step, &entry::written(payload))
            .map(Id::new)
            .map_err(|reason| Fault::refused("job_refused", reason))
    }
}
