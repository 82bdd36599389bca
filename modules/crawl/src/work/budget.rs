//! How much one step may still do. Each number is well below the host's limit for a step
//! (60 s, 64 outside requests, 10,000 host calls, 20,000 rows written, 5 G fuel, 256 MiB).

use sdk::prelude::*;

/// Pages in one step.
pub(crate) const PAGES: u32 = 50;
/// A step begins nothing new after this many milliseconds: the slowest thing that can follow takes 28 seconds
/// (a wait, rules, headers, a page, each at its own limit).
const MILLISECONDS: u64 = 30_000;
const REQUESTS: u32 = 62;
const CALLS: u32 = 8_500;
/// A step is one commit, and everybody else waits for it: so many rows with their indexes are half a second on a slow disk.
const ROWS: u32 = 6_000;
/// Bytes of HTML read, with what their links count for: what keeps the fuel within bounds, at 850 to 1,200 units each. Measured
/// in the sandbox: 1,600 to 1,900 units a byte of a page as it stands, 700 of them for its text.
/// A page that does not fit waits for the next step, and the first page of a step always fits.
const BYTES: u64 = 3_400_000;
/// The same of one page alone, together with its main text: more of it than this is not read.
const PAGE: u64 = 2_700_000;
/// What a letter of a script without spaces counts for, in bytes.
const LETTER: u64 = 5;
/// What a link costs beside the bytes that it is written in: it is followed, counted and stored.
const LINK: u64 = 120;

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

    /// Whether a page of so many bytes is worth reading now.
    pub(crate) fn holds_bytes(&self, body: &[u8]) -> bool {
        self.pages == PAGES || weight(body, 0) <= self.bytes
    }

    /// Whether a page with so many links fits in, once it is read.
    pub(crate) fn holds_links(&self, body: &[u8], links: usize) -> bool {
        let few = u32::try_from(links).unwrap_or(u32::MAX);
        self.pages == PAGES
            || (self.rows > few.saturating_add(400)
                && self.calls > few.saturating_add(200).min(CALLS - 200)
                && weight(body, links) <= self.bytes)
    }

    /// Takes what a page costs.
    pub(crate) fn page(&mut self, body: &[u8], links: usize) {
        self.bytes = self.bytes.saturating_sub(weight(body, links));
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

    /// Whether reading pages has taken a large part of the step's fuel.
    pub(crate) fn has_read_much(&self) -> bool {
        self.bytes < BYTES / 2
    }

    /// Ends the step after what is being done.
    pub(crate) fn end(&mut self) {
        self.pages = 0;
    }

    pub(crate) fn row(&mut self) {
        self.rows = self.rows.saturating_sub(1);
    }
}

/// How much of a page is read: the first of its bytes that one step has fuel for.
pub(crate) fn readable(body: &[u8]) -> usize {
    kit::weight::within(body, PAGE, LETTER)
}

fn weight(body: &[u8], links: usize) -> u64 {
    kit::weight::of(body, LETTER) + links as u64 * LINK
}

#[cfg(test)]
mod tests {
    //! What one step takes on.

    use super::{BYTES, Budget, readable};

    #[test]
    fn the_first_page_of_a_step_always_fits_and_another_only_with_all_its_links() {
        let mut budget = Budget::new();
        let plain = |bytes: usize| vec![b'a'; bytes];
        let (huge, whole) = (plain(8 << 20), usize::try_from(BYTES).unwrap());
        assert!(budget.holds_bytes(&huge) && budget.holds_links(&huge, 50_000));
        budget.pages -= 1;
        assert!(budget.holds_bytes(&plain(whole)) && !budget.holds_bytes(&plain(whole + 1)));
        assert!(budget.holds_links(&plain(whole), 0) && !budget.holds_links(&plain(whole), 1));
        budget.page(&plain(whole - 12_000), 0);
        assert!(budget.holds_links(&[], 100) && !budget.holds_links(&[], 101));
        assert!(budget.holds_bytes("ก".repeat(2_400).as_bytes()) && !budget.holds_bytes("ก".repeat(2_401).as_bytes()));
        budget.page(&huge, 0);
        assert!(!budget.holds_bytes(&plain(1)));
    }

    #[test]
    fn less_is_read_of_a_page_whose_letters_take_longer() {
        assert_eq!(readable(&vec![b'a'; 2_000_000]), 2_000_000);
        assert_eq!(readable(&vec![b'a'; 3_000_000]), 2_700_000);
        assert_eq!(readable("ก".repeat(700_000).as_bytes()), 1_620_000);
    }
}
