//! Kept here: where a page could link to another: sentences of running text that name it, and how well they fit.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use kit::bm25::fields::{Field, term};
use kit::phrases::{Code, Phrases, likeness};
use kit::sentence::sentences;
use serde::{Deserialize, Serialize};

use crate::everyday::only_telling;
use crate::names::Called;
use crate::node::{Name, Node};
use crate::texts::Text;

/// Words of a sentence: fewer are a heading or a button, more are no sentence.
const WORDS: Range<usize> = 6..70;
/// Characters of a sentence.
const CHARACTERS: usize = 600;
/// The fields that are compared with the name of the target: the sentence, and the title of its page.
const SENTENCE: Field = Field { weight: 1.0, b: 0.4, average: 20.0 };
const TITLE: Field = Field { weight: 0.5, b: 0.5, average: 8.0 };
/// What a sentence keeps whose page is about something else.
const FLOOR: f64 = 0.25;

/// A place for a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Candidate {
    /// The page that would link.
    pub(crate) source: u32,
    /// The page that it would link to.
    pub(crate) target: u32,
    pub(crate) sentence: String,
    /// Words of the sentence, as they stand in it.
    pub(crate) anchor: String,
    /// BM25F of the sentence for the target's name times the likeness of the pages, about 0 to 1.
    pub(crate) relevance: f64,
}

/// Finds places for links to some of the pages of a graph.
pub(crate) struct Engine<'a> {
    nodes: &'a [Node],
    called: Called,
    phrases: Phrases,
    /// Pairs that need no link more.
    skip: HashSet<(u32, u32)>,
    /// The telling words of each name that a line may have; none looks at all lines.
    wanted: Vec<Vec<Code>>,
}

impl<'a> Engine<'a> {
    /// `targets` says which pages links are wanted for; of those, pages that search engines may show are. A name whose only
    /// telling word is one of `common` names nothing.
    pub(crate) fn new(
        nodes: &'a [Node],
        names: &[Name],
        language: &str,
        common: &HashSet<Code>,
        skip: HashSet<(u32, u32)>,
        targets: impl Fn(u32) -> bool,
    ) -> Self {
        let called = Called::of(nodes, names, language);
        let mut phrases = Phrases::default();
        for (at, node) in (0_u32..).zip(nodes) {
            // The home page is linked everywhere.
            if node.is_sound() && node.depth != Some(0) && targets(at) {
                for name in [&called.titles[at as usize], &called.headings[at as usize]] {
                    if !only_telling(name).is_some_and(|at| common.contains(&name[at])) {
                        phrases.add(at, name, &called.rarity);
                    }
                }
            }
        }
        Self { nodes, called, phrases, skip, wanted: Vec::new() }
    }

    /// Looks only at lines that may name what is called so: those with two telling words of a name, or with its only one.
    /// To look for sentences and phrases on sixty long pages for one target would be more than a call may do.
    pub(crate) fn looking_for(mut self, names: &[&str]) -> Self {
        for name in names {
            let mut telling = self.called.codes(name);
            telling.retain(|code| !code.is_stop());
            telling.sort_unstable();
            telling.dedup();
            if !telling.is_empty() {
                self.wanted.push(telling);
            }
        }
        self
    }

    fn may_name(&mut self, line: &str) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let line = self.called.codes(line);
        self.wanted.iter().any(|telling| {
            let there = telling.iter().filter(|code| line.contains(code)).take(2).count();
            there >= telling.len().min(2)
        })
    }

    /// The best place on a page for each target that it names. `anchors` are texts of links that the page has: a sentence
    /// is not taken where one stands on the words.
    pub(crate) fn candidates(&mut self, source: u32, text: &Text, anchors: &[String]) -> Vec<Candidate> {
        if !self.nodes[source as usize].is_sound() {
            return Vec::new();
        }
        let headings: HashSet<&str> = text.headings.lines().map(str::trim).collect();
        let title = self.called.codes(&text.title);
        let mut best: BTreeMap<u32, (f64, String, String)> = BTreeMap::new();
        let lines: Vec<&str> = text.plain.lines().filter(|line| self.may_name(line)).collect();
        for sentence in lines.into_iter().flat_map(sentences) {
            if sentence.len() > CHARACTERS || headings.contains(sentence.trim()) {
                continue;
            }
            let places = self.called.places(sentence);
            if !WORDS.contains(&places.len()) {
                continue;
            }
            let codes: Vec<Code> = places.iter().map(|(code, _)| *code).collect();
            let linked = linked_words(sentence, &places, anchors);
            let taken = |words: &Range<usize>| linked.iter().any(|it| it.start < words.end && words.start < it.end);
            for named in self.phrases.find(&codes, taken) {
                if named.page == source || self.skip.contains(&(source, named.page)) {
                    continue;
                }
                let score = self.score(named.page, &codes, &title) * f64::from(named.share);
                let known = best.get(&named.page).map_or(0.0, |it| it.0);
                if score > known {
                    let anchor = &sentence[places[named.words.start].1.start..places[named.words.end - 1].1.end];
                    best.insert(named.page, (score, sentence.to_owned(), anchor.to_owned()));
                }
            }
        }
        if best.is_empty() {
            return Vec::new();
        }
        let whole = self.called.codes(&text.plain);
        let found = best.into_iter().map(|(target, (score, sentence, anchor))| {
            let alike = likeness(&whole, &self.called.words[target as usize], &self.called.rarity);
            let relevance = score * (FLOOR + (1.0 - FLOOR) * alike);
            Candidate { source, target, sentence, anchor, relevance }
        });
        let mut found: Vec<Candidate> = found.collect();
        found.sort_by(|a, b| b.relevance.total_cmp(&a.relevance).then(a.target.cmp(&b.target)));
        found
    }

    /// BM25F of a sentence and its page's title for the name of a page, as a share of what the name could give.
    #[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
    fn score(&self, target: u32, sentence: &[Code], title: &[Code]) -> f64 {
        let mut query = self.called.words[target as usize].clone();
        query.sort_unstable();
        query.dedup();
        let times = |codes: &[Code], code: Code| codes.iter().filter(|it| **it == code).count() as f64;
        let of = |code: &Code| {
            let fields = [
                (SENTENCE, times(sentence, *code), sentence.len() as f64),
                (TITLE, times(title, *code), title.len() as f64),
            ];
            term(self.called.rarity.weight(*code), &fields)
        };
        let most = self.called.rarity.sum(&query);
        if most > 0.0 { query.iter().map(of).sum::<f64>() / most } else { 0.0 }
    }
}

/// How much a suggestion counts: its relevance times the logarithm of the authority of its page, 1 being average.
#[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
pub(crate) fn rank(candidate: &Candidate, nodes: &[Node]) -> f64 {
    candidate.relevance * (nodes[candidate.source as usize].authority * nodes.len() as f64).ln_1p()
}

/// Which words of a sentence stand where the text of a link stands.
fn linked_words(sentence: &str, places: &[(Code, Range<usize>)], anchors: &[String]) -> Vec<Range<usize>> {
    let found = anchors.iter().filter(|anchor| !anchor.is_empty()).flat_map(|anchor| {
        sentence.match_indices(anchor.as_str()).map(|(at, it)| {
            let start = places.partition_point(|(_, place)| place.end <= at);
            let end = places.partition_point(|(_, place)| place.start < at + it.len());
            start..end
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests;
