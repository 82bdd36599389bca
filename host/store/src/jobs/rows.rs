//! Job rows, written with the call that starts a job and with every step.

use model::clock::Moment;
use model::id::{Claim, CustomerId, GrantId, RequestId};
use sqlx::{Any, AnyConnection, AssertSqlSafe};

use super::{Next, StepSettlement};
use crate::StoreError;
use crate::calls::group::Starter;
use crate::database::mutant::{self, Mutant};
use crate::database::rows::{Column, Listed};
use crate::records::changes::NewJob;

const STARTED: Listed = Listed {
    before: "INSERT INTO job (customer, job, module, step, operation, payload, state, progress, attempt, due_at, \
             units, points, credits, grant_id, request, site, result_arguments, began_with, background, created_at, changed_at) ",
    columns: &[
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Same("'queued'"),
        Column::Same("'{}'"),
        Column::Same("0"),
        Column::Whole,
        Column::Same("0"),
        Column::Same("0"),
        Column::Same("0"),
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Text,
        Column::Whole,
        Column::Whole,
        Column::Whole,
    ],
    after: "",
};

/// A job that starts.
pub(crate) struct JobInsert {
    customer: CustomerId,
    operation: String,
    grant: Option<GrantId>,
    request: Option<RequestId>,
    site: Option<String>,
    module: String,
    job: NewJob,
    now: Moment,
}

impl JobInsert {
    pub(crate) fn of(starter: &Starter<'_>, module: &str, job: &NewJob, now: Moment) -> Self {
        Self {
            customer: starter.customer.clone(),
            operation: starter.operation.to_owned(),
            grant: starter.grant.cloned(),
            request: starter.request.cloned(),
            site: starter.site.map(str::to_owned),
            module: module.to_owned(),
            job: job.clone(),
            now,
        }
    }
}

/// Writes jobs that start; they are due at once.
pub(crate) async fn insert(connection: &mut AnyConnection, jobs: &[JobInsert]) -> Result<(), StoreError> {
    STARTED
        .execute(connection, jobs, |row| {
            let JobInsert { customer, operation, grant, request, site, module, job, now } = row;
            let NewJob { id, step, payload, created_at, result_arguments, began_with, background } = job;
            (
                customer,
                id,
                module,
                step,
                operation,
                payload,
                now,
                grant,
                request,
                site,
                result_arguments,
                began_with,
                u64::from(*background),
                created_at,
                now,
            )
        })
        .await?;
    Ok(())
}

/// What a step changes of its job.
pub(crate) struct StepUpdate {
    customer: CustomerId,
    job: String,
    claim: Claim,
    step: i64,
    state: &'static str,
    /// None: stays.
    checkpoint: Option<String>,
    /// None: stays.
    progress: Option<String>,
    outcome: Option<String>,
    due_at: Option<Moment>,
    attempts: Attempts,
    totals: [i64; 3],
    now: Moment,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempts {
    /// There is no other step.
    Over,
    /// The one that was made failed.
    Failed,
    /// The one that was made does not count.
    GivenBack,
    /// The next step starts to count.
    Begun,
}

impl StepUpdate {
    pub(crate) fn of(step: &StepSettlement) -> Self {
        let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let mut update = Self {
            customer: step.customer.clone(),
            job: step.job.to_string(),
            claim: step.claim.clone(),
            step: whole(step.step),
            state: "waiting",
            checkpoint: None,
            progress: None,
            outcome: None,
            due_at: None,
            attempts: Attempts::Over,
            totals: [whole(step.units_total), whole(step.points_total), whole(step.credits_milli_total)],
            now: step.now,
        };
        match &step.next {
            Next::Continue { checkpoint, progress, run_after } => {
                update.checkpoint = Some(checkpoint.clone());
                update.progress = Some(progress.clone());
                update.due_at = Some(*run_after);
                update.attempts = Attempts::Begun;
            }
            Next::Retry { run_after } => {
                update.due_at = Some(*run_after);
                update.attempts = Attempts::Failed;
            }
            Next::Wait { run_after } => {
                update.due_at = Some(*run_after);
                update.attempts = Attempts::GivenBack;
            }
            Next::Done { result, progress } => {
                update.state = "succeeded";
                update.progress = Some(progress.clone());
                update.outcome = Some(result.clone());
            }
            Next::Failed { fault } => {
                update.state = "failed";
                update.outcome = Some(fault.clone());
            }
        }
        update
    }
}

/// Moves jobs on after a step each, as long as their claims are the stored ones.
pub(crate) async fn advance(connection: &mut AnyConnection, steps: &[StepUpdate]) -> Result<(), StoreError> {
    let fence = if mutant::is(Mutant::Fence) { "$14 = $14" } else { "claim = $14 AND state = 'running'" };
    let sql = format!(
        "UPDATE job SET state = $3, checkpoint = COALESCE($4, checkpoint), progress = COALESCE($5, progress), \
               outcome = $6, due_at = $7, attempt = attempt * $8 - $13, failures = failures * $8 + $16, units = $9, points = $10, credits = $11, \
               changed_at = $12, steps = $15, claim = NULL, node = NULL WHERE customer = $1 AND job = $2 AND {fence}"
    );
    for step in steps {
        let [units, points, credits] = step.totals;
        let moved = sqlx::query::<Any>(AssertSqlSafe(sql.clone()))
            .bind(step.customer.as_str())
            .bind(step.job.as_str())
            .bind(step.state)
            .bind(step.checkpoint.as_deref())
            .bind(step.progress.as_deref())
            .bind(step.outcome.as_deref())
            .bind(step.due_at.map(|at| at.0))
            .bind(i64::from(step.attempts != Attempts::Begun))
            .bind(units)
            .bind(points)
            .bind(credits)
            .bind(step.now.0)
            .bind(i64::from(step.attempts == Attempts::GivenBack))
            .bind(step.claim.as_str())
            .bind(step.step)
            .bind(i64::from(step.attempts == Attempts::Failed))
            .execute(&mut *connection)
            .await?;
        if moved.rows_affected() != 1 {
            return Err(StoreError::Inconsistent("a job that somebody else has moved on"));
        }
    }
    Ok(())
}
