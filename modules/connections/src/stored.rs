//! Which property belongs to which website, how the last test of a connection went, and what this module
//! reads of websites.

use sdk::prelude::*;

use crate::diagnosis::{Code, Quota};

/// A connection, which the vault keeps.
pub(crate) enum Connection {}

/// A property of a provider, bound to a website. Other modules read it by website and kind.
#[record(collection = "property_maps", index(connection_ref), index(site_id, kind))]
pub(crate) struct Mapping {
    pub(crate) connection_ref: Id<Connection>,
    /// The kind of the connection.
    pub(crate) kind: String,
    /// As the provider names the property.
    pub(crate) remote_id: String,
    pub(crate) site_id: Id<Site>,
    /// Whether it was bound although the domains differ.
    pub(crate) forced: bool,
    pub(crate) created_at: Moment,
}

/// The last test of a connection, under the connection's reference.
#[record(collection = "checks")]
pub(crate) struct Check {
    pub(crate) tested_at: Moment,
    /// What was wrong; none when nothing was.
    pub(crate) error: Option<Code>,
    pub(crate) latency_ms: Option<u32>,
    pub(crate) quota: Option<Quota>,
}

/// A website of the customer.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id")]
pub(crate) struct Site {
    /// The host that it was added by.
    pub(crate) domain: Domain,
    /// How it is called.
    pub(crate) name: String,
}

/// A rank tracker of the customer.
#[foreign(collection = "rankings.trackers", thing = "tracker", may_be_missing)]
pub(crate) struct Tracker {
    /// Where it searches.
    pub(crate) location: String,
    /// The kind of screen.
    pub(crate) device: String,
    /// How often it checks by itself; `off` when it does not.
    pub(crate) every: String,
    /// Whether it is being deleted.
    pub(crate) deleting: bool,
}

/// Prompts that are put to models by themselves, of one website.
#[foreign(collection = "ai_visibility.schedules", thing = "schedule", may_be_missing)]
pub(crate) struct Prompts {
    /// The website.
    pub(crate) site_id: String,
    /// How often; `off` when not any more.
    pub(crate) every: String,
    /// The connections that are asked.
    pub(crate) connections: Vec<String>,
}

/// A location on a business profile.
#[foreign(collection = "listings.locations", thing = "location", may_be_missing, index(connection, account))]
pub(crate) struct Location {
    /// The connection that reaches it.
    pub(crate) connection: String,
    /// The account that has it.
    pub(crate) account: String,
}

/// A post on a business profile.
#[foreign(collection = "listings.posts", thing = "post", may_be_missing, index(location, state, at_ms))]
pub(crate) struct Post {
    /// The location.
    pub(crate) location: String,
    /// Whether it waits for its moment.
    pub(crate) state: String,
    /// When it is or was published, in milliseconds since 1970 UTC.
    pub(crate) at_ms: u64,
    /// What it says.
    pub(crate) text: String,
}
