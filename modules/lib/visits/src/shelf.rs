//! A shelf: sorted packs behind an index, read by key and written whole by merging sorted sources.
//!
//! A writing puts new packs beside the old ones and then the index, so that a reader that began before still finds its packs;
//! the next writing empties them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kit::pack::{Figures, Owned, Packed, Reader, Writer};
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// Bytes of a pack.
const MAX_PACK: usize = 1 << 20;
/// The largest blob that is read back.
const MAX_BLOB: u32 = 8 << 20;

/// A stored pack is missing, or is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

impl Damaged {
    /// What a caller is told.
    #[must_use]
    pub fn fault(self) -> Fault {
        let message = "stored figures of the access logs cannot be read; try again, then import the logs again";
        Fault::unavailable("storage_damaged", message)
    }
}

/// What a shelf holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Index {
    /// How often it was written.
    pub written: u32,
    /// The days that are in it, bit 0 for the first of the month.
    pub days: u32,
    /// The packs, in the order of their keys.
    pub packs: Vec<Entry>,
    /// Packs of the writing before, which the next one empties.
    pub stale: u32,
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
            bytes: pack.bytes.len() as u64,
        }
    }

    fn may_hold(&self, prefix: &[u8]) -> bool {
        let (first, last) = (self.first.as_bytes(), self.last.as_bytes());
        last >= prefix && (first <= prefix || first.starts_with(prefix))
    }
}

/// A shelf.
#[derive(Clone)]
pub struct Shelf<'a> {
    cx: &'a Cx,
    folder: String,
}

impl<'a> Shelf<'a> {
    /// The shelf in a folder of blobs.
    #[must_use]
    pub fn of(cx: &'a Cx, folder: impl Into<String>) -> Self {
        Self { cx, folder: folder.into() }
    }

    /// What it holds; nothing where nothing was written.
    #[must_use]
    pub fn index(&self) -> Index {
        let bytes = self.cx.blobs().read(&format!("{}/index", self.folder), 0, MAX_BLOB).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    fn name(&self, written: u32, at: usize) -> String {
        format!("{}/{written}/{at}", self.folder)
    }

    /// Bytes of the packs that may have keys with this beginning.
    #[must_use]
    pub fn bytes(index: &Index, prefix: &[u8]) -> u64 {
        index.packs.iter().filter(|it| it.may_hold(prefix)).map(|it| it.bytes).sum()
    }

    /// Calls `each` with the keys that begin with `prefix`, in their order, until it says `false`.
    ///
    /// # Errors
    /// [`Damaged`].
    pub fn read<F: Figures>(
        &self,
        index: &Index,
        prefix: &[u8],
        mut each: impl FnMut(&Reader<'_, F>) -> bool,
    ) -> Result<(), Damaged> {
        for (at, _) in index.packs.iter().enumerate().filter(|(_, it)| it.may_hold(prefix)) {
            let bytes = self.cx.blobs().read(&self.name(index.written, at), 0, MAX_BLOB).ok_or(Damaged)?;
            let mut reader = Reader::<F>::open(&bytes).map_err(|_| Damaged)?;
            while reader.advance().map_err(|_| Damaged)? {
                if reader.key().starts_with(prefix) {
                    if !each(&reader) {
                        return Ok(());
                    }
                } else if reader.key() > prefix {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Calls `each` with the keys that begin with one of these prefixes, which ascend. Each pack is read once at most.
    ///
    /// # Errors
    /// [`Damaged`].
    pub fn read_many<F: Figures>(
        &self,
        index: &Index,
        prefixes: &[Vec<u8>],
        mut each: impl FnMut(&Reader<'_, F>),
    ) -> Result<(), Damaged> {
        for (at, entry) in index.packs.iter().enumerate() {
            if !prefixes.iter().any(|prefix| entry.may_hold(prefix)) {
                continue;
            }
            let bytes = self.cx.blobs().read(&self.name(index.written, at), 0, MAX_BLOB).ok_or(Damaged)?;
            let mut reader = Reader::<F>::open(&bytes).map_err(|_| Damaged)?;
            while reader.advance().map_err(|_| Damaged)? {
                // The last prefix at or before the key is the only one that it can begin with.
                let after = prefixes.partition_point(|prefix| prefix.as_slice() <= reader.key());
                if after > 0 && reader.key().starts_with(&prefixes[after - 1]) {
                    each(&reader);
                }
            }
        }
        Ok(())
    }

    /// Writes one pack of the next writing; `at` is its number.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub fn put(&self, written: u32, at: usize, pack: &Packed) -> Result<()> {
        self.cx.blobs().write(&self.name(written, at), &pack.bytes)
    }

    /// Puts a writing into force and empties the packs of the one before the last.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub fn commit(&self, before: &Index, packs: Vec<Entry>, days: u32) -> Result<()> {
        let stale = u32::try_from(before.packs.len()).unwrap_or(u32::MAX);
        let index = Index { written: before.written + 1, days: before.days | days, packs, stale };
        for at in 0..before.stale as usize {
            self.cx.blobs().remove(&self.name(before.written.saturating_sub(1), at))?;
        }
        self.cx.blobs().write(&format!("{}/index", self.folder), &serde_json::to_vec(&index).unwrap_or_default())
    }

    /// Empties everything.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub fn clear(&self) -> Result<()> {
        let index = self.index();
        let old = (0..index.stale as usize).map(|at| (index.written.saturating_sub(1), at));
        for (written, at) in old.chain((0..index.packs.len()).map(|at| (index.written, at))) {
            self.cx.blobs().remove(&self.name(written, at))?;
        }
        self.cx.blobs().remove(&format!("{}/index", self.folder))
    }
}

/// A sorted source of a merge: a shelf as it stands.
pub struct Source<'a> {
    shelf: Shelf<'a>,
    index: Index,
}

impl<'a> Source<'a> {
    /// The shelf of a folder, as it stands now.
    #[must_use]
    pub fn of(shelf: Shelf<'a>) -> Self {
        let index = shelf.index();
        Self { shelf, index }
    }
}

struct Cursor<'a, F> {
    source: Source<'a>,
    pack: usize,
    open: Option<Owned<F>>,
}

impl<F: Figures> Cursor<'_, F> {
    /// The first key at or after `from`.
    fn seek(&mut self, from: &[u8], read: &mut u64) -> Result<bool, Damaged> {
        self.pack = self.source.index.packs.partition_point(|it| it.last.as_bytes() < from);
        self.open = None;
        loop {
            if !self.advance(read)? {
                return Ok(false);
            }
            if self.key() >= from {
                return Ok(true);
            }
        }
    }

    fn advance(&mut self, read: &mut u64) -> Result<bool, Damaged> {
        loop {
            if let Some(open) = &mut self.open {
                if open.advance().map_err(|_| Damaged)? {
                    return Ok(true);
                }
                self.open = None;
                self.pack += 1;
            }
            let Some(entry) = self.source.index.packs.get(self.pack) else { return Ok(false) };
            *read += entry.bytes;
            let name = self.source.shelf.name(self.source.index.written, self.pack);
            let bytes = self.source.shelf.cx.blobs().read(&name, 0, MAX_BLOB).ok_or(Damaged)?;
            self.open = Some(Owned::open(bytes).map_err(|_| Damaged)?);
        }
    }

    fn key(&self) -> &[u8] {
        self.open.as_ref().map_or(&[], Owned::key)
    }
}

/// One key of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged<F> {
    /// The key.
    pub key: Vec<u8>,
    /// The number of the source.
    pub source: usize,
    /// Its days there.
    pub days: Vec<(u8, F)>,
}

