//! What may run, reviewed: a folder per revision, in it a lock file per module, written by one command,
//! read by a person, and compared with what was built before anything is served.
//!
//! A *lock* is one module's file. *Built* is what a component says of itself, read without running it.
//! A *difference* is one line of a lock that is no longer true. A *revision* is a folder of locks with a date.

pub mod approval;
pub mod bounds;
pub mod built;
pub mod compare;
pub mod contracts;
pub mod error;
pub mod files;
pub mod kinds;
pub mod line;
pub mod lock;
pub mod reach;
pub mod review;
pub mod revision;
pub mod signature;
pub mod table;
pub mod trust;

#[cfg(test)]
mod sample;
