//! A customer's jobs by age, as the portal lists them.

use model::clock::Moment;
use model::id::{CustomerId, GrantId, JobId};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use super::{JobView, read_view};
use crate::{Store, StoreError};

/// A job with where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEntry {
    /// The job itself.
    pub view: JobView,
    /// The operation that started it.
    pub operation: String,
    /// The grant of the call that started it.
    pub grant: Option<GrantId>,
    /// That grant's name, as far as it is known.
    pub grant_name: Option<String>,
    /// Units of work so far.
    pub units: u64,
    /// Points so far, charged when it ends.
    pub points: u64,
    /// Thousandths of a credit so far, likewise.
    pub credits_milli: u64,
}

impl Store {
    /// Jobs of a customer, newest first; `open` narrows them to those that have not ended.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn list_jobs(
        &self,
        customer: &CustomerId,
        open: bool,
        after: Option<&(Moment, JobId)>,
        limit: u32,
    ) -> Result<Vec<JobEntry>, StoreError> {
        let sql = "SELECT job.job, state, progress, outcome, job.created_at, changed_at, operation, job.grant_id, \
                   units, points, credits, access_grant.name AS grant_name FROM job \
                   LEFT JOIN access_grant ON access_grant.customer = $1 AND access_grant.grant_id = job.grant_id \
                   WHERE job.customer = $1 AND (job.created_at < $2 OR (job.created_at = $2 AND job.job < $3)) \
                   AND ($4 = 0 OR due_at IS NOT NULL) ORDER BY job.created_at DESC, job.job DESC LIMIT $5";
        let (at, job) = after.map_or((i64::MAX, ""), |(at, job)| (at.0, job.as_str()));
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(at).bind(job).bind(i64::from(open));
        let rows = self.reader().fetch_all(query.bind(i64::from(limit.min(500)))).await?;
        rows.iter().map(read_entry).collect()
    }

    /// One job of this customer with where it comes from.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn job_entry(&self, customer: &CustomerId, job: &JobId) -> Result<Option<JobEntry>, StoreError> {
        let sql = "SELECT job.job, state, progress, outcome, job.created_at, changed_at, operation, job.grant_id, \
                   units, points, credits, access_grant.name AS grant_name FROM job \
                   LEFT JOIN access_grant ON access_grant.customer = $1 AND access_grant.grant_id = job.grant_id \
                   WHERE job.customer = $1 AND job.job = $2";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str());
        self.reader().fetch_optional(query).await?.as_ref().map(read_entry).transpose()
    }
}

fn read_entry(row: &AnyRow) -> Result<JobEntry, StoreError> {
    let whole = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
    Ok(JobEntry {
        view: read_view(row)?,
        operation: row.try_get("operation")?,
        grant: row.try_get::<Option<String>, _>("grant_id")?.map(GrantId::from),
        grant_name: row.try_get("grant_name")?,
        units: whole("units")?,
        points: whole("points")?,
        credits_milli: whole("credits")?,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture::{NOON, fixture};
    use crate::{JobHold, JobState};

    #[tokio::test]
    async fn jobs_come_newest_first_page_by_page_and_only_to_their_owner() {
        let fixture = fixture().await;
        let mut started = Vec::new();
        for number in 0..5 {
            started.push(fixture.start_job(&format!("req_{number}"), JobHold { points: 1, credits_milli: 0 }).await);
        }
        started.sort_by(|one, other| other.as_str().cmp(one.as_str()));
        let first = fixture.store.list_jobs(&fixture.customer, false, None, 3).await.unwrap();
        let last = first.last().unwrap();
        let after = (last.view.created, last.view.reference.clone());
        let rest = fixture.store.list_jobs(&fixture.customer, false, Some(&after), 3).await.unwrap();
        let listed: Vec<_> = first.iter().chain(&rest).map(|entry| entry.view.reference.clone()).collect();
        assert_eq!(listed, started);
        let other = CustomerId::from("cus_other");
        assert_eq!(fixture.store.list_jobs(&other, false, None, 3).await.unwrap(), []);
        assert_eq!(fixture.store.job_entry(&other, &started[0]).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_stopped_job_is_not_among_the_open_ones() {
        let fixture = fixture().await;
        let job = fixture.start_job("req_1", JobHold { points: 1, credits_milli: 0 }).await;
        let open = fixture.store.list_jobs(&fixture.customer, true, None, 9).await.unwrap();
        assert_eq!(open.len(), 1);
        fixture.store.cancel_job(&fixture.customer, &job, NOON.plus(Duration::from_secs(1))).await.unwrap();
        assert_eq!(fixture.store.list_jobs(&fixture.customer, true, None, 9).await.unwrap(), []);
        let entry = fixture.store.job_entry(&fixture.customer, &job).await.unwrap().unwrap();
        assert_eq!((entry.view.state, entry.operation.as_str()), (JobState::Cancelled, "authors.list"));
    }
}
