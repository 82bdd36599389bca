//! The structured data of a live page.

use sdk::Degraded;
use site::live::Live;

use crate::extract::{self, Extracted};

/// Bytes of each page, where many are read in one call.
pub(crate) const FEWER_BYTES: u32 = 192 << 10;

/// The structured data of a page.
pub(crate) fn extracted(page: &Live) -> Extracted {
    extract::extract(&page.dom, &page.base)
}

/// What a cut page or a cut extraction leaves out.
pub(crate) fn missing(page: &Live, found: &Extracted) -> Vec<Degraded> {
    let mut out = Vec::new();
    if page.facts.truncated {
        out.push(Degraded::new("page", "the page is longer than what is read; its end was not looked at"));
    }
    if found.cut {
        out.push(Degraded::new("items", format!("only the first {} items were read", extract::MOST_ITEMS)));
    }
    out
}
