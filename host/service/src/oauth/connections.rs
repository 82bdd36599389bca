//! What a customer has let in, and letting it out again.

use std::time::Duration;

use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use store::identity::customers::Customer;
use store::identity::grants::{Ended, StoredGrant};
use store::{Balance, BuyError, StoreError};

use crate::oauth::Authority;

/// How long an ended grant is still shown, with why it ended.
const SHOWN: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl Authority {
    /// One customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn customer(&self, customer: &CustomerId) -> Result<Option<Customer>, StoreError> {
        self.store().identity.customer(customer).await
    }

    /// Points and credits as they stand.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn balance(&self, customer: &CustomerId) -> Result<Balance, StoreError> {
        self.store().money.balance(customer, self.clock().now()).await
    }

    /// Turns credits into points, a thousand for each. The same reference buys once.
    ///
    /// # Errors
    /// Says what is missing.
    pub async fn buy_points(&self, customer: &CustomerId, credits: u64, reference: &str) -> Result<bool, BuyError> {
        self.store().money.buy_points(customer, credits, reference).await
    }

    /// Connected applications and tokens made by hand, newest first; those that ended in the last thirty days too.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn connections(&self, customer: &CustomerId) -> Result<Vec<StoredGrant>, StoreError> {
        let shown = i64::try_from(SHOWN.as_millis()).unwrap_or(i64::MAX);
        self.store().identity.grants(customer, Moment(self.clock().now().0 - shown)).await
    }

    /// Revokes a grant of this customer, every token of it at once. False: there is no such live grant.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn disconnect(&self, customer: &CustomerId, grant: &GrantId) -> Result<bool, StoreError> {
        let now = self.clock().now();
        let ended = self.store().identity.end_grant(customer.clone(), grant.clone(), Ended::Revoked, now).await?;
        if ended {
            let line = self.line("oauth.grant.revoked", customer, Some(grant), grant.as_str(), now);
            self.store().calls.audit(line).await?;
        }
        Ok(ended)
    }
}
