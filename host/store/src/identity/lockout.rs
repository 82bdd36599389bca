//! Ending all access of a customer at once, after a theft.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::Any;

use crate::StoreError;
use crate::identity::grants::Ended;
use crate::tables::Identity;

/// How much access was ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndedAccess {
    /// Apps and tokens made by hand.
    pub grants: u64,
    /// Browsers that were signed in.
    pub sessions: u64,
    /// Public addresses of the customer's data.
    pub shares: u64,
}

impl Identity {
    /// Ends every grant, session and share of a customer, all of them or none. The customer may sign in again.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn end_access(&self, customer: CustomerId, now: Moment) -> Result<EndedAccess, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let grants = "UPDATE access_grant SET ended_at = $2, ended_because = $3 \
                              WHERE customer = $1 AND ended_at IS NULL";
                    let grants = sqlx::query::<Any>(grants).bind(customer.as_str()).bind(now.0);
                    let grants = grants.bind(Ended::Revoked.as_str()).execute(tx.connection()).await?;
                    let sessions = sqlx::query::<Any>("DELETE FROM session WHERE customer = $1 AND expires_at > $2");
                    let sessions = sessions.bind(customer.as_str()).bind(now.0).execute(tx.connection()).await?;
                    let shares = "UPDATE share SET ended_at = $2 \
                              WHERE customer = $1 AND ended_at IS NULL AND expires_at > $2";
                    let shares = sqlx::query::<Any>(shares).bind(customer.as_str()).bind(now.0);
                    let shares = shares.execute(tx.connection()).await?;
                    Ok(EndedAccess {
                        grants: grants.rows_affected(),
                        sessions: sessions.rows_affected(),
                        shares: shares.rows_affected(),
                    })
                })
            })
            .await
    }
}
