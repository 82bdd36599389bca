//! `listings.citation.*`: where the web speaks of a location, and whether it is right.

pub(crate) mod directories;
pub(crate) mod extract;
pub(crate) mod list;
pub(crate) mod pack;
pub(crate) mod report;
pub(crate) mod scan;
pub(crate) mod stored;
pub(crate) mod work;
