//! Reports by brand and other queries.

pub(crate) mod split;

pub(crate) use site::brand::{Brand, Naming};
