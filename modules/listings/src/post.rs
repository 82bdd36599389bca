//! `listings.post.*`: posts on business profiles.

pub(crate) mod delete;
pub(crate) mod draft;
pub(crate) mod list;
pub(crate) mod policy;
pub(crate) mod publish;
pub(crate) mod read;
pub(crate) mod stored;
