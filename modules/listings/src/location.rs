//! `listings.location.*`: the locations of connected business profiles.

pub(crate) mod audit;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;
