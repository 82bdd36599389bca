//! Records of a zone at the customer's DNS provider.

pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod upsert;
