//! What this module stores.

use sdk::prelude::*;
use sdk::serde_json::Value;

/// A location that this module keeps something of. Other modules read `name`, `place_id`, `address`, `latitude`, `longitude`
/// and `phone` by the `location_ref`.
#[record(collection = "locations", thing = "location", reference = "location_ref", index(connection, account))]
#[derive(Default)]
pub(crate) struct Location {
    /// The connection that reaches it.
    pub(crate) connection: String,
    /// The identifier of its account.
    pub(crate) account: String,
    /// How it is called.
    pub(crate) name: String,
    /// Google's name of the place.
    pub(crate) place_id: Option<String>,
    /// Where it stands, in words.
    pub(crate) address: Option<String>,
    /// Degrees north.
    pub(crate) latitude: Option<f64>,
    /// Degrees east.
    pub(crate) longitude: Option<f64>,
    /// As the profile shows it.
    pub(crate) phone: Option<String>,
    /// Its country, ISO 3166-1.
    pub(crate) country: Option<String>,
    /// The address that the profile links to.
    pub(crate) website: Option<String>,
    /// The name of its primary category.
    pub(crate) category: Option<String>,
    /// When this was read, in milliseconds since 1970 UTC.
    pub(crate) seen_ms: u64,
}

/// A change that this module made to a profile.
#[record(collection = "changes", thing = "change", reference = "change_ref", index(location, at_ms))]
pub(crate) struct Change {
    /// The location.
    pub(crate) location: String,
    /// When, in milliseconds since 1970 UTC.
    pub(crate) at_ms: u64,
    /// The operation.
    pub(crate) operation: String,
    /// The members that were written, as Google names them.
    pub(crate) fields: Vec<String>,
    /// What stood there before.
    pub(crate) before: Value,
    /// What stands there now.
    pub(crate) after: Value,
}
