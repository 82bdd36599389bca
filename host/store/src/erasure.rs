//! Forgetting a person: everything of theirs goes but what the books and the trail need, and those name nobody.
//!
//! The ledger and the trail stay, because the one has to balance and the other has to be whole. They hold opaque ids,
//! amounts, operations and outcomes; what a person said, made or is called is never in them. The one exception, hosts
//! that a guest was refused, is there as a salted commitment whose salt goes with the person. Which customer an id was
//! is written in the customer's row only, and that is emptied.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, AssertSqlSafe, Row as _};

use crate::book::{Book, Reason};
use crate::{Store, StoreError};

/// Tables of which no row of the customer stays.
const ERASED: [&str; 16] = [
    "answer",
    "record",
    "record_index",
    "blob",
    "blob_content",
    "cache",
    "job",
    "usage_day",
    "budget",
    "session",
    "identity",
    "intent",
    "intent_link",
    "feedback",
    "credit_order",
    "audit_disclosure",
];

/// Tables whose rows stay, without a person to them.
#[cfg(test)]
const KEPT: [&str; 9] = [
    "account",
    "transfer",
    "hold",
    "audit",
    "audit_head",
    "checkpoint_leaf",
    "checkpoint_head",
    "customer",
    "access_grant",
];

impl Store {
    /// Forgets the person: gives back what is held, ends every grant and removes what they made, all at once.
    /// False: no such customer, or erased before.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing was removed.
    pub async fn erase(&self, id: CustomerId, now: Moment) -> Result<bool, StoreError> {
        self.write_patiently(move |tx| {
            Box::pin(async move {
                let dialect = tx.dialect;
                let connection = tx.connection();
                dialect.lock(connection, std::slice::from_ref(&id)).await?;
                let sql = "UPDATE customer SET email = 'erased:' || customer, password = NULL, erased_at = $2 \
                           WHERE customer = $1 AND erased_at IS NULL";
                let update = sqlx::query::<Any>(sql).bind(id.as_str()).bind(now.0);
                if update.execute(&mut *connection).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                // A job that goes would hold its points for ever.
                let holds = sqlx::query::<Any>("SELECT hold FROM hold WHERE customer = $1").bind(id.as_str());
                for row in holds.fetch_all(&mut *connection).await? {
                    let hold: String = row.try_get(0)?;
                    let wanted = [(id.clone(), hold.clone())];
                    let mut book = Book::load(connection, &[(id.clone(), now)], &wanted).await?;
                    let _none = book.resolve(&id, 0, 0, Reason::plain(&hold, "erased", now));
                    book.flush(connection).await?;
                }
                for secrets in ["code", "token"] {
                    let sql = format!(
                        "DELETE FROM {secrets} WHERE grant_id IN (SELECT grant_id FROM access_grant WHERE customer = $1)"
                    );
                    sqlx::query::<Any>(AssertSqlSafe(sql)).bind(id.as_str()).execute(&mut *connection).await?;
                }
                for table in ERASED {
                    let sql = format!("DELETE FROM {table} WHERE customer = $1");
                    sqlx::query::<Any>(AssertSqlSafe(sql)).bind(id.as_str()).execute(&mut *connection).await?;
                }
                let sql = "UPDATE access_grant SET name = '', ended_at = COALESCE(ended_at, $2), \
                           ended_because = COALESCE(ended_because, 'erased') WHERE customer = $1";
                sqlx::query::<Any>(sql).bind(id.as_str()).bind(now.0).execute(&mut *connection).await?;
                Ok(true)
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};
    use crate::migrate;

    #[test]
    fn every_table_of_customers_is_erased_or_kept_on_purpose() {
        let known: Vec<&str> = ERASED.iter().chain(&KEPT).copied().collect();
        for (table, columns) in migrate::tables() {
            let is_customers = columns.iter().any(|column| column == "customer");
            assert_eq!(is_customers, known.contains(&table.as_str()), "{table} {columns:?}");
        }
    }

    #[tokio::test]
    async fn what_was_held_is_given_back_and_the_books_and_the_trail_stay_whole() {
        let fixture = fixture().await;
        fixture.store.credit(&fixture.customer, 5_000, "gift").await.unwrap();
        fixture.store.settle(fixture.call("req_1", 3)).await.unwrap();
        assert!(fixture.store.erase(fixture.customer.clone(), NOON).await.unwrap());
        assert!(!fixture.store.erase(fixture.customer.clone(), NOON).await.unwrap());
        assert_eq!(fixture.store.verify_ledger().await.unwrap(), []);
        assert_eq!(fixture.store.verify_audit().await.unwrap(), []);
        assert_eq!(fixture.store.customer(&fixture.customer).await.unwrap().unwrap().email, "");
    }
}
