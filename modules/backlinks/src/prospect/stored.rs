//! A found prospect, as outreach reads it.

use sdk::prelude::*;

use super::kinds::Kind;

/// A page that may link to a website.
#[record(collection = "prospects", thing = "prospect", index(site_id, fit))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Prospect {
    pub(crate) site_id: String,
    pub(crate) url: String,
    pub(crate) domain: String,
    pub(crate) kind: Kind,
    pub(crate) topic: String,
    /// From 0 to 100.
    pub(crate) fit: u64,
    pub(crate) contact_url: Option<String>,
    pub(crate) found_ms: u64,
}
