//! The index of a month and cut: which packs there are, and which days are in them.

use kit::pack::Packed;
use serde::{Deserialize, Serialize};

/// The index of a month and cut.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Index {
    /// How often the month was written; part of the blob keys, so that a reader that began before finds its packs.
    pub written: u32,
    /// The days that are in it, bit 0 for the first of the month.
    pub days: u32,
    /// Of them, the days on which Google returned as many rows as it ever does, so that others may be missing.
    pub capped: u32,
    /// The packs, in the order of their keys.
    pub packs: Vec<Entry>,
    /// The packs of monthly sums.
    pub sums: Vec<Entry>,
    /// The packs of the writing before, which the next writing empties.
    pub stale: u32,
    /// The packs of sums of the writing before.
    pub stale_sums: u32,
}

/// A pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its first key.
    pub first: String,
    /// Its last key.
    pub last: String,
    /// Its keys.
    pub keys: u64,
    /// Its days, summed over the keys.
    pub rows: u64,
    /// Its bytes.
    pub bytes: u64,
}

impl Entry {
    /// The entry of a pack.
    #[must_use]
    pub fn of(pack: &Packed) -> Self {
        let text = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
        Self {
            first: text(&pack.first_key),
            last: text(&pack.last_key),
            keys: pack.keys,
            rows: pack.rows,
            bytes: pack.bytes.len() as u64,
        }
    }

    /// Whether it may have keys that begin with `prefix`.
    #[must_use]
    pub fn may_hold(&self, prefix: &[u8]) -> bool {
        let (first, last) = (self.first.as_bytes(), self.last.as_bytes());
        last >= prefix && (first <= prefix || first.starts_with(prefix))
    }
}