/// Reads several sources in the order of their keys, a part of bounded size at a time.
pub struct Merger<'a, F> {
    cursors: Vec<Cursor<'a, F>>,
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    read: u64,
}

impl<'a, F: Figures> Merger<'a, F> {
    /// Begins at the first key at or after `from`.
    ///
    /// # Errors
    /// [`Damaged`].
    pub fn new(sources: Vec<Source<'a>>, from: &[u8]) -> Result<Self, Damaged> {
        let mut cursors: Vec<Cursor<'a, F>> =
            sources.into_iter().map(|source| Cursor { source, pack: 0, open: None }).collect();
        let (mut heap, mut read) = (BinaryHeap::new(), 0);
        for (at, cursor) in cursors.iter_mut().enumerate() {
            if cursor.seek(from, &mut read)? {
                heap.push(Reverse((cursor.key().to_vec(), at)));
            }
        }
        Ok(Self { cursors, heap, read })
    }

    /// Bytes of packs that were read.
    #[must_use]
    pub const fn bytes_read(&self) -> u64 {
        self.read
    }

    /// The smallest key that is left, and the number of a source that has it.
    #[must_use]
    pub fn peek(&self) -> Option<(&[u8], usize)> {
        self.heap.peek().map(|Reverse((key, source))| (key.as_slice(), *source))
    }

    /// The smallest key that is left, the number of a source that has it, and its days there. Sources with the same key follow
    /// each other.
    ///
    /// # Errors
    /// [`Damaged`].
    pub fn advance(&mut self) -> Result<Option<Merged<F>>, Damaged> {
        let Some(Reverse((key, source))) = self.heap.pop() else { return Ok(None) };
        let cursor = &mut self.cursors[source];
        let days = cursor.open.as_ref().map(|it| it.days().collect()).unwrap_or_default();
        if cursor.advance(&mut self.read)? {
            self.heap.push(Reverse((cursor.key().to_vec(), source)));
        }
        Ok(Some(Merged { key, source, days }))
    }
}

/// A writer of the packs of a shelf.
#[must_use]
pub fn writer<F: Figures>(first_day: u32) -> Writer<F> {
    Writer::new(first_day, MAX_PACK)
}
