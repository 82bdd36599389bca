//! Where a page could link to another: sentences of running text that name it, and how well they fit.

mod said;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use kit::bm25::fields::{Field, term};
use kit::phrases::{Code, Named, Phrases, likeness};
use kit::sentence::sentences;
use serde::{Deserialize, Serialize};

use crate::names::Called;
use crate::node::{Name, Node};
use crate::usage::{Usage, about};
use crate::wording::{Form, as_named, ends_a_name, goes_on, is_prose, is_verb, stands_alone};
use said::Said;
use texts::Text;

/// Words of a sentence: fewer are a heading or a button, more are no sentence.
const WORDS: Range<usize> = 6..70;
/// Characters of a sentence.
const CHARACTERS: usize = 600;
/// The fields that are compared with the name of the target: the sentence, and the title of its page.
const SENTENCE: Field = Field { weight: 1.0, b: 0.4, average: 20.0 };
const TITLE: Field = Field { weight: 0.5, b: 0.5, average: 8.0 };
/// What a sentence keeps whose page is about something else.
const FLOOR: f64 = 0.25;
/// Pages that one page names whose texts are read, the best first.
const TARGETS: usize = 12;
/// The part of a name from which on it is the whole one: what is left are words that mean nothing alone.
const WHOLE: f32 = 0.999;
/// Texts of targets that are kept in mind.
const KEPT: usize = 400;
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

/// The best place on a page for a link to one other.
struct Place {
    score: f64,
    /// The whole name of the page stands there, and no other page has it.
    whole: bool,
    phrase: u64,
    sentence: String,
    anchor: String,
}

/// Reads a text.
type Read<'a> = Box<dyn FnMut(&str) -> Option<Text> + 'a>;

/// Finds places for links to some of the pages of a graph.
pub(crate) struct Engine<'a> {
    nodes: &'a [Node],
    names: &'a [Name],
    /// Whether the texts are English.
    english: bool,
    usage: &'a Usage,
    called: Called,
    phrases: Phrases,
    /// Reads the text of a page by its address.
    text: Read<'a>,
    targets: HashMap<u32, Option<Said>>,
    /// Pairs that need no link more.
    skip: HashSet<(u32, u32)>,
    /// The telling words of each name that a line may have; none looks at all lines.
    wanted: Vec<Vec<Code>>,
    /// Further names of pages: the queries that they are shown for.
    queries: HashMap<u32, Vec<String>>,
}

