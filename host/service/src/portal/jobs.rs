//! A customer's jobs: what goes on, how far it is, and stopping it.

use model::id::{CustomerId, JobId};
pub use store::{Cancelled, JobEntry, JobState};
use store::{JobFilter, StoreError};

use crate::oauth::Authority;

/// Jobs on one page.
pub const PAGE: u32 = 25;

/// A page of jobs.
#[derive(Clone, Debug)]
pub struct Jobs {
    /// Newest first.
    pub jobs: Vec<JobEntry>,
    /// The last of them, when there are more.
    pub next: Option<JobId>,
}

impl Authority {
    /// Jobs older than `after` (none: from the newest); `open` narrows them to those that have not ended.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn jobs(&self, customer: &CustomerId, open: bool, after: Option<&JobId>) -> Result<Jobs, StoreError> {
        let after = match after {
            Some(after) => self.store().job(customer, after).await?.map(|job| (job.created, job.reference)),
            None => None,
        };
        let filter = JobFilter { open, ..JobFilter::default() };
        let mut jobs = self.store().list_jobs(customer, &filter, after.as_ref(), PAGE + 1).await?;
        let more = jobs.len() > PAGE as usize;
        jobs.truncate(PAGE as usize);
        let next = jobs.last().filter(|_| more).map(|job| job.view.reference.clone());
        Ok(Jobs { jobs, next })
    }

    /// One job of this customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn job(&self, customer: &CustomerId, job: &JobId) -> Result<Option<JobEntry>, StoreError> {
        self.store().job_entry(customer, job).await
    }

    /// Stops a job of this customer: what its steps have used is charged, the rest given back.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn cancel_job(&self, customer: &CustomerId, job: &JobId) -> Result<Cancelled, StoreError> {
        self.store().cancel_job(customer, job, self.clock().now()).await
    }
}
