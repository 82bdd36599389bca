//! Scans from their order to their end.

mod comparing;
mod ending;
mod ordering;
