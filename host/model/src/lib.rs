//! Values and rules: what a thing is and which states it may be in. No IO, no async, nobody's clock.
//!
//! The words used everywhere: a *grant* is what a token stands for; a *call* is one request to run an
//! operation; a *contract* is what a module declares of an operation; a *refusal* is every failure a client
//! sees; *points* are what external use costs, *credits* are what money buys; a *revision* is a reviewed catalog.

pub mod audit;
pub mod billing;
pub mod budget;
pub mod call;
pub mod canonical;
pub mod clock;
pub mod contract;
pub mod cost;
pub mod edges;
pub mod grant;
pub mod id;
pub mod keys;
pub mod legible;
pub mod limits;
pub mod manifest;
pub mod merkle;
pub mod note;
pub mod outside;
pub mod refusal;
pub mod schedule;
pub mod scope;
pub mod token;
pub mod untrusted;
pub mod usage;
