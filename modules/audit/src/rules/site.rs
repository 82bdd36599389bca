//! Kept here: the rules that see all pages of a crawl together.

pub(super) mod canonical;
pub(super) mod duplicate;
pub(super) mod hreflang;
pub(super) mod link;
pub(super) mod redirect;
pub(super) mod sitemap;
