//! Records of a zone at the customer's DNS provider.

pub(crate) mod list;
