//! A customer's jobs by age, as the portal lists them.

use model::clock::Moment;
use model::id::{CustomerId, GrantId, JobId};
use sqlx::any::AnyRow;
use sqlx::{Any, AssertSqlSafe, Row as _};

use super::{JobView, read_view};
use crate::StoreError;
use crate::tables::Jobs;

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
    /// The module whose steps do the work.
    pub module: String,
    /// For which website, where the call named one.
    pub site: Option<String>,
    /// Steps that were committed.
    pub steps: u64,
    /// What the operation that reads its result takes: a JSON object.
    pub result_arguments: Option<String>,
    /// Points and thousandths of a credit that are kept back for it.
    pub held: (u64, u64),
}

/// Which jobs; what is none does not narrow.
#[derive(Clone, Debug, Default)]
pub struct JobFilter {
    /// Only those that have not ended.
    pub open: bool,
    /// In this state, as customers read it.
    pub state: Option<String>,
    /// Started by operations of this module.
    pub module: Option<String>,
    /// For this website.
    pub site: Option<String>,
}

const COLUMNS: &str = "SELECT job.job, state, progress, outcome, job.created_at, changed_at, operation, job.grant_id, \
                       units, job.points, job.credits, access_grant.name AS grant_name, module, job.site, steps, result_arguments, \
                       COALESCE(hold.allowance + hold.points, 0) AS held_points, \
                       COALESCE(hold.credits, 0) AS held_credits FROM job \
                       LEFT JOIN access_grant ON access_grant.customer = $1 AND access_grant.grant_id = job.grant_id \
                       LEFT JOIN hold ON hold.customer = $1 AND hold.hold = job.job ";

impl Jobs {
    /// Jobs of a customer, newest first; without those that a schedule begins every few minutes.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn list_jobs(
        &self,
        customer: &CustomerId,
        filter: &JobFilter,
        after: Option<&(Moment, JobId)>,
        limit: u32,
    ) -> Result<Vec<JobEntry>, StoreError> {
        let sql = format!(
            "{COLUMNS} WHERE job.customer = $1 AND (job.created_at, job.job) < ($2, $3) \
             AND ($4 = 0 OR due_at IS NOT NULL) AND ($5 = '' OR state = $5 OR (state = 'waiting' AND $5 = 'running')) \
             AND background = 0 AND ($6 = '' OR substr(operation, 1, length($6) + 1) = $6 || '.') AND ($7 = '' OR job.site = $7) \
             ORDER BY job.created_at DESC, job.job DESC LIMIT $8"
        );
        let (at, job) = after.map_or((i64::MAX, ""), |(at, job)| (at.0, job.as_str()));
        let query = sqlx::query::<Any>(AssertSqlSafe(sql)).bind(customer.as_str()).bind(at).bind(job);
        let query = query.bind(i64::from(filter.open)).bind(filter.state.as_deref().unwrap_or_default());
        let query = query.bind(filter.module.as_deref().unwrap_or_default());
        let query = query.bind(filter.site.as_deref().unwrap_or_default());
        let rows = self.database.reader().fetch_all(query.bind(i64::from(limit.min(500)))).await?;
        rows.iter().map(read_entry).collect()
    }

    /// One job of this customer with where it comes from.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn job_entry(&self, customer: &CustomerId, job: &JobId) -> Result<Option<JobEntry>, StoreError> {
        let sql = format!("{COLUMNS} WHERE job.customer = $1 AND job.job = $2");
        let query = sqlx::query::<Any>(AssertSqlSafe(sql)).bind(customer.as_str()).bind(job.as_str());
        self.database.reader().fetch_optional(query).await?.as_ref().map(read_entry).transpose()
    }

    /// What the jobs that these requests started have cost so far: request, points, thousandths of a credit.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn started_by(
        &self,
        customer: &CustomerId,
        requests: &[&str],
    ) -> Result<Vec<(String, u64, u64)>, StoreError> {
        let mut found = Vec::new();
        for request in requests {
            let sql = "SELECT request, points, credits FROM job WHERE customer = $1 AND request = $2";
            let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(*request);
            for row in self.database.reader().fetch_all(query).await? {
                let whole = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
                found.push((row.try_get("request")?, whole("points")?, whole("credits")?));
            }
        }
        Ok(found)
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
        module: row.try_get("module")?,
        site: row.try_get("site")?,
        steps: whole("steps")?,
        result_arguments: row.try_get("result_arguments")?,
        held: (whole("held_points")?, whole("held_credits")?),
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
        let first = fixture.store.jobs.list_jobs(&fixture.customer, &JobFilter::default(), None, 3).await.unwrap();
        let last = first.last().unwrap();
        let after = (last.view.created, last.view.reference.clone());
        let rest =
            fixture.store.jobs.list_jobs(&fixture.customer, &JobFilter::default(), Some(&after), 3).await.unwrap();
        let listed: Vec<_> = first.iter().chain(&rest).map(|entry| entry.view.reference.clone()).collect();
        assert_eq!(listed, started);
        let other = CustomerId::from("cus_other");
        assert_eq!(fixture.store.jobs.list_jobs(&other, &JobFilter::default(), None, 3).await.unwrap(), []);
        assert_eq!(fixture.store.jobs.job_entry(&other, &started[0]).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_stopped_job_is_not_among_the_open_ones() {
        let fixture = fixture().await;
        let job = fixture.start_job("req_1", JobHold { points: 1, credits_milli: 0 }).await;
        let open_ones = JobFilter { open: true, ..JobFilter::default() };
        let open = fixture.store.jobs.list_jobs(&fixture.customer, &open_ones, None, 9).await.unwrap();
        assert_eq!(open.len(), 1);
        fixture.store.jobs.cancel_job(&fixture.customer, &job, NOON.plus(Duration::from_secs(1))).await.unwrap();
        assert_eq!(fixture.store.jobs.list_jobs(&fixture.customer, &open_ones, None, 9).await.unwrap(), []);
        let entry = fixture.store.jobs.job_entry(&fixture.customer, &job).await.unwrap().unwrap();
        assert_eq!((entry.view.state, entry.operation.as_str()), (JobState::Cancelled, "authors.list"));
    }
}
