//! `account.cost.*`, what a call would cost and what all of them did.

pub(crate) mod estimate;
mod forecast;
pub(crate) mod report;
