//! Making a segment.
//!
//! Layout, integers little-endian: `ESP1`, texts u32, terms of all texts u64, different terms u32, then 257 u32: where the
//! entries of each leading byte of a term's hash begin in the table; the length of each text u32; the table, sorted by
//! hash: hash u64, texts u32, where its list begins u32, bytes of its list u32; the lists: for each text the difference
//! to the text before and how often the term is in it, as LEB128.

use std::collections::HashMap;

use super::Terms;

/// Bytes before the lengths.
pub(super) const HEAD: usize = 4 + 4 + 8 + 4 + 257 * 4;
/// Bytes of an entry of the table.
pub(super) const ENTRY: usize = 8 + 4 + 4 + 4;

/// A segment in the making.
pub struct Writer {
    terms: Terms,
    lengths: Vec<u32>,
    lists: HashMap<u64, List>,
    counts: HashMap<u64, u32>,
}

#[derive(Default)]
struct List {
    texts: u32,
    last: u32,
    bytes: Vec<u8>,
}

impl Writer {
    /// An empty segment of texts in this language; see [`Terms::of`].
    #[must_use]
    pub fn new(language: &str) -> Self {
        Self { terms: Terms::of(language), lengths: Vec::new(), lists: HashMap::new(), counts: HashMap::new() }
    }

    /// Adds a text; its number, from 0.
    pub fn add(&mut self, text: &str) -> u32 {
        let number = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
        let mut length = 0;
        self.counts.clear();
        for hash in self.terms.hashes(text) {
            *self.counts.entry(hash).or_default() += 1;
            length += 1;
        }
        for (hash, times) in self.counts.drain() {
            let list = self.lists.entry(hash).or_default();
            leb(number - list.last, &mut list.bytes);
            leb(times, &mut list.bytes);
            list.texts += 1;
            list.last = number;
        }
        self.lengths.push(length);
        number
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The segment as bytes.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut lists: Vec<(u64, List)> = self.lists.into_iter().collect();
        lists.sort_unstable_by_key(|(hash, _)| *hash);
        let mut out = Vec::new();
        let u32_of = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
        out.extend_from_slice(b"ESP1");
        out.extend_from_slice(&u32_of(self.lengths.len()));
        out.extend_from_slice(&self.lengths.iter().map(|length| u64::from(*length)).sum::<u64>().to_le_bytes());
        out.extend_from_slice(&u32_of(lists.len()));
        for byte in 0..=256_u64 {
            let start = lists.partition_point(|(hash, _)| hash >> 56 < byte);
            out.extend_from_slice(&u32_of(start));
        }
        self.lengths.iter().for_each(|length| out.extend_from_slice(&length.to_le_bytes()));
        let mut at = 0;
        for (hash, list) in &lists {
            out.extend_from_slice(&hash.to_le_bytes());
            out.extend_from_slice(&list.texts.to_le_bytes());
            out.extend_from_slice(&u32_of(at));
            out.extend_from_slice(&u32_of(list.bytes.len()));
            at += list.bytes.len();
        }
        lists.iter().for_each(|(_, list)| out.extend_from_slice(&list.bytes));
        out
    }
}

fn leb(mut value: u32, out: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or(0x7f);
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}
