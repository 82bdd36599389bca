//! Properties of providers that are mapped to websites: a Search Console property, a WordPress, a DNS zone.

use sdk::prelude::*;

/// A property of a provider, mapped to a website.
#[foreign(collection = "connections.property_maps", thing = "property", index(site_id, kind))]
pub struct Property {
    /// The connection that reaches it.
    pub connection_ref: String,
    /// Its name at the provider.
    pub remote_id: String,
    /// The website.
    pub site_id: String,
    /// The kind of the connection.
    pub kind: String,
}
