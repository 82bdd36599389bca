//! Jobs: work that goes on after the answer, taken by one worker at a time under a claim and a lease.

mod claim;
mod listed;
mod rows;
pub mod schedules;
mod share;

use model::audit::Audit;
use model::clock::Moment;
use model::id::{Claim, CustomerId, GrantId, JobId};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

pub(crate) use claim::cancelled;
pub use listed::{JobEntry, JobFilter};
pub(crate) use rows::{JobInsert, StepUpdate, advance, insert};
pub use share::{MOST_OPEN, MOST_STARTED, Share};

use crate::StoreError;
use crate::database::Database;
use crate::records::{Began, Changes};
use crate::tables::Jobs;

/// A job that a worker has claimed: all that it needs for the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// The job.
    pub id: JobId,
    /// Whose.
    pub customer: CustomerId,
    /// Of which module.
    pub module: String,
    /// Which kind of job.
    pub step: String,
    /// The operation that started it.
    pub operation: String,
    /// As enqueued: a JSON object.
    pub payload: String,
    /// Where the last step left off: JSON. None at first.
    pub checkpoint: Option<String>,
    /// The last progress: a JSON object.
    pub progress: String,
    /// Which try of this step, from 1; those count whose host died or stood still.
    pub attempt: u32,
    /// How often this step failed by itself.
    pub failures: u32,
    /// Steps that were committed before, endings and retries among them.
    pub steps: u64,
    /// What the step must be settled under.
    pub claim: Claim,
    /// How long the claim is good for.
    pub lease_until: Moment,
    /// Work done so far.
    pub units: u64,
    /// The grant of the call that started it.
    pub grant: Option<GrantId>,
    /// The website that the call named.
    pub site: Option<String>,
    /// What it began with; none for a job of before this was written down.
    pub began: Option<Began>,
}

/// What one step leaves behind.
#[derive(Debug)]
pub struct StepSettlement {
    /// The job.
    pub job: JobId,
    /// Whose.
    pub customer: CustomerId,
    /// Under which claim.
    pub claim: Claim,
    /// Its number: one more than the steps committed before.
    pub step: u64,
    /// What it wrote.
    pub changes: Changes,
    /// Whether it may have changed something outside: then its journal of sends ends with it.
    pub journaled: bool,
    /// How the job goes on.
    pub next: Next,
    /// Work done by all steps so far.
    pub units_total: u64,
    /// Points for all steps so far; charged when the job ends, within what was held.
    pub points_total: u64,
    /// Thousandths of a credit for all steps so far; likewise.
    pub credits_milli_total: u64,
    /// The line of the trail; its `points` become what was charged.
    pub audit: Audit,
    /// When the step ended; the lease must still be good then.
    pub now: Moment,
}

/// How a job goes on after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// With another step.
    Continue {
        /// Where it goes on: JSON.
        checkpoint: String,
        /// A JSON object.
        progress: String,
        /// Not before this.
        run_after: Moment,
    },
    /// It has ended well.
    Done {
        /// A JSON object.
        result: String,
        /// A JSON object.
        progress: String,
    },
    /// It has ended badly.
    Failed {
        /// A JSON object.
        fault: String,
    },
    /// The same step once more.
    Retry {
        /// Not before this.
        run_after: Moment,
    },
    /// The same step later: it could not begin, was in the way of another call, or was stopped by us. No attempt is
    /// counted for it.
    Wait {
        /// Not before this.
        run_after: Moment,
    },
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// No worker had it yet.
    Queued,
    /// It has begun.
    Running,
    /// It has ended well.
    Succeeded,
    /// It has ended badly.
    Failed,
    /// It was stopped.
    Cancelled,
}

impl JobState {
    /// As customers read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more will come of it.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// A job as its customer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobView {
    /// Its name.
    pub reference: JobId,
    /// Where it is.
    pub state: JobState,
    /// The last progress: a JSON object.
    pub progress: String,
    /// The result of a job that succeeded, the fault of one that failed: a JSON object.
    pub outcome: Option<String>,
    /// When it was enqueued.
    pub created: Moment,
    /// When it last changed.
    pub changed: Moment,
}

/// What a cancellation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// It is stopped; what its steps have used so far was charged, the rest given back.
    Stopped(JobView),
    /// It had ended before.
    Ended(JobView),
    /// There is no such job.
    Unknown,
}

impl Jobs {
    /// A job of this customer, of any module.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn job(&self, customer: &CustomerId, job: &JobId) -> Result<Option<JobView>, StoreError> {
        view(&self.database, customer, None, job).await
    }
}

const VIEW: &str =
    "SELECT job, state, progress, outcome, created_at, changed_at FROM job WHERE customer = $1 AND job = $2";

/// A job as its customer sees it; `module` narrows it to one module's.
pub(crate) async fn view(
    database: &Database,
    customer: &CustomerId,
    module: Option<&str>,
    job: &JobId,
) -> Result<Option<JobView>, StoreError> {
    let row = match module {
        None => {
            database
                .reader()
                .fetch_optional(sqlx::query::<Any>(VIEW).bind(customer.as_str()).bind(job.as_str()))
                .await?
        }
        Some(module) => {
            let sql = "SELECT job, state, progress, outcome, created_at, changed_at FROM job \
                       WHERE customer = $1 AND job = $2 AND module = $3";
            let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str()).bind(module);
            database.reader().fetch_optional(query).await?
        }
    };
    row.as_ref().map(read_view).transpose()
}

fn read_view(row: &AnyRow) -> Result<JobView, StoreError> {
    let state = match row.try_get::<String, _>("state")?.as_str() {
        "queued" => JobState::Queued,
        // Between two steps a job goes on, for all that its customer can tell.
        "waiting" | "running" => JobState::Running,
        "succeeded" => JobState::Succeeded,
        "failed" => JobState::Failed,
        "cancelled" => JobState::Cancelled,
        _ => return Err(StoreError::Inconsistent("the state of a job")),
    };
    Ok(JobView {
        reference: row.try_get::<String, _>("job")?.into(),
        state,
        progress: row.try_get("progress")?,
        outcome: row.try_get("outcome")?,
        created: Moment(row.try_get("created_at")?),
        changed: Moment(row.try_get("changed_at")?),
    })
}

#[cfg(test)]
mod rounds;
#[cfg(test)]
mod tests;
