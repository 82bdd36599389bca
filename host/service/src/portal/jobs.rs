//! A customer's jobs: what goes on, how far it is, and stopping it.

use model::id::{CustomerId, JobId};
pub use store::{Cancelled, JobEntry, JobState};
use store::{JobFilter, StoreError};

use crate::oauth::Authority;
use crate::website::Website;

/// Jobs on one page.
pub const PAGE: u32 = 25;

/// Jobs on the page of a website.
const OF_A_WEBSITE: u32 = 10;

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
            Some(after) => self.store().jobs.job(customer, after).await?.map(|job| (job.created, job.reference)),
            None => None,
        };
        let filter = JobFilter { open, ..JobFilter::default() };
        let mut jobs = self.store().jobs.list_jobs(customer, &filter, after.as_ref(), PAGE + 1).await?;
        let more = jobs.len() > PAGE as usize;
        jobs.truncate(PAGE as usize);
        let next = jobs.last().filter(|_| more).map(|job| job.view.reference.clone());
        Ok(Jobs { jobs, next })
    }

    /// The latest jobs of a website, newest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn jobs_of(&self, customer: &CustomerId, site: &str) -> Result<Vec<JobEntry>, StoreError> {
        let filter = JobFilter { site: Some(site.to_owned()), ..JobFilter::default() };
        self.store().jobs.list_jobs(customer, &filter, None, OF_A_WEBSITE).await
    }

    /// The domains of the websites that jobs are about, by the websites' references.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn domains(&self, customer: &CustomerId, jobs: &[JobEntry]) -> Result<Vec<(String, String)>, StoreError> {
        let mut found: Vec<(String, String)> = Vec::new();
        for site in jobs.iter().filter_map(|job| job.site.as_ref()) {
            if !found.iter().any(|(id, _)| id == site)
                && let Some(website) = Website::find(self.store(), customer, site).await?
            {
                found.push((site.clone(), website.domain));
            }
        }
        Ok(found)
    }

    /// One job of this customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn job(&self, customer: &CustomerId, job: &JobId) -> Result<Option<JobEntry>, StoreError> {
        self.store().jobs.job_entry(customer, job).await
    }

    /// Stops a job of this customer: what its steps have used is charged, the rest given back.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn cancel_job(&self, customer: &CustomerId, job: &JobId) -> Result<Cancelled, StoreError> {
        self.store().jobs.cancel_job(customer, job, self.clock().now()).await
    }
}
