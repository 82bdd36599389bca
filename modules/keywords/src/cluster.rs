//! Clusters of a set: `keywords.cluster.*`.

pub(crate) mod edit;
mod fetching;
pub(crate) mod groups;
pub(crate) mod lexical;
pub(crate) mod lexical_work;
pub(crate) mod list;
mod overlap;
pub(crate) mod pages;
pub(crate) mod serp;
pub(crate) mod serp_work;
