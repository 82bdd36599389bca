//! Taking jobs: a random claim with a lease, its renewal, and stopping a job from outside.

use model::audit::Audit;
use model::clock::Moment;
use model::id::{Claim, CustomerId, GrantId, JobId};
use serde_json::json;
use sqlx::any::AnyRow;
use sqlx::{Any, AssertSqlSafe, Row as _};

use super::share::BY_TURN;
use super::{Cancelled, JobRow, JobState, MOST_OPEN, Share, VIEW, read_view};
use crate::money::book::{Book, Reason};
use crate::money::usage::{Count, Used, UsedFor};
use crate::records::Began;
use crate::tables::Jobs;
use crate::{StoreError, trail};

impl Jobs {
    /// Takes jobs that are due, or whose worker has let its lease end, in the order of [`Share`]. Nobody else has them
    /// until the lease ends.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn claim_jobs(&self, node: &str, share: Share, now: Moment) -> Result<Vec<JobRow>, StoreError> {
        // A look without the writer first: most of the time nothing is due, or nothing that this node may take.
        let due = sqlx::query::<Any>("SELECT 1 FROM job WHERE due_at <= $1 LIMIT 1").bind(now.0);
        if self.database.reader().fetch_optional(due).await?.is_none() {
            return Ok(Vec::new());
        }
        let bounds = (i64::from(share.per_customer), i64::from(share.per_module));
        let takable = format!("SELECT 1 FROM ({BY_TURN}) t LIMIT 1");
        let takable = sqlx::query::<Any>(AssertSqlSafe(takable)).bind(node.to_owned()).bind(now.0);
        if self.database.reader().fetch_optional(takable.bind(bounds.0).bind(bounds.1)).await?.is_none() {
            return Ok(Vec::new());
        }
        let claim = Claim::new(self.database.entropy());
        let lease_until = now.plus(share.lease);
        let (node, text) = (node.to_owned(), claim.to_string());
        let rows = self
            .database.write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = format!(
                        "UPDATE job SET state = 'running', claim = $5, node = $1, due_at = $6, attempt = attempt + 1, \
                         changed_at = $2 WHERE (customer, job) IN (SELECT job.customer, job.job FROM job \
                         JOIN ({BY_TURN}) t ON t.customer = job.customer AND t.job = job.job WHERE job.due_at <= $2 \
                         ORDER BY t.place, t.due_at, t.job LIMIT $7{}) RETURNING customer, job, module, step, \
                         operation, payload, checkpoint, progress, attempt, failures, steps, units, grant_id, site, began_with",
                        tx.dialect.skip_locked_jobs()
                    );
                    let query = sqlx::query::<Any>(AssertSqlSafe(sql)).bind(node).bind(now.0);
                    let query = query.bind(bounds.0).bind(bounds.1).bind(text).bind(lease_until.0);
                    Ok::<_, StoreError>(query.bind(i64::from(share.free)).fetch_all(tx.connection()).await?)
                })
            })
            .await?;
        rows.iter().map(|row| read(row, &claim, lease_until)).collect()
    }

    /// How many jobs of a customer are open, counted up to [`MOST_OPEN`].
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub(crate) async fn open_jobs(&self, customer: &CustomerId) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM job WHERE customer = $1 AND due_at IS NOT NULL LIMIT $2) o";
        let most = i64::try_from(MOST_OPEN).unwrap_or(i64::MAX);
        let row =
            self.database.reader().fetch_optional(sqlx::query::<Any>(sql).bind(customer.as_str()).bind(most)).await?;
        Ok(row.map(|row| row.try_get::<i64, _>(0)).transpose()?.unwrap_or(0).unsigned_abs())
    }

    /// Makes a claim good for longer. False: it is lost.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn renew_job(
        &self,
        customer: &CustomerId,
        job: &JobId,
        claim: &Claim,
        now: Moment,
        lease_until: Moment,
    ) -> Result<bool, StoreError> {
        let (customer, job, claim) = (customer.clone(), job.clone(), claim.clone());
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE job SET due_at = $4 WHERE customer = $1 AND job = $2 AND claim = $3 \
                           AND state = 'running' AND due_at > $5";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str()).bind(claim.as_str());
                    let query = query.bind(lease_until.0).bind(now.0);
                    Ok(query.execute(tx.connection()).await?.rows_affected() == 1)
                })
            })
            .await
    }

    /// Stops a job. A step that runs at this moment commits nothing any more; what earlier steps used is charged.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn cancel_job(&self, customer: &CustomerId, job: &JobId, now: Moment) -> Result<Cancelled, StoreError> {
        let (customer, job) = (customer.clone(), job.clone());
        self.database.write(move |tx| {
            Box::pin(async move {
                let dialect = tx.dialect;
                let connection = tx.connection();
                dialect.lock(connection, std::slice::from_ref(&customer)).await?;
                let sql = "UPDATE job SET state = 'cancelled', claim = NULL, node = NULL, due_at = NULL, changed_at = $3 \
                           WHERE customer = $1 AND job = $2 AND due_at IS NOT NULL RETURNING points, credits, operation, grant_id, site";
                let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str()).bind(now.0);
                let stopped = query.fetch_optional(&mut *connection).await?;
                if let Some(row) = &stopped {
                    let used = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
                    let operation: String = row.try_get("operation")?;
                    let hold = (customer.clone(), job.to_string());
                    let mut book = Book::load(connection, &[(customer.clone(), now)], &[hold]).await?;
                    let reason = Reason::plain(job.as_str(), &operation, now);
                    let charged = book.resolve(&customer, used("points")?, used("credits")?, reason);
                    book.flush(connection).await?;
                    let (points, credits_milli) = charged.unwrap_or_default();
                    let grant = row.try_get::<Option<String>, _>("grant_id")?.map(GrantId::from);
                    let mut used = Used::default();
                    let site: Option<String> = row.try_get("site")?;
                    let what = UsedFor { operation: &operation, grant: grant.as_ref(), site: site.as_deref() };
                    used.add(&customer, &what, now, Count { calls: 0, points, credits_milli });
                    used.flush(connection).await?;
                    trail::append(connection, &cancelled(&customer, &job, &operation, points, now)).await?;
                }
                let query = sqlx::query::<Any>(VIEW).bind(customer.as_str()).bind(job.as_str());
                let view = query.fetch_optional(&mut *connection).await?.as_ref().map(read_view).transpose()?;
                Ok(match view {
                    None => Cancelled::Unknown,
                    Some(view) if stopped.is_some() && view.state == JobState::Cancelled => Cancelled::Stopped(view),
                    Some(view) => Cancelled::Ended(view),
                })
            })
        })
        .await
    }
}

