//! What this module reads of websites, crawls and audits.

use kit::crawled::RunRecord;
use sdk::prelude::*;

/// A website of the customer.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id", index(order))]
pub(crate) struct Site {
    /// The host that it was added by.
    pub(crate) domain: String,
    /// Sorts by age.
    pub(crate) order: String,
    /// Whether its ownership is proven; null until a check has proven it once.
    pub(crate) verification: Option<Verification>,
}

/// The proof of ownership of a website.
#[value]
pub(crate) struct Verification {
    /// Whether the token was found when it was looked for last.
    pub(crate) verified: bool,
}

/// A crawl.
#[foreign(collection = "crawl.runs", index(site_id))]
pub(crate) struct Run(pub(crate) RunRecord);

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
