//! Kept here: words that name no page although one is called so, such as `time` where every page speaks of time.

use std::collections::{HashMap, HashSet};

use kit::inverted::{Segment, Terms};
use kit::phrases::{Code, Reader, own_titles};
use sdk::prelude::*;

use crate::node::{self, Name};
use crate::stored::{Graph, Indexed};

/// A word that more than one of so many texts hold names none of them.
const SHARE: u64 = 12;
/// In a handful of texts a word may stand by chance.
const FEW: u64 = 4;
/// Segments whose words are counted: 20,000 texts say what is common.
const SEGMENTS: usize = 10;

/// Finds the words that alone would name a page and are common in the texts of the crawl, and keeps them with the graph.
/// A crawl without an index has none.
pub(crate) fn find(cx: &Cx, graph: &Stored<Graph>, names: &[Name]) -> Result<()> {
    let Some(indexed) = cx.records::<Indexed>().find(&Id::new(&graph.run_ref)) else { return Ok(()) };
    let indexed = indexed.into_inner();
    let alone = alone(names, &graph.language, &mut Terms::of(&indexed.language));
    let (mut texts, mut holders) = (0, HashMap::new());
    for number in 0..indexed.segments.len().min(SEGMENTS) {
        let key = format!("crawl.index/{}/{number}", graph.run_ref);
        let Some(mut segment) = Segment::open(|from, length| cx.blobs().read(&key, from, length)) else { continue };
        texts += u64::from(segment.texts());
        for (hash, count) in segment.vocabulary().unwrap_or_default() {
            if alone.contains_key(&hash) {
                *holders.entry(hash).or_insert(0) += u64::from(count);
            }
        }
    }
    let common = |hash: &u64| holders.get(hash).is_some_and(|count| *count > FEW && *count > texts / SHARE);
    let mut codes: Vec<u64> = alone.iter().filter(|(hash, _)| common(hash)).map(|(_, code)| code.0).collect();
    codes.sort_unstable();
    node::write(cx, &node::blob(graph.id.as_str(), "common", 0), &codes)?;
    Ok(())
}

/// What was found; nothing for graphs that are older than this.
pub(crate) fn read(cx: &Cx, graph: &Stored<Graph>) -> Result<HashSet<Code>> {
    Ok(node::read(cx, &node::blob(graph.id.as_str(), "common", 0))?.into_iter().map(Code).collect())
}

/// The only telling words of names: as the index knows them, and as names are compared.
fn alone(names: &[Name], language: &str, terms: &mut Terms) -> HashMap<u64, Code> {
    let mut reader = Reader::new(language);
    let titles: Vec<&str> = names.iter().map(|name| name.title.as_str()).collect();
    let mut alone = HashMap::new();
    for name in own_titles(&titles).into_iter().chain(names.iter().map(|name| name.h1.as_str())) {
        let places = reader.places(name);
        let mut telling = places.into_iter().filter(|(code, _)| !code.is_stop());
        let (Some((code, place)), None) = (telling.next(), telling.next()) else { continue };
        alone.extend(terms.hashes(&name[place]).next().map(|hash| (hash, code)));
    }
    alone
}
