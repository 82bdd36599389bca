//! Result pages of search engines: how the module `rankings` keeps them, and how every module reads them.
//!
//! A [`Page`] is what was shown for a keyword: its organic results in order, and the elements beside them. The newest page of
//! each tracked keyword is a record of `rankings.serps`, a [`Snapshot`]; `keywords.serps` has those that clustering asked
//! for. A module reads them when its lock lists the collection.

mod address;
mod feature;
mod fetching;
mod keyword;
mod market;
mod page;
mod stored;

pub use address::{normal_address, registrable};
pub use feature::{Feature, feature};
pub use fetching::{Asked, Fetching};
pub use keyword::normal;
pub use market::{Device, market};
pub use page::{Element, Page, Result};
pub use stored::{MAX_SHOWN, Shown, Snapshot, SnapshotRecord, Snapshots, newest, snapshot_id};

#[cfg(test)]
mod tests;
