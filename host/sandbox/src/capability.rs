//! One file per host interface of `wit/v1`. Each function counts itself, checks that the kind of function may call it,
//! and never waits beyond the deadline of the run.
//!
//! To add a capability: write its WIT, name it in `bindings.rs` and `linker.rs`, and add a file here. Each function
//! starts with `State::enter` or one of its stricter variants and has a line in `witness.rs`.

mod accounts;
mod blobs;
mod cache;
mod catalog;
mod clock;
mod connections;
mod consents;
mod dns;
mod jobs;
mod links;
pub(crate) mod log;
mod mail;
mod notices;
mod platform;
mod quotes;
mod random;
mod recipients;
mod records;
mod refunds;
mod schedule;
mod shares;
mod tls;
mod uploads;
mod vault;
mod web;

use model::clock::Moment;

/// A moment in the unit of the WIT boundary.
fn since_1970(moment: Moment) -> u64 {
    u64::try_from(moment.0).unwrap_or(0)
}
