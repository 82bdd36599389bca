//! Kept here: how much one step may still do. Each number is well below the host's limit for a step
//! (60 s, 64 outside requests, 10,000 host calls, 20,000 rows written, 5 G fuel, 256 MiB).

use sdk::prelude::*;

/// Pages in one step.
pub(crate) const PAGES: u32 = 50;
/// A step begins nothing new after this many milliseconds: the slowest thing that can follow takes 28 seconds
/// (a wait, rules, headers, a page, each at its own limit).
const MILLISECONDS: u64 = 30_000;
const REQUESTS: u32 = 62;
const CALLS: u32 = 8_500;
const ROWS: u32 = 19_000;
/// Bytes of HTML read: what keeps the fuel within bounds, at some 480 units a byte (330 for the facts, the rest for the text)
/// and one last page of 4 MiB.
const BYTES: u64 = 5 * 1024 * 1024;

/// What is left.
#[derive(Debug)]
pub(crate) struct Budget {
    pub(crate) pages: u32,
    pub(crate) requests: u32,
    pub(crate) calls: u32,
    pub(crate) rows: u32,
    pub(crate) bytes: u64,
}

impl Budget {
    pub(crate) fn new() -> Self {
        Self { pages: PAGES, requests: REQUESTS, calls: CALLS, rows: ROWS, bytes: BYTES }
    }

    /// Whether nothing was used yet.
    pub(crate) fn is_fresh(&self) -> bool {
        self.pages == PAGES && self.requests == REQUESTS && self.bytes == BYTES
    }

    /// Whether there is enough of everything for one more page of ordinary size.
    pub(crate) fn lasts(&self, cx: &Cx) -> bool {
        self.pages > 0
            && self.requests >= 4
            && self.calls >= 500
            && self.rows >= 500
            && self.bytes > 0
            && cx.elapsed() < MILLISECONDS
    }

    /// Whether a page with so many links fits in; the first page of a step always does.
    pub(crate) fn holds_links(&self, links: usize) -> bool {
        let links = u32::try_from(links).unwrap_or(u32::MAX);
        self.pages == PAGES
            || (self.rows > links.saturating_add(400) && self.calls > links.saturating_add(200).min(CALLS - 200))
    }

    /// Whether nothing more may be looked up or written: a page with thousands of different links is followed in part.
    pub(crate) fn is_spent(&self) -> bool {
        self.rows < 20 || self.calls < 100
    }

    /// Sets rows aside.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.rows = self.rows.saturating_sub(u32::try_from(rows).unwrap_or(u32::MAX));
    }

    pub(crate) fn call(&mut self) {
        self.calls = self.calls.saturating_sub(1);
    }

    /// One request; the redirects that the host follows are part of it.
    pub(crate) fn request(&mut self) {
        self.call();
        self.requests = self.requests.saturating_sub(1);
    }

    /// Ends the step after what is being done.
    pub(crate) fn end(&mut self) {
        self.pages = 0;
    }

    pub(crate) fn row(&mut self) {
        self.rows = self.rows.saturating_sub(1);
    }
}
