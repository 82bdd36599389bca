//! Websites, their crawls, their segments and their live pages, as every module reads them: one record of each, one
//! definition of the newest crawl, one way to read a page.
//!
//! A module reads of this what the catalog lets it read: the types alone grant nothing. Rows of a crawl are left to
//! their readers, which name the columns that they need.

pub mod backlinks;
pub mod brand;
pub mod live;
pub mod pages;

#[cfg(not(target_arch = "wasm32"))]
pub mod trial;

mod crawl;
mod examine;
mod property;
mod segment;
mod website;

pub use crawl::{
    Crawled, External, Linked, Run, at_rest, basis, crawls, ended_at, is_readable, newest, readable, required,
};
pub use examine::{examine, retitle};
pub use property::Property;
pub use segment::{Rules, Segment, held, holds, rules, segments};
pub use website::{Site, Verification, all_own, get, of};

#[cfg(test)]
mod tests;
