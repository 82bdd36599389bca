//! Kept here: pure algorithms that the modules share. No IO, no clock, no chance; the same on every machine.

pub mod challenge;
pub mod charset;
pub mod crawled;
pub mod pace;
pub mod page;
pub mod robots;
pub mod scope;
pub mod simhash;
pub mod sitemap;
pub mod text;
pub mod url;
