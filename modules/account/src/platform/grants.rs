//! The answers to `grants` and `revoke-grant`.

use serde::Deserialize;

/// A page of live grants, the newest first.
#[derive(Debug, Deserialize)]
pub(crate) struct Grants {
    /// The grants.
    pub(crate) grants: Vec<Grant>,
    /// Where the page ended.
    pub(crate) next: Option<String>,
}

/// What an application may do in the customer's name.
#[derive(Debug, Deserialize)]
pub(crate) struct Grant {
    /// For `revoke-grant`.
    pub(crate) grant_ref: String,
    /// How the application calls itself.
    pub(crate) client_name: String,
    /// `oauth` or `bearer`.
    pub(crate) kind: String,
    /// What it may do.
    pub(crate) scopes: Vec<String>,
    /// When it was given.
    pub(crate) created_at: u64,
    /// When it was used last.
    pub(crate) last_used_at: Option<u64>,
    /// When it ends by itself.
    pub(crate) expires_at: Option<u64>,
}

/// A grant that was taken back.
#[derive(Debug, Deserialize)]
pub(crate) struct Revoked {
    /// Access and refresh tokens that ended with it.
    pub(crate) tokens_revoked: u64,
}
