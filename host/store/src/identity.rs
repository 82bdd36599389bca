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
