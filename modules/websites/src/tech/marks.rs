//! All fingerprints, a table for each group of categories. Written for this module from what the technologies
//! document about themselves and from pages that are known to be made with them.

mod analytics;
mod builder;
mod cms;
mod consent;
mod documentation;
mod edge;
mod framework;
mod library;
mod plugin;
mod server;
mod shop;
mod widget;

use super::mark::Mark;

const TABLES: [&[Mark]; 12] = [
    cms::MARKS,
    builder::MARKS,
    shop::MARKS,
    plugin::MARKS,
    framework::MARKS,
    documentation::MARKS,
    library::MARKS,
    analytics::MARKS,
    consent::MARKS,
    edge::MARKS,
    server::MARKS,
    widget::MARKS,
];

/// All fingerprints.
pub(crate) fn all() -> impl Iterator<Item = &'static Mark> {
    TABLES.into_iter().flatten()
}

/// The fingerprint of a technology.
pub(crate) fn find(name: &str) -> Option<&'static Mark> {
    all().find(|mark| mark.name == name)
}
