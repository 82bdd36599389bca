//! Customers and who may act for them: sign-in, sessions, clients, grants, tokens and codes; what a customer is told, and
//! how one is forgotten.

pub mod approvals;
pub mod attempts;
pub mod clients;
pub mod codes;
pub mod consents;
pub mod customers;
pub(crate) mod erasure;
pub mod feedback;
pub mod grants;
pub mod identities;
pub mod lockout;
pub mod notices;
pub mod sessions;
pub mod tokens;

use crate::database::Database;

/// Customers, and who may act for them.
#[derive(Clone, Debug)]
pub struct Identity {
    database: Database,
}

impl Identity {
    /// These tables of one database.
    pub(crate) fn of(database: &Database) -> Self {
        Self { database: database.clone() }
    }
}