impl<'a> Engine<'a> {
    /// `targets` says which pages links are wanted for; of those, pages that search engines may show are.
    pub(crate) fn new(
        nodes: &'a [Node],
        names: &'a [Name],
        language: &str,
        usage: &'a Usage,
        skip: HashSet<(u32, u32)>,
        targets: impl Fn(u32) -> bool,
    ) -> Self {
        let called = Called::of(nodes, names, language);
        let phrases = called.phrases(nodes, targets);
        let (text, targets): (Read<'a>, _) = (Box::new(|_| None), HashMap::new());
        Self {
            nodes,
            names,
            english: language == "en",
            usage,
            called,
            phrases,
            text,
            targets,
            skip,
            wanted: Vec::new(),
            queries: HashMap::new(),
        }
    }

    /// Takes queries that a page is shown for as further names of it: those of two telling words and more.
    pub(crate) fn also_called(mut self, page: u32, queries: Vec<String>) -> Self {
        for query in &queries {
            let codes = self.called.codes(query);
            if codes.iter().filter(|code| !code.is_stop()).count() > 1 {
                self.phrases.add(page, &codes, &self.called.rarity);
            }
        }
        self.queries.insert(page, queries);
        self
    }

    /// Compares the text of a page with that of the page that it names, and leaves out what is about something else. Without
    /// this only names are compared.
    pub(crate) fn reading(mut self, text: impl FnMut(&str) -> Option<Text> + 'a) -> Self {
        self.text = Box::new(text);
        self
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
        let (headings, code): (HashSet<&str>, _) = (text.headings.lines().map(str::trim).collect(), text.code());
        let title = self.called.codes(&text.title);
        let mut best: BTreeMap<u32, Place> = BTreeMap::new();
        let lines: Vec<&str> = text.plain.lines().filter(|line| self.may_name(line)).collect();
        for sentence in lines.into_iter().filter(|line| !code.contains(line.trim())).flat_map(sentences) {
            if sentence.len() > CHARACTERS || headings.contains(sentence.trim()) {
                continue;
            }
            let places = self.called.places(sentence);
            if !WORDS.contains(&places.len()) || (self.called.has_stops() && !is_prose(sentence, &places)) {
                continue;
            }
            let codes: Vec<Code> = places.iter().map(|(code, _)| *code).collect();
            let linked = linked_words(sentence, &places, anchors);
            let taken = |words: &Range<usize>| {
                linked.iter().any(|it| it.start < words.end && words.start < it.end)
                    || !stands_alone(sentence, &places[words.clone()])
            };
            for named in self.phrases.find(&codes, taken) {
                if named.page == source || self.skip.contains(&(source, named.page)) {
                    continue;
                }
                // A page that is called so as well speaks of itself.
                let own = &self.called.words[source as usize];
                let telling = codes[named.words.clone()].iter().filter(|code| !code.is_stop());
                if named.words.len() > 1
                    && telling.clone().count() > 1
                    && telling.into_iter().all(|it| own.contains(it))
                {
                    continue;
                }
                let score = self.score(named.page, &codes, &title) * f64::from(named.share);
                let whole = self.is_whole(&named, &codes);
                let is_better = |it: &Place| (whole, score) > (it.whole, it.score);
                if best.get(&named.page).is_none_or(is_better) && self.is_named(&named, whole, sentence, &places) {
                    let anchor = &sentence[places[named.words.start].1.start..places[named.words.end - 1].1.end];
                    let (phrase, sentence, anchor) = (named.phrase, sentence.to_owned(), anchor.to_owned());
                    best.insert(named.page, Place { score, whole, phrase, sentence, anchor });
                }
            }
        }
        self.alike(source, &text.plain, best)
    }

    /// Whether the words are the whole name of one page: two telling words or more, not all of them common ones, and no
    /// other page is called so.
    fn is_whole(&self, named: &Named, codes: &[Code]) -> bool {
        let words = &codes[named.words.clone()];
        let telling = words.iter().filter(|code| !code.is_stop()).count();
        let called = self.phrases.pages(named.phrase).iter().filter(|(_, share)| *share >= WHOLE).count();
        telling > 1 && named.share >= WHOLE && called == 1 && self.usage.is_distinctive(words.iter().copied())
    }

    /// Whether the page is called as the sentence says, and those words stand for it on this website. A part of a name does not
    /// where more is said.
    fn is_named(&mut self, named: &Named, whole: bool, sentence: &str, places: &[(Code, Range<usize>)]) -> bool {
        if named.share < 1.0 && self.called.has_stops() && goes_on(sentence, places, &named.words) {
            return false;
        }
        let found: Vec<(Code, &str)> =
            places[named.words.clone()].iter().map(|(code, at)| (*code, &sentence[at.clone()])).collect();
        let single = found.iter().filter(|(code, _)| !code.is_stop()).count() == 1;
        let form = Form::of(sentence, &places[named.words.clone()]);
        let stands = if whole {
            !self.usage.leads_elsewhere(named.phrase, named.page)
        } else {
            self.usage.names(named.phrase, named.page, form)
        };
        if !stands {
            return false;
        }
        let name = &self.names[named.page as usize];
        let mut known = Vec::new();
        let queries = self.queries.get(&named.page).map(Vec::as_slice).unwrap_or_default();
        for text in [name.title.as_str(), &name.h1].into_iter().chain(queries.iter().map(String::as_str)) {
            known.extend(self.called.places(text).into_iter().map(|(code, at)| (code, &text[at])));
        }
        let misread = !single
            && (ends_a_name(sentence, places, &named.words)
                || (self.english && is_verb(sentence, places, &named.words, &known)));
        !misread && as_named(&known, &found, single)
    }

    /// The places whose page is about what the target is about, the best first.
    fn alike(&mut self, source: u32, plain: &str, best: BTreeMap<u32, Place>) -> Vec<Candidate> {
        if best.is_empty() {
            return Vec::new();
        }
        let mut best: Vec<(u32, Place)> = best.into_iter().collect();
        // Where the whole name of a page stands nothing more is to be known; of the others the best are compared.
        best.sort_by(|a, b| b.1.whole.cmp(&a.1.whole).then(b.1.score.total_cmp(&a.1.score)).then(a.0.cmp(&b.0)));
        let certain = best.iter().filter(|(_, place)| place.whole).count();
        best.truncate(certain + TARGETS);
        let whole = self.called.codes(about(plain));
        let said = Said::of(&whole, &self.phrases, self.usage);
        let mut found = Vec::new();
        for (target, place) in best {
            self.look_up(target);
            let alike = match self.targets.get(&target).and_then(Option::as_ref) {
                None => Some(likeness(&whole, &self.called.words[target as usize], &self.called.rarity)),
                Some(it) if !place.whole && !it.is_about(place.phrase, &said) => None,
                // A name that many texts say leads from those that are of its page's subject.
                Some(it) => {
                    let anywhere = place.whole && self.usage.is_rare(place.phrase);
                    self.usage.alike(&said.about, &it.about).or(anywhere.then_some(0.0))
                }
            };
            if let Some(alike) = alike {
                let relevance = place.score * (FLOOR + (1.0 - FLOOR) * alike);
                let Place { sentence, anchor, .. } = place;
                found.push(Candidate { source, target, sentence, anchor, relevance });
            }
        }
        found.sort_by(|a, b| b.relevance.total_cmp(&a.relevance).then(a.target.cmp(&b.target)));
        found
    }

    fn look_up(&mut self, target: u32) {
        if self.targets.contains_key(&target) {
            return;
        }
        if self.targets.len() >= KEPT {
            self.targets.clear();
        }
        let text = (self.text)(&self.nodes[target as usize].url);
        let codes = text.map(|text| self.called.codes(about(&text.plain)));
        let said = codes.map(|codes| Said::of(&codes, &self.phrases, self.usage));
        self.targets.insert(target, said);
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
