//! One file per host interface of `wit/v1`. Each function counts itself, asks whether the kind may call it, and
//! never waits beyond the run's end.
//!
//! To add a capability: write its WIT, name it in `bindings.rs` and `linker.rs`, and give it a file here whose
//! functions start with `State::enter` or one of its stricter kin, and each of them a line in `witness.rs`.

mod blobs;
mod cache;
mod clock;
mod connections;
mod consents;
mod dns;
mod jobs;
mod links;
pub(crate) mod log;
mod mail;
mod platform;
mod quotes;
mod random;
mod records;
mod refunds;
mod schedule;
mod shares;
mod tls;
mod uploads;
mod vault;
mod web;

use model::clock::Moment;

/// A moment as the boundary writes it.
fn since_1970(moment: Moment) -> u64 {
    u64::try_from(moment.0).unwrap_or(0)
}
