//! The public addresses of a customer's data, listed and ended by their customer.

use model::clock::Moment;
use model::id::{CustomerId, ShareId};
use store::StoreError;
use store::edges::shares::HeldShare;

use crate::oauth::Authority;

impl Authority {
    /// The addresses that show something now, newest first, at most `limit` older than `before`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn open_shares(
        &self,
        customer: &CustomerId,
        before: Option<&(Moment, ShareId)>,
        limit: u32,
    ) -> Result<Vec<HeldShare>, StoreError> {
        self.store().edges.open_shares(customer, self.clock().now(), before, limit).await
    }

    /// Ends one of them at once. False: there is none of this name.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn end_share(&self, customer: &CustomerId, share: &ShareId) -> Result<bool, StoreError> {
        let now = self.clock().now();
        let ended = self.store().edges.end_share(customer.clone(), share.clone(), now).await?;
        if ended {
            let line = self.line("share.ended", customer, None, share.as_str(), now);
            self.store().calls.audit(line).await?;
        }
        Ok(ended)
    }
}
