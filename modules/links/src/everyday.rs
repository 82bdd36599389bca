//! Kept here: words that name no page although one is called so, such as `time` where every page speaks of time.

use std::collections::{HashMap, HashSet};

use kit::inverted::Terms;
use kit::phrases::{Code, Reader, own_titles};
use sdk::prelude::*;

use crate::node::{self, Name};
use crate::stored::{Graph, Indexed};
use crate::texts;

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
    let (mut all, mut holders) = (0, HashMap::new());
    for number in 0..indexed.segments.len().min(SEGMENTS) {
        let Some(mut segment) = texts::segment(cx, &graph.run_ref, number) else { continue };
        all += u64::from(segment.texts());
        for (hash, count) in segment.vocabulary().unwrap_or_default() {
            if alone.contains_key(&hash) {
                *holders.entry(hash).or_insert(0) += u64::from(count);
            }
        }
    }
    let common = |hash: &u64| holders.get(hash).is_some_and(|count| *count > FEW && *count > all / SHARE);
    let mut codes: Vec<u64> =
        alone.iter().filter(|(hash, _)| common(hash)).flat_map(|(_, codes)| codes).map(|code| code.0).collect();
    codes.sort_unstable();
    node::write(cx, &node::blob(graph.id.as_str(), "common", 0), &codes)?;
    Ok(())
}

/// What was found; nothing for graphs that are older than this.
pub(crate) fn read(cx: &Cx, graph: &Stored<Graph>) -> Result<HashSet<Code>> {
    Ok(node::read(cx, &node::blob(graph.id.as_str(), "common", 0))?.into_iter().map(Code).collect())
}

/// Where in a name its only telling word stands; none where it has several, or none.
pub(crate) fn only_telling(name: &[Code]) -> Option<usize> {
    let mut telling = (0..name.len()).filter(|at| !name[*at].is_stop());
    telling.next().filter(|_| telling.next().is_none())
}

/// The only telling words of names: as the index knows them, each with all that it is where names are compared.
fn alone(names: &[Name], language: &str, terms: &mut Terms) -> HashMap<u64, HashSet<Code>> {
    let mut reader = Reader::new(language);
    let titles: Vec<&str> = names.iter().map(|name| name.title.as_str()).collect();
    let mut alone: HashMap<u64, HashSet<Code>> = HashMap::new();
    for name in own_titles(&titles).into_iter().chain(names.iter().map(|name| name.h1.as_str())) {
        let (codes, places): (Vec<_>, Vec<_>) = reader.places(name).into_iter().unzip();
        let Some(at) = only_telling(&codes) else { continue };
        if let Some(hash) = terms.hashes(&name[places[at].clone()]).next() {
            alone.entry(hash).or_default().insert(codes[at]);
        }
    }
    alone
}
