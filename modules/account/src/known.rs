//! What this module reads of audits, and the website of an argument.

use sdk::prelude::*;
use site::Site;

/// An audit.
#[foreign(collection = "audit.audits", index(site_id, created_ms))]
pub(crate) struct Audit {
    /// The website.
    pub(crate) site_id: String,
    /// When it was asked for.
    pub(crate) created_ms: u64,
    /// `queued`, `running` or `succeeded`.
    pub(crate) state: String,
}

/// The website of this reference, given as the argument at the pointer; 404 `website_not_found` when the customer has
/// none.
pub(crate) fn site(cx: &Cx, id: &Id<Site>, pointer: &str) -> Result<Stored<Site>> {
    cx.records::<Site>().get(id).map_err(|fault| fault.at(pointer))
}
