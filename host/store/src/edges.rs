//! What crosses the public edges: uploads, tracked links, shares, unsubscribing and recipients who confirm; and what was read outside: pages,
//! robots.txt files and turns at hosts.

pub(crate) mod change;
pub mod hits;
pub mod links;
pub mod pages;
pub mod recipients;
pub mod robots;
pub mod shares;
pub mod turns;
pub mod unsubscribes;
pub mod uploads;
