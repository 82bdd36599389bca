//! A customer's trail, searched.

use std::collections::BTreeMap;

use model::id::{CustomerId, GrantId};
pub use store::AuditLine;
use store::StoreError;
use store::identity::grants::{GrantState, StoredGrant};
pub use store::trail::activity::{Ended, Filter, Lines, STRETCH};

use crate::oauth::Authority;

/// Lines on one page.
pub const PAGE: u32 = 50;

impl Authority {
    /// The latest lines before `below` (none: from the end) that fit, newest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn activity(
        &self,
        customer: &CustomerId,
        filter: &Filter,
        below: Option<u64>,
    ) -> Result<Lines, StoreError> {
        self.store().trail.search_trail(customer, filter, below, PAGE).await
    }

    /// The names of a customer's applications and tokens, by grant; one that has ended says so.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn grant_names(&self, customer: &CustomerId) -> Result<BTreeMap<GrantId, String>, StoreError> {
        let name = |grant: StoredGrant| match grant.state {
            GrantState::Live => (grant.id, grant.name),
            GrantState::Ended { .. } => (grant.id, format!("{} (ended)", grant.name)),
        };
        Ok(self.connections(customer).await?.into_iter().map(name).collect())
    }
}
