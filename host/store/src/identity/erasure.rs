//! Forgetting a person: everything of theirs goes but what the books and the trail need, and those name nobody.
//!
//! The ledger and the trail stay, because the one has to balance and the other has to be whole. They hold opaque ids,
//! amounts, operations and outcomes; what a person said, made or is called is never in them. The one exception, hosts
//! that a guest was refused, is there as a salted commitment whose salt goes with the person. Which customer an id was
//! is written in the customer's row only, and that is emptied.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, AssertSqlSafe, Row as _};

use crate::money::book::{Book, Reason};
use crate::tables::Identity;
use crate::{StoreError, Tx};

/// How long something may go on that began before, in milliseconds: far longer than any call or step.
const UNDER_WAY: i64 = 60 * 60 * 1000;

/// Tables of which no row of the customer stays.
const ERASED: [&str; 43] = [
    "answer",
    "claim",
    "send",
    "record",
    "record_index",
    "record_key",
    "record_unkeyed",
    "blob",
    "blob_content",
    "cache",
    "web_answer",
    "job",
    "connection",
    "connection_secret",
    "connection_spending",
    "spending_noted",
    "connection_usage",
    "consent",
    "refresh_turn",
    "usage_day",
    "usage_site",
    "subscription",
    "schedule",
    "notice_wish",
    "budget",
    "session",
    "identity",
    "intent",
    "intent_link",
    "feedback",
    "credit_order",
    "audit_disclosure",
    "upload",
    "upload_chunk",
    "link",
    "link_day",
    "link_hit",
    "share",
    "recipient",
    "recipient_token",
    "unsubscribe_token",
    "unsubscribed",
    "transcript",
];

/// Tables whose rows stay, without a person to them.
#[cfg(test)]
const KEPT: [&str; 10] = [
    "account",
    "transfer",
    "hold",
    "audit",
    "audit_head",
    "checkpoint_leaf",
    "checkpoint_head",
    "customer",
    "invoice",
    "access_grant",
];

impl Identity {
    /// Forgets the person: gives back what is held, ends every grant and removes what they made, all at once.
    /// False: no such customer, or erased before.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing was removed.
    pub async fn erase(&self, id: CustomerId, now: Moment) -> Result<bool, StoreError> {
        self.database
            .write_patiently(move |tx| {
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
                    forget(tx, &id, now).await?;
                    let connection = tx.connection();
                    let sql = "UPDATE access_grant SET name = '', ended_at = COALESCE(ended_at, $2), \
                           ended_because = COALESCE(ended_because, 'erased') WHERE customer = $1";
                    sqlx::query::<Any>(sql).bind(id.as_str()).bind(now.0).execute(&mut *connection).await?;
                    let sql = "UPDATE invoice SET reference = NULL WHERE customer = $1";
                    sqlx::query::<Any>(sql).bind(id.as_str()).execute(&mut *connection).await?;
                    Ok(true)
                })
            })
            .await
    }
}

impl Identity {
    /// Removes what calls and steps left behind that were under way when their customer was forgotten.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sweep_erased(&self, now: Moment) -> Result<(), StoreError> {
        let query = sqlx::query::<Any>("SELECT customer FROM customer WHERE erased_at > $1").bind(now.0 - UNDER_WAY);
        for row in self.database.reader().fetch_all(query).await? {
            let id = CustomerId::from(row.try_get::<String, _>(0)?);
            self.database
                .write_patiently(move |tx| {
                    Box::pin(async move {
                        let dialect = tx.dialect;
                        dialect.lock(tx.connection(), std::slice::from_ref(&id)).await?;
                        forget(tx, &id, now).await
                    })
                })
                .await?;
        }
        Ok(())
    }
}

/// Gives back what is held, and removes the rows that are the customer's own. The customer is locked.
async fn forget(tx: &mut Tx, id: &CustomerId, now: Moment) -> Result<(), StoreError> {
    let connection = tx.connection();
    // A job that goes would hold its points for ever.
    let holds = sqlx::query::<Any>("SELECT hold FROM hold WHERE customer = $1").bind(id.as_str());
    for row in holds.fetch_all(&mut *connection).await? {
        let hold: String = row.try_get(0)?;
        let wanted = [(id.clone(), hold.clone())];
        let mut book = Book::load(connection, &[(id.clone(), now)], &wanted).await?;
        let _none = book.resolve(id, 0, 0, Reason::plain(&hold, "erased", now));
        book.flush(connection).await?;
    }
    for secrets in ["code", "token"] {
        let sql =
            format!("DELETE FROM {secrets} WHERE grant_id IN (SELECT grant_id FROM access_grant WHERE customer = $1)");
        sqlx::query::<Any>(AssertSqlSafe(sql)).bind(id.as_str()).execute(&mut *connection).await?;
    }
    for table in ERASED {
        let sql = format!("DELETE FROM {table} WHERE customer = $1");
        sqlx::query::<Any>(AssertSqlSafe(sql)).bind(id.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::migrate;
    use crate::fixture::{NOON, answer, fixture};

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
        fixture.store.money.credit(&fixture.customer, 5_000, "gift").await.unwrap();
        fixture.store.calls.settle(fixture.call("req_1", 3)).await.unwrap();
        assert!(fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap());
        assert!(!fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap());
        assert_eq!(fixture.store.money.verify_ledger().await.unwrap(), []);
        assert_eq!(fixture.store.trail.verify_audit().await.unwrap(), []);
        assert_eq!(fixture.store.identity.customer(&fixture.customer).await.unwrap().unwrap().email, "");
    }

    #[tokio::test]
    async fn what_a_call_wrote_that_was_under_way_is_removed_by_the_next_sweep() {
        let fixture = fixture().await;
        fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap();
        let late = crate::Settlement { answer: Some(answer("key-of-a-late-call", "same")), ..fixture.call("req_1", 1) };
        fixture.store.calls.settle(late).await.unwrap();
        let found = || fixture.store.calls.earlier(&fixture.customer, "key-of-a-late-call");
        assert!(found().await.unwrap().is_some());
        fixture.store.identity.sweep_erased(NOON).await.unwrap();
        assert!(found().await.unwrap().is_none());
        assert_eq!(fixture.store.money.verify_ledger().await.unwrap(), []);
    }
}
