//! Intents: searches by goal, and what a search led to. They are written with the read that they belong to (`noted.rs`)
//! and are taken away by the sweep.

use model::clock::Moment;
use model::id::{CustomerId, GrantId, IntentRef};
use sqlx::Any;

use crate::StoreError;
use crate::tables::Calls;

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

impl Calls {
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
        Ok(self.database.reader().fetch_optional(query).await?.is_some())
    }
}

#[cfg(test)]
mod tests;
