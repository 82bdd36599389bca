//! Kept here: what phrases that name pages lead to where a website links them, and on how many pages.

use std::collections::HashMap;

use kit::phrases::{Phrases, number};
use sdk::prelude::*;

use crate::names::Called;
use crate::node::{self, Name};
use crate::stored::Graph;

/// What phrases that name pages lead to as links in running text. Links that say a whole title are left out: lists of
/// contents do.
pub(super) fn linked(
    cx: &Cx,
    graph: &Stored<Graph>,
    names: &[Name],
    called: &mut Called,
    phrases: &Phrases,
) -> Result<HashMap<u64, Vec<(u32, u32)>>> {
    let mut links: HashMap<u64, Vec<(u32, u32)>> = HashMap::new();
    let anchors = node::anchors(cx, graph)?.into_iter().zip(node::speakers(cx, graph)?);
    for (anchor, pages) in anchors.filter(|(_, pages)| *pages > 0) {
        let Some(name) = names.get(anchor.target as usize) else { continue };
        let words = called.codes(&anchor.text);
        let phrase = number(&words);
        let whole = [&name.title, &name.h1].into_iter().any(|it| bare(it) == bare(&anchor.text));
        if !whole && !phrases.pages(phrase).is_empty() {
            links.entry(phrase).or_default().push((anchor.target, pages));
            if words.len() == 1 {
                links.entry(spelled(phrase, anchor.text.trim())).or_default().push((anchor.target, pages));
            }
        }
    }
    Ok(links)
}

/// A single word in one form: links to the class `Queue` or to `queue()` do not say what `queue` is.
pub(super) fn spelled(phrase: u64, word: &str) -> u64 {
    word.bytes().fold(phrase, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Without the signs around it, such as those that lead to a heading.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}
