//! What a bearer token stands for.

use crate::id::{ClientId, CustomerId, GrantId};
use crate::scope::ScopeSet;

/// One approval, looked up from a live token. Everything a request may do follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The approval itself.
    pub id: GrantId,
    /// Whose it is. The caller never supplies it.
    pub customer: CustomerId,
    /// The OAuth client, or none for a token that the customer made in the portal.
    pub client: Option<ClientId>,
    /// What the access token permits.
    pub scopes: ScopeSet,
    /// Whether the customer is active and activated.
    pub access: Access,
}

/// Whether external access is open for the customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Activated.
    Open,
    /// The customer is suspended or was never activated: 403.
    Closed,
}
