//! Intents: searches by goal, and what a search led to.

use std::time::Duration;

use model::clock::Moment;
use model::id::{CustomerId, GrantId, IntentRef};
use sqlx::Any;

use crate::{Store, StoreError};

/// How long a search is kept to learn from, used or not.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// One search.
#[derive(Clone, Debug)]
pub struct Intent {
    /// What the client keeps.
    pub reference: IntentRef,
    /// Whose it is.
    pub customer: CustomerId,
    /// The only grant that can use it.
    pub grant: GrantId,
    /// The goal in words, without credentials.
    pub query: Option<String>,
    /// The operation that was offered first.
    pub best: Option<String>,
    /// When.
    pub at: Moment,
    /// The last moment at which the reference can be used.
    pub expires_at: Moment,
}

/// What an intent was used for.
#[derive(Clone, Debug)]
pub struct IntentLink {
    /// Whose it is.
    pub customer: CustomerId,
    /// Which search.
    pub reference: IntentRef,
    /// `contract`.
    pub what: &'static str,
    /// The operation.
    pub subject: String,
    /// When.
    pub at: Moment,
}

impl Store {
    /// Keeps a search, and forgets those that are too old to learn from.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn add_intent(&self, intent: Intent) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                let too_old = intent.at.0.saturating_sub(i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX));
                for sql in ["DELETE FROM intent WHERE created_at < $1", "DELETE FROM intent_link WHERE at < $1"] {
                    sqlx::query::<Any>(sql).bind(too_old).execute(tx.connection()).await?;
                }
                let sql = "INSERT INTO intent (customer, intent, grant_id, query, best, created_at, expires_at) \
                           VALUES ($1, $2, $3, $4, $5, $6, $7)";
                sqlx::query::<Any>(sql)
                    .bind(intent.customer.as_str())
                    .bind(intent.reference.as_str())
                    .bind(intent.grant.as_str())
                    .bind(intent.query)
                    .bind(intent.best)
                    .bind(intent.at.0)
                    .bind(intent.expires_at.0)
                    .execute(tx.connection())
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Whether the reference is this grant's own and can still be used.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn intent_lives(
        &self,
        customer: &CustomerId,
        grant: &GrantId,
        reference: &IntentRef,
        now: Moment,
    ) -> Result<bool, StoreError> {
        let sql = "SELECT intent FROM intent WHERE customer = $1 AND intent = $2 AND grant_id = $3 AND expires_at > $4";
        let query =
            sqlx::query::<Any>(sql).bind(customer.as_str()).bind(reference.as_str()).bind(grant.as_str()).bind(now.0);
        Ok(self.reader().fetch_optional(query).await?.is_some())
    }

    /// Notes what a search led to.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn link_intent(&self, link: IntentLink) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO intent_link (customer, intent, at, what, subject) VALUES ($1, $2, $3, $4, $5)";
                sqlx::query::<Any>(sql)
                    .bind(link.customer.as_str())
                    .bind(link.reference.as_str())
                    .bind(link.at.0)
                    .bind(link.what)
                    .bind(link.subject)
                    .execute(tx.connection())
                    .await?;
                Ok(())
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests;
