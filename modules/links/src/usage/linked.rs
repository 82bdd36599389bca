//! What phrases that name pages lead to where a website links them, and on how many pages.

use std::collections::HashMap;

use kit::phrases::{Phrases, number};
use sdk::prelude::*;

use crate::names::Called;
use crate::node::{self, Name};
use crate::stored::Graph;

/// Where the links of a website lead.
#[derive(Default)]
pub(super) struct Links {
    /// Phrases that name pages, with the pages that they lead to and on how many pages they do.
    pub(super) phrases: HashMap<u64, Vec<(u32, u32)>>,
    /// The single words among them as they are written, by their numbers.
    pub(super) words: HashMap<u64, String>,
}

/// What phrases that name pages lead to as links in running text. Links that say a whole title are left out: lists of
/// contents do.
pub(super) fn linked(
    cx: &Cx,
    graph: &Stored<Graph>,
    names: &[Name],
    called: &mut Called,
    phrases: &Phrases,
) -> Result<Links> {
    let mut links = Links::default();
    let anchors = node::anchors(cx, graph)?.into_iter().zip(node::speakers(cx, graph)?);
    for (anchor, pages) in anchors.filter(|(_, pages)| *pages > 0) {
        let Some(name) = names.get(anchor.target as usize) else { continue };
        let words = called.codes(&anchor.text);
        let phrase = number(&words);
        let whole = [&name.title, &name.h1].into_iter().any(|it| bare(it) == bare(&anchor.text));
        if !whole && !phrases.pages(phrase).is_empty() {
            links.phrases.entry(phrase).or_default().push((anchor.target, pages));
            if words.len() == 1 {
                let word = anchor.text.trim();
                let number = spelled(phrase, word);
                links.phrases.entry(number).or_default().push((anchor.target, pages));
                links.words.entry(number).or_insert_with(|| word.to_owned());
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
