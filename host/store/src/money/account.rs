//! What a run does to its customer's own account: committed with everything else that the run leaves.
//!
//! What moves points or credits is decided in memory with the ledger, in `calls/group/decide.rs`; the rest is written here.

use model::budget::Budget;
use model::clock::Moment;
use model::id::{CustomerId, GrantId, JobId, OrderId};
use sqlx::{Any, AnyConnection};

use crate::StoreError;
use crate::identity::notices::Wish;
use crate::identity::{grants, notices};
use crate::money::invoices::Invoice;
use crate::money::subscriptions::Subscription;
use crate::money::{budgets, orders};

/// One of them.
#[derive(Clone, Debug)]
pub enum AccountChange {
    /// A grant ends, with all its tokens.
    EndGrant(GrantId),
    /// A job stops; what its steps have used is charged, the rest given back.
    CancelJob(SeenJob),
    /// A cap on spending is put, changed, or taken away.
    SetBudget(Budget),
    /// Credits are ordered.
    PlaceOrder {
        /// What is ordered.
        order: OrderId,
        /// How many.
        credits: u64,
        /// What is to be paid.
        invoice: Invoice,
    },
    /// So many credits become points.
    BuyPoints {
        /// Whole credits.
        credits: u64,
    },
    /// Another plan is chosen.
    ChangePlan {
        /// From when on.
        choice: Subscription,
        /// What is to be paid for it now.
        invoice: Option<Invoice>,
    },
    /// Whoever wishes so is told when jobs end; none: not any more.
    WishNotices(Option<Wish>),
    /// The blobs of a module under these beginnings of keys go.
    DropBlobs {
        /// The module.
        module: String,
        /// What the keys begin with; never empty.
        prefixes: Vec<String>,
    },
}

/// A job as it was when it was decided to stop it. When it has moved on since, nothing is committed.
#[derive(Clone, Debug)]
pub struct SeenJob {
    /// The job.
    pub job: JobId,
    /// The operation that started it.
    pub operation: String,
    /// The grant of the call that started it.
    pub grant: Option<GrantId>,
    /// For which website.
    pub site: Option<String>,
    /// Steps that were committed.
    pub steps: u64,
    /// Points of all its steps.
    pub points: u64,
    /// Thousandths of a credit of all its steps.
    pub credits_milli: u64,
}

impl AccountChange {
    /// Writes it for one customer, after the ledger.
    pub(crate) async fn apply(
        &self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        now: Moment,
    ) -> Result<(), StoreError> {
        match self {
            AccountChange::EndGrant(grant) => {
                grants::end(connection, grant, grants::Ended::Revoked, now).await.map(drop)
            }
            AccountChange::CancelJob(seen) => cancel(connection, customer, &seen.job, now).await,
            AccountChange::SetBudget(budget) => budgets::write(connection, customer, budget, now).await,
            AccountChange::PlaceOrder { order, credits, invoice } => {
                orders::insert(connection, customer, order, *credits, now).await?;
                invoice.insert(connection, customer).await
            }
            // The ledger has done it.
            AccountChange::BuyPoints { .. } => Ok(()),
            AccountChange::ChangePlan { choice, invoice } => {
                choice.insert(connection, customer).await?;
                match invoice {
                    Some(invoice) => invoice.insert(connection, customer).await,
                    None => Ok(()),
                }
            }
            AccountChange::WishNotices(wish) => notices::wish(connection, customer, wish.as_ref()).await,
            AccountChange::DropBlobs { module, prefixes } => drop_blobs(connection, customer, module, prefixes).await,
        }
    }
}

async fn cancel(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    job: &JobId,
    now: Moment,
) -> Result<(), StoreError> {
    let sql = "UPDATE job SET state = 'cancelled', claim = NULL, node = NULL, due_at = NULL, changed_at = $3 \
               WHERE customer = $1 AND job = $2 AND due_at IS NOT NULL";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str()).bind(now.0);
    match query.execute(connection).await?.rows_affected() {
        1 => Ok(()),
        _ => Err(StoreError::Inconsistent("a job that somebody else has ended")),
    }
}

async fn drop_blobs(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    module: &str,
    prefixes: &[String],
) -> Result<(), StoreError> {
    for prefix in prefixes {
        // Keys are compared by their bytes, and none holds the last letter there is.
        let end = format!("{prefix}\u{10ffff}");
        let sql = "DELETE FROM blob WHERE customer = $1 AND module = $2 AND key >= $3 AND key < $4";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module).bind(prefix.as_str());
        query.bind(end).execute(&mut *connection).await?;
    }
    Ok(())
}
