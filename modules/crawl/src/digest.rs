//! A crawl in one blob, an address in 53 bytes: what comparisons read instead of a million rows.

use std::collections::HashMap;

use kit::text::sha256;

use crate::work::Line;

/// Bytes of an entry.
const SIZE: usize = 16 + 2 + 1 + 1 + 4 + 4 + 4 + 8 + 8 + 4;
/// Words for what decides on indexing, in the order of their numbers.
const REASONS: &[&str] = &[
    "ok",
    "robots_blocked",
    "unreachable",
    "redirect",
    "client_error",
    "server_error",
    "noindex",
    "noindex_header",
    "canonicalised",
    "meta_refresh",
    "not_document",
];

/// One address of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The first half of the address's SHA-256: what ids of pages are made of.
    pub(crate) address: [u8; 16],
    pub(crate) status: u16,
    pub(crate) depth: u8,
    reason: u8,
    pub(crate) title: u32,
    pub(crate) canonical: u32,
    pub(crate) words: u32,
    pub(crate) content: u64,
    pub(crate) simhash: u64,
    /// The hash of the first folder.
    pub(crate) section: u32,
}

/// The blob of a crawl's digest.
pub(crate) fn blob(run: &str) -> String {
    format!("digest/{run}")
}

impl Entry {
    pub(crate) fn of(line: &Line) -> Self {
        let hash = sha256(line.url.as_bytes());
        let mut address = [0; 16];
        address.copy_from_slice(&hash[..16]);
        let reason = REASONS.iter().position(|word| *word == line.reason).unwrap_or(REASONS.len());
        Self {
            address,
            status: line.status,
            depth: u8::try_from(line.depth).unwrap_or(u8::MAX),
            reason: u8::try_from(reason).unwrap_or(u8::MAX),
            title: line.title,
            canonical: line.canonical,
            words: line.words,
            content: line.content,
            simhash: line.simhash,
            section: crate::work::short(section(&line.url)),
        }
    }

    /// Whether it may be indexed.
    pub(crate) fn is_indexable(&self) -> bool {
        self.reason == 0
    }

    /// What decides whether it may be indexed.
    pub(crate) fn reason(&self) -> &'static str {
        REASONS.get(usize::from(self.reason)).copied().unwrap_or("unknown")
    }

    /// The id of the address in a run.
    pub(crate) fn id(&self, run: &str) -> String {
        format!("{run}-{}", kit::text::hex(&self.address))
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.address);
        out.extend_from_slice(&self.status.to_le_bytes());
        out.extend_from_slice(&[self.depth, self.reason]);
        for number in [self.title, self.canonical, self.words] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.content.to_le_bytes());
        out.extend_from_slice(&self.simhash.to_le_bytes());
        out.extend_from_slice(&self.section.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let u32_at = |at: usize| bytes[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
        let u64_at = |at: usize| bytes[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
        let mut address = [0; 16];
        address.copy_from_slice(&bytes[..16]);
        Self {
            address,
            status: u16::from_le_bytes([bytes[16], bytes[17]]),
            depth: bytes[18],
            reason: bytes[19],
            title: u32_at(20),
            canonical: u32_at(24),
            words: u32_at(28),
            content: u64_at(32),
            simhash: u64_at(40),
            section: u32_at(48),
        }
    }
}

/// The entries of a digest, in the order of their addresses' hashes.
pub(crate) fn read(digest: &[u8]) -> impl ExactSizeIterator<Item = Entry> + '_ {
    digest.chunks_exact(SIZE).map(Entry::read)
}

/// The digest of these pages; of an address that stands there twice the last counts.
pub(crate) fn write(lines: &[Line]) -> Vec<u8> {
    let mut latest: HashMap<[u8; 16], Entry> = HashMap::with_capacity(lines.len());
    for line in lines {
        let entry = Entry::of(line);
        latest.insert(entry.address, entry);
    }
    let mut entries: Vec<Entry> = latest.into_values().collect();
    entries.sort_unstable_by_key(|entry| entry.address);
    let mut out = Vec::with_capacity(entries.len() * SIZE);
    entries.iter().for_each(|entry| entry.write(&mut out));
    out
}

/// The first folder of an address, such as `/blog/`; `/` for pages at the root.
pub(crate) fn section(url: &str) -> &str {
    let path = kit::url::path_and_query(url).split('?').next().unwrap_or("/");
    let end = path.get(1..).and_then(|rest| rest.find('/')).map_or(1, |at| at + 2);
    path.get(..end).unwrap_or("/")
}
