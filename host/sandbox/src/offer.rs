//! What a run may know of the revision that it belongs to.

use std::fmt::Debug;

/// The operations of a revision.
pub trait Offer: Send + Sync + Debug {
    /// Whether an operation of this id is served.
    fn serves(&self, operation: &str) -> bool;
}
