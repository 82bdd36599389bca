//! Showing a token that was just made, once.

use model::id::GrantId;
use model::token::Secret;
use store::StoreError;

use crate::oauth::Authority;

impl Authority {
    /// The grant that a live token belongs to. Unlike a call it does not count as use of the token.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn grant_of(&self, token: &Secret) -> Result<Option<GrantId>, StoreError> {
        let stored = self.store().identity.token(&token.hash(), self.clock().now()).await?;
        Ok(stored.map(|stored| stored.grant.id))
    }
}
