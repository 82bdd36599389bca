//! Refunds: the native price of a job that has ended goes back in part or in whole, once.

use std::collections::HashSet;

use model::audit::Audit;
use model::clock::Moment;
use model::id::{CustomerId, GrantId, JobId};
use serde_json::json;
use sqlx::{Any, AnyConnection, Row as _};

use crate::database::rows::Column::Text;
use crate::database::rows::Listed;
use crate::{Store, StoreError};

const GIVEN: Listed = Listed {
    before: "SELECT customer, transfer FROM transfer WHERE (customer, transfer) IN (",
    columns: &[Text, Text],
    after: ")",
};

/// What a job was charged, and whether any of it went back.
#[derive(Clone, Debug)]
pub struct Refundable {
    /// The job.
    pub job: JobId,
    /// The operation that started it: its contract has the price.
    pub operation: String,
    /// Whether it has ended; before that nothing was charged.
    pub ended: bool,
    /// Whether it was refunded before.
    pub refunded: bool,
    charged_milli: u64,
    grant: Option<GrantId>,
    site: Option<String>,
    began: Moment,
}

/// What goes back of a job's price.
#[derive(Clone, Debug)]
pub(crate) struct Refund {
    pub(crate) job: JobId,
    pub(crate) operation: String,
    pub(crate) credits_milli: u64,
    pub(crate) grant: Option<GrantId>,
    pub(crate) site: Option<String>,
    /// When the job began: a cap on spending counted the price then.
    pub(crate) began: Moment,
}

impl Refund {
    /// Up to this many thousandths of a credit, and never more than was charged.
    pub(crate) fn of(refundable: Refundable, credits_milli: u64) -> Self {
        let Refundable { job, operation, charged_milli, grant, site, began, .. } = refundable;
        Self { job, operation, credits_milli: credits_milli.min(charged_milli), grant, site, began }
    }

    /// Its transfer. One for each job, so that nothing goes back twice.
    pub(crate) fn transfer(&self) -> String {
        transfer(&self.job)
    }

    /// The line of the trail that tells of it.
    pub(crate) fn line(&self, customer: &CustomerId, now: Moment) -> Audit {
        Audit {
            at: now,
            customer: customer.clone(),
            detail: json!({ "transfer": self.transfer() }),
            event: "customer.refunded".to_owned(),
            grant: None,
            outcome: "ok".to_owned(),
            points: 0,
            request: None,
            subject: self.operation.clone(),
        }
    }
}

fn transfer(job: &JobId) -> String {
    format!("{job}:refund")
}

/// Which of these jobs were refunded, by the names of their transfers.
pub(crate) async fn given(
    connection: &mut AnyConnection,
    refunds: &[(CustomerId, String)],
) -> Result<HashSet<(CustomerId, String)>, StoreError> {
    let rows = GIVEN.fetch(connection, refunds, |refund| refund).await?;
    let given = rows.iter().map(|row| Ok((row.try_get::<String, _>("customer")?.into(), row.try_get("transfer")?)));
    given.collect()
}

/// What can be given back of a job of one module.
pub(crate) async fn refundable(
    store: &Store,
    customer: &CustomerId,
    module: &str,
    job: &JobId,
) -> Result<Option<Refundable>, StoreError> {
    let sql = "SELECT j.operation, j.due_at, j.grant_id, j.site, j.created_at, COALESCE(c.amount, 0) AS charged, \
               CASE WHEN r.transfer IS NULL THEN 0 ELSE 1 END AS refunded FROM job j \
               LEFT JOIN transfer c ON c.customer = j.customer AND c.transfer = $4 AND c.kind = 'post' \
               LEFT JOIN transfer r ON r.customer = j.customer AND r.transfer = $5 \
               WHERE j.customer = $1 AND j.job = $2 AND j.module = $3";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str()).bind(module);
    let query = query.bind(format!("{job}:hold:c!")).bind(transfer(job));
    let Some(row) = store.database.reader().fetch_optional(query).await? else { return Ok(None) };
    Ok(Some(Refundable {
        job: job.clone(),
        operation: row.try_get("operation")?,
        ended: row.try_get::<Option<i64>, _>("due_at")?.is_none(),
        refunded: row.try_get::<i64, _>("refunded")? != 0,
        charged_milli: row.try_get::<i64, _>("charged")?.unsigned_abs(),
        grant: row.try_get::<Option<String>, _>("grant_id")?.map(Into::into),
        site: row.try_get("site")?,
        began: Moment(row.try_get("created_at")?),
    }))
}

#[cfg(test)]
mod tests;
