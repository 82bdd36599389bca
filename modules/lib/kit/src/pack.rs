//! Packs: the daily figures of a month, sorted by key and compressed.
//!
//! A record with two indexes takes about 600 bytes, a day in a pack about four. 50 million days of search figures are 200 MB,
//! and a query of one month reads about 10 MB.
//!
//! ```text
//! pack = "EP1" kind:u8 first-day:u32le keys:varint key*
//! key  = shared:varint rest:varint bytes     front-coded against the key before; ascending, no duplicates
//!        days:u32le                          bit d: the day first-day + d has figures
//!        figures*                            one for each bit
//! ```
//!
//! All days of a key are in one pack. A reader holds one key in memory and allocates nothing per day.

mod merge;
mod owned;
mod read;
mod search;
mod varint;
mod visits;
mod write;

pub use merge::{Merge, merge};
pub use owned::Owned;
pub use read::{Damaged, Days, Reader};
pub use search::Search;
pub use visits::Visits;
pub use write::{Packed, Unordered, Writer};

/// The first bytes of every pack.
const MAGIC: &[u8; 3] = b"EP1";
/// Bytes of the header before the count of keys.
const HEAD: usize = MAGIC.len() + 1 + 4;
/// The most days of a pack.
pub const MAX_DAYS: u8 = 32;

/// The figures of one key and day.
pub trait Figures: Copy + Default {
    /// The byte that identifies this type in the header of a pack.
    const KIND: u8;

    /// Appends the figures.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`Self::write`] wrote and advances `bytes`; `None` when they are truncated.
    fn read(bytes: &mut &[u8]) -> Option<Self>;

    /// Adds the figures of another day or key.
    fn add(&mut self, other: &Self);
}

#[cfg(test)]
mod tests;
