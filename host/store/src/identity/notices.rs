//! Notices: a customer who wishes so is told when a job ends, by a job of the module that they told so.

use model::clock::Moment;
use model::id::{CustomerId, JobId, base32};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, AnyConnection};

use crate::StoreError;
use crate::jobs::{self, JobView, Next};
use crate::records::{RecordsError, Workspace};
use crate::tables::Identity;

/// Something to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Whose.
    pub customer: CustomerId,
    /// What it is about; told once for each.
    pub about: String,
    /// The payload of the job that tells it: a JSON object.
    pub payload: Value,
}

/// Which step of which module tells a customer's notices, as if this operation had started it.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The module.
    pub module: String,
    /// The step.
    pub step: String,
    /// The operation.
    pub operation: String,
}

impl Notice {
    /// That a job has ended; none while it has not.
    pub(crate) fn of(
        customer: &CustomerId,
        job: &JobId,
        operation: &str,
        site: Option<&str>,
        next: &Next,
        now: Moment,
    ) -> Option<Self> {
        let (kind, severity, fault) = match next {
            Next::Done { .. } => ("job_succeeded", "info", None),
            Next::Failed { fault } => ("job_failed", "warning", serde_json::from_str::<Value>(fault).ok()),
            Next::Continue { .. } | Next::Retry { .. } | Next::Wait { .. } => return None,
        };
        let code = fault.as_ref().and_then(|fault| fault.get("code")).cloned();
        let payload = json!({
            "kind": kind,
            "severity": severity,
            "at": now.0,
            "operation_id": operation,
            "job_ref": job,
            "site_id": site,
            "code": code,
        });
        Some(Self { customer: customer.clone(), about: job.to_string(), payload })
    }

    /// The job that tells it.
    fn job(&self) -> JobId {
        let digest = Sha256::digest(format!("notice:{}", self.about).as_bytes());
        JobId::from(format!("job_{}", base32(&digest[..16])))
    }

    /// Starts the job that tells it, where the customer wishes to be told and it is not about such a job itself.
    pub(crate) async fn insert(&self, connection: &mut AnyConnection, now: Moment) -> Result<(), StoreError> {
        let job = self.job();
        let sql = "INSERT INTO job (customer, job, module, step, operation, payload, state, progress, attempt, due_at, \
                   units, points, credits, created_at, changed_at) \
                   SELECT customer, $2, module, step, operation, $3, 'queued', '{}', 0, $4, 0, 0, 0, $4, $4 \
                   FROM notice_wish WHERE customer = $1 AND operation <> $5 ON CONFLICT (customer, job) DO NOTHING";
        let operation = self.payload.get("operation_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let query =
            sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(job.to_string()).bind(self.payload.to_string());
        query.bind(now.0).bind(operation).execute(connection).await?;
        Ok(())
    }
}

/// Writes that a customer wishes to be told, or no longer does.
pub(crate) async fn wish(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    wish: Option<&Wish>,
) -> Result<(), StoreError> {
    let Some(Wish { module, step, operation }) = wish else {
        let sql = "DELETE FROM notice_wish WHERE customer = $1";
        sqlx::query::<Any>(sql).bind(customer.as_str()).execute(connection).await?;
        return Ok(());
    };
    let sql = "INSERT INTO notice_wish (customer, module, step, operation) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (customer) DO UPDATE SET module = excluded.module, step = excluded.step, \
               operation = excluded.operation";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module.as_str()).bind(step.as_str());
    query.bind(operation.as_str()).execute(connection).await?;
    Ok(())
}

impl Identity {
    /// Tells something, where the customer wishes to be told.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn tell(&self, notice: Notice, now: Moment) -> Result<(), StoreError> {
        self.database.write(move |tx| Box::pin(async move { notice.insert(tx.connection(), now).await })).await
    }
}

impl Workspace {
    /// Wants something of this module's told, once for what it is about.
    pub fn tell(&mut self, about: &str, payload: Value) {
        self.count_written(about.len() + payload.to_string().len());
        let notice = self.noticed(about, payload);
        self.notices.push(notice);
    }

    /// The job that tells what this module has told about this; none where the customer does not wish to be told, or
    /// nothing was told.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn notice(&mut self, about: &str) -> Result<Option<JobView>, RecordsError> {
        self.count_read(1);
        let job = self.noticed(about, Value::Null).job();
        Ok(jobs::view(&self.store.database, &self.customer, None, &job).await?)
    }

    fn noticed(&self, about: &str, payload: Value) -> Notice {
        Notice { customer: self.customer.clone(), about: format!("{}:{about}", self.schema.module), payload }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};
    use crate::{JobFilter, JobHold};

    #[tokio::test]
    async fn who_wishes_is_told_once_of_each_job_and_nobody_else_is() {
        let fixture = fixture().await;
        let job = fixture.start_job("req_1", JobHold { points: 1, credits_milli: 0 }).await;
        let done = Next::Done { result: "{}".to_owned(), progress: "{}".to_owned() };
        let told = |operation: &str| Notice::of(&fixture.customer, &job, operation, None, &done, NOON).unwrap();
        let jobs = async || {
            let all = JobFilter::default();
            fixture.store.jobs.list_jobs(&fixture.customer, &all, None, 9).await.unwrap().len()
        };
        fixture.store.identity.tell(told("authors.list"), NOON).await.unwrap();
        assert_eq!(jobs().await, 1, "nobody wished to be told");
        let customer = fixture.customer.clone();
        let wished = fixture.store.database.write(move |tx| {
            Box::pin(async move {
                let it = Wish { module: "account".into(), step: "notify".into(), operation: "account.x".into() };
                wish(tx.connection(), &customer, Some(&it)).await
            })
        });
        wished.await.unwrap();
        for _ in 0..2 {
            fixture.store.identity.tell(told("authors.list"), NOON).await.unwrap();
        }
        assert_eq!(jobs().await, 2);
        let own = Notice { about: "other".to_owned(), ..told("account.x") };
        fixture.store.identity.tell(own, NOON).await.unwrap();
        assert_eq!(jobs().await, 2, "what tells is not told of");
        let mut workspace = fixture.workspace();
        workspace.tell("fever", json!({ "kind": "alert" }));
        fixture.commit(workspace, "req_2").await.unwrap();
        let mut workspace = fixture.workspace();
        let told = workspace.notice("fever").await.unwrap().unwrap();
        assert_eq!((told.state, jobs().await), (crate::JobState::Queued, 3));
        assert_eq!(workspace.notice("cough").await.unwrap(), None);
        workspace.tell("fever", json!({ "kind": "alert" }));
        fixture.commit(workspace, "req_3").await.unwrap();
        assert_eq!(jobs().await, 3, "once for what it is about");
        let waits = Next::Wait { run_after: NOON };
        assert!(Notice::of(&fixture.customer, &job, "authors.list", None, &waits, NOON).is_none());
    }
}