/// The line of the trail that tells of a stopped job.
pub(crate) fn cancelled(customer: &CustomerId, job: &JobId, operation: &str, points: u64, now: Moment) -> Audit {
    Audit {
        at: now,
        customer: customer.clone(),
        detail: json!({ "job": job }),
        event: "job.cancelled".to_owned(),
        grant: None,
        outcome: "ok".to_owned(),
        points,
        request: None,
        subject: operation.to_owned(),
    }
}

fn read(row: &AnyRow, claim: &Claim, lease_until: Moment) -> Result<JobRow, StoreError> {
    Ok(JobRow {
        id: row.try_get::<String, _>("job")?.into(),
        customer: row.try_get::<String, _>("customer")?.into(),
        module: row.try_get("module")?,
        step: row.try_get("step")?,
        operation: row.try_get("operation")?,
        payload: row.try_get("payload")?,
        checkpoint: row.try_get("checkpoint")?,
        progress: row.try_get("progress")?,
        attempt: u32::try_from(row.try_get::<i64, _>("attempt")?).unwrap_or(u32::MAX),
        failures: u32::try_from(row.try_get::<i64, _>("failures")?).unwrap_or(u32::MAX),
        steps: row.try_get::<i64, _>("steps")?.unsigned_abs(),
        claim: claim.clone(),
        lease_until,
        units: row.try_get::<i64, _>("units")?.unsigned_abs(),
        grant: row.try_get::<Option<String>, _>("grant_id")?.map(Into::into),
        site: row.try_get("site")?,
        began: row.try_get::<Option<String>, _>("began_with")?.as_deref().and_then(Began::read),
    })
}
