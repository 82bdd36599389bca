//! Asking a segment, a part of its bytes at a time.

use super::write::{ENTRY, HEAD};

/// A segment whose head was read; `part` gives `length` bytes from an offset.
pub struct Segment<F> {
    part: F,
    texts: u32,
    terms: u64,
    different: u32,
    buckets: Vec<u32>,
}

/// The texts of a segment that hold a term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// How many.
    pub holders: u32,
    /// Each with how often.
    pub texts: Vec<(u32, u32)>,
}

impl<F: FnMut(u64, u32) -> Option<Vec<u8>>> Segment<F> {
    /// Reads the head; none when these are no bytes of a segment.
    pub fn open(mut part: F) -> Option<Self> {
        let head = part(0, u32::try_from(HEAD).ok()?)?;
        if head.len() < HEAD || !head.starts_with(b"ESP1") {
            return None;
        }
        let buckets = head[20..].chunks_exact(4).map(|bytes| u32_at(bytes, 0)).collect();
        Some(Self { part, texts: u32_at(&head, 4), terms: u64_at(&head, 8), different: u32_at(&head, 16), buckets })
    }

    /// Texts.
    pub fn texts(&self) -> u32 {
        self.texts
    }

    /// Terms of all texts, repeated ones too.
    pub fn terms(&self) -> u64 {
        self.terms
    }

    /// The length of each text.
    pub fn lengths(&mut self) -> Option<Vec<u32>> {
        let bytes = (self.part)(HEAD as u64, self.texts.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|bytes| u32_at(bytes, 0)).collect())
    }

    /// Every term with how many texts hold it.
    pub fn vocabulary(&mut self) -> Option<Vec<(u64, u32)>> {
        let table = HEAD as u64 + u64::from(self.texts) * 4;
        let bytes = (self.part)(table, self.different.checked_mul(ENTRY as u32)?)?;
        Some(entries(&bytes).collect())
    }

    /// The texts that hold a term.
    pub fn find(&mut self, hash: u64) -> Option<Found> {
        let bucket = usize::from(hash.to_be_bytes()[0]);
        let (first, end) = (*self.buckets.get(bucket)?, *self.buckets.get(bucket + 1)?);
        let table = HEAD as u64 + u64::from(self.texts) * 4;
        let entry = ENTRY as u32;
        let entries = (self.part)(table + u64::from(first) * u64::from(entry), (end - first).checked_mul(entry)?)?;
        let wanted = entries.chunks_exact(ENTRY).find(|bytes| u64_at(bytes, 0) == hash);
        let Some(wanted) = wanted else { return Some(Found::default()) };
        let lists = table + u64::from(self.different) * u64::from(entry);
        let list = (self.part)(lists + u64::from(u32_at(wanted, 12)), u32_at(wanted, 16))?;
        let mut numbers = unleb(&list);
        let (mut texts, mut text) = (Vec::new(), 0);
        while let (Some(step), Some(times)) = (numbers.next(), numbers.next()) {
            text += step;
            texts.push((text, times));
        }
        Some(Found { holders: u32_at(wanted, 8), texts })
    }
}

/// Every term of a whole segment, with how many texts hold it.
pub fn vocabulary(segment: &[u8]) -> impl Iterator<Item = (u64, u32)> + '_ {
    let whole = segment.len() >= HEAD && segment.starts_with(b"ESP1");
    let (texts, different) = if whole { (u32_at(segment, 4), u32_at(segment, 16)) } else { (0, 0) };
    let table = HEAD + texts as usize * 4;
    let table = segment.get(table..table + different as usize * ENTRY).unwrap_or_default();
    entries(table)
}

fn entries(table: &[u8]) -> impl Iterator<Item = (u64, u32)> + '_ {
    table.chunks_exact(ENTRY).map(|entry| (u64_at(entry, 0), u32_at(entry, 8)))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|it| it.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|it| it.try_into().ok()).map_or(0, u64::from_le_bytes)
}

fn unleb(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut rest = bytes.iter();
    std::iter::from_fn(move || {
        let (mut value, mut shift) = (0_u32, 0);
        for byte in rest.by_ref() {
            value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    })
}
