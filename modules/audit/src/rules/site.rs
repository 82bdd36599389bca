//! The rules that see all pages of a crawl together.

pub(super) mod arrival;
pub(super) mod canonical;
pub(super) mod duplicate;
pub(super) mod graph;
pub(super) mod hreflang;
pub(super) mod link;
pub(super) mod redirect;
pub(super) mod robots;
pub(super) mod series;
pub(super) mod sitemap;
pub(super) mod target;
pub(super) mod twin;
pub(super) mod versions;
