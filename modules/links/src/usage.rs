//! How a website speaks: which words stand in how many of its texts, how often it says what pages are called and
//! links it, and what an average text of it is like. Some hundred texts, taken evenly, tell.

mod linked;

use std::collections::{HashMap, HashSet};

use kit::phrases::{Code, Phrases};
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::names::Called;
use crate::node::{self, Name, Node};
use crate::stored::Graph;
use crate::wording::Form;
use linked::{Links, linked, spelled};

/// Texts that are read.
const SAMPLE: usize = 400;
/// Bytes of them.
const BYTES: usize = 6 << 20;
/// Texts from which on shares of them say something.
const ENOUGH: u32 = 50;
/// Characters of each of them.
const READ: usize = 60_000;
/// Characters of a text, and words, that say what it is about: a call reads dozens.
const ABOUT: (usize, usize) = (20_000, 3_500);
/// Words that are kept, those that most texts hold: what is in one text alone is rare.
const WORDS: usize = 10_000;
/// What more than one of so many texts say names no page, such as `time` where every page speaks of time.
const SHARE: u32 = 12;
/// The share of the texts from which on a word is a common one, such as `data` in a manual of programming: a name of common
/// words alone, such as `data types`, is said of everything.
const COMMON: f64 = 0.4;
/// In a handful of texts a phrase may stand by chance.
const FEW: u32 = 4;
/// Pages whose links say what a phrase stands for.
const TELLING: u32 = 3;
/// A website that links one of so many names somewhere is fond of links: what it does not link says something too.
const FOND: usize = 5;
/// What one of so many texts say and none links was passed over there.
const PASSED: u32 = 30;
/// The share of the texts which say a word that alone names a page that link it there. Where fewer do, the word mostly means
/// another thing.
const LINKED: f64 = 0.4;
/// The same for a word that is written as any other, such as `queue`. It has to be a link to the page in two of three texts:
/// what is left is rather where it means another thing.
const MOSTLY: f64 = 2.0 / 3.0;
/// How much more alike than two pages by chance a page is to one that it should link to.
const ALIKE: f64 = 1.5;

/// What is kept with a graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Kept {
    /// Texts that were read.
    read: u32,
    /// Texts that there are.
    texts: u32,
    /// Words, in how many of the texts that were read.
    words: Vec<(u64, u32)>,
    /// Phrases that name pages, in how many of them; single words that are links also by how they are written, in how many of
    /// all texts.
    phrases: Vec<(u64, u32)>,
    /// Phrases that name pages, with the pages that they lead to as links in running text, and on how many pages they do.
    links: Vec<(u64, Vec<(u32, u32)>)>,
    /// Whether the website links what pages are called.
    fond: bool,
    /// The mean of all texts as vectors.
    average: Vec<(u64, f32)>,
}

/// What a text is about: its words by how much they tell, of length 1.
pub(crate) type Profile = HashMap<Code, f64>;

/// How a website speaks. Of one whose texts are not known nothing is held against a name.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    read: u32,
    texts: u32,
    fond: bool,
    words: HashMap<Code, u32>,
    phrases: HashMap<u64, u32>,
    links: HashMap<u64, Vec<(u32, u32)>>,
    average: Profile,
}

impl Usage {
    /// What was found when the graph was built; nothing for graphs that are older than this.
    pub(crate) fn read(cx: &Cx, graph: &Stored<Graph>) -> Result<Self> {
        let kept: Option<Kept> = node::read(cx, &node::blob(graph.id.as_str(), "usage", 0))?.into_iter().next();
        Ok(kept.map(Self::of).unwrap_or_default())
    }

    fn of(kept: Kept) -> Self {
        Self {
            read: kept.read,
            texts: kept.texts,
            fond: kept.fond,
            words: kept.words.into_iter().map(|(word, texts)| (Code(word), texts)).collect(),
            phrases: kept.phrases.into_iter().collect(),
            links: kept.links.into_iter().collect(),
            average: kept.average.into_iter().map(|(word, weight)| (Code(word), f64::from(weight))).collect(),
        }
    }

    /// Whether the website links a phrase, and mostly to other pages than this one.
    pub(crate) fn leads_elsewhere(&self, phrase: u64, page: u32) -> bool {
        let (own, all) = self.linked(phrase, page);
        all >= TELLING && own * 2 < all
    }

    /// Whether a phrase of a page's name stands for that page where it is said: it is not said everywhere, and a website that
    /// is fond of links neither links it to other pages nor passes it over. A single word it links often, and one that is not
    /// written as a name most of the time, in this very form.
    pub(crate) fn names(&self, phrase: u64, page: u32, form: Form) -> bool {
        let said = self.phrases.get(&phrase).copied().unwrap_or(0);
        let own = self.linked(phrase, page).0;
        if self.is_everywhere(said) || self.leads_elsewhere(phrase, page) {
            return false;
        }
        if !self.fond {
            return true;
        }
        let texts = f64::from(said) * f64::from(self.texts) / f64::from(self.read.max(1));
        match form {
            Form::Word(word) => {
                let word = spelled(phrase, word);
                // Links are known of all texts, those that are too long to be read and their ends too: so must the word be.
                let texts = self.phrases.get(&word).map_or(texts, |all| f64::from(*all).max(texts));
                f64::from(self.linked(word, page).0) > MOSTLY * texts
            }
            _ if said <= FEW => true,
            Form::Name => f64::from(own) >= LINKED * texts,
            Form::Phrase => own > 0 || said <= self.read / PASSED,
        }
    }

    /// Whether a phrase is said in so few texts that whatever text says it means the page.
    pub(crate) fn is_rare(&self, phrase: u64) -> bool {
        self.phrases.get(&phrase).copied().unwrap_or(0) <= FEW
    }

    /// Whether a name of these words is no ordinary phrase: one of them at least is not in most texts.
    pub(crate) fn is_distinctive(&self, mut name: impl Iterator<Item = Code>) -> bool {
        let common =
            |word: Code| f64::from(self.words.get(&word).copied().unwrap_or(0)) > COMMON * f64::from(self.read);
        self.read < ENOUGH || name.any(|word| !word.is_stop() && !common(word))
    }

    /// The pages that link a phrase to a page, and to any.
    fn linked(&self, phrase: u64, page: u32) -> (u32, u32) {
        let links = self.links.get(&phrase).map_or(&[][..], Vec::as_slice);
        let own = links.iter().filter(|(to, _)| *to == page);
        (own.map(|(_, links)| links).sum(), links.iter().map(|(_, links)| links).sum())
    }

    const fn is_everywhere(&self, said: u32) -> bool {
        said > FEW && said > self.read / SHARE
    }

    /// What a text is about.
    pub(crate) fn profile(&self, words: &[Code]) -> Profile {
        let mut times: HashMap<Code, f64> = HashMap::new();
        words.iter().filter(|code| !code.is_stop()).for_each(|code| *times.entry(*code).or_default() += 1.0);
        for (code, weight) in &mut times {
            *weight = (1.0 + weight.ln()) * self.weight(*code);
        }
        let length = times.values().map(|it| it * it).sum::<f64>().sqrt();
        times.values_mut().for_each(|weight| *weight /= length.max(f64::MIN_POSITIVE));
        times
    }

    fn weight(&self, code: Code) -> f64 {
        let (all, holders) = (f64::from(self.read), f64::from(self.words.get(&code).copied().unwrap_or(1)));
        (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln()
    }

    /// How alike two texts are, 0 to 1; none when they are no more alike than two texts by chance.
    pub(crate) fn alike(&self, a: &Profile, b: &Profile) -> Option<f64> {
        let alike = cosine(a, b);
        let by_chance = (cosine(a, &self.average) * cosine(b, &self.average)).sqrt();
        (self.read < ENOUGH || alike >= ALIKE * by_chance).then_some(alike.min(1.0))
    }
}

/// The part of a text that says what it is about.
pub(crate) fn about(text: &str) -> &str {
    kit::text::clip(text, ABOUT.0)
}

fn cosine(a: &Profile, b: &Profile) -> f64 {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter_map(|(code, weight)| Some(weight * many.get(code)?)).sum()
}

/// Reads how the website of a graph speaks, and keeps it with the graph. A crawl without an index has nothing of it.
pub(crate) fn find(cx: &Cx, graph: &Stored<Graph>, nodes: &[Node], names: &[Name]) -> Result<()> {
    let Some(indexed) = cx.records::<texts::Indexed>().find(&Id::new(&graph.run_ref)) else { return Ok(()) };
    let texts: u32 = indexed.segments.iter().sum();
    let mut called = Called::of(nodes, names, &graph.language);
    let phrases = called.phrases(nodes, |_| true);
    let mut read: Vec<Vec<Code>> = Vec::new();
    let mut bytes = 0;
    for text in texts::evenly(cx, &graph.run_ref, &indexed.segments, SAMPLE) {
        bytes += text.plain.len();
        let plain = called.codes(kit::text::clip(&text.plain, READ));
        read.push(called.codes(&text.title).into_iter().chain(plain).collect());
        if bytes > BYTES {
            break;
        }
    }
    let (mut words, mut spoken): (HashMap<Code, u32>, HashMap<u64, u32>) = (HashMap::new(), HashMap::new());
    for text in &read {
        let different: HashSet<Code> = text.iter().copied().filter(|code| !code.is_stop()).collect();
        different.into_iter().for_each(|code| *words.entry(code).or_default() += 1);
        let different: HashSet<u64> = phrases.spoken(text).collect();
        different.into_iter().for_each(|phrase| *spoken.entry(phrase).or_default() += 1);
    }
    let mut usage = Usage { read: u32::try_from(read.len()).unwrap_or(u32::MAX), texts, words, ..Usage::default() };
    let mut average: HashMap<Code, f64> = HashMap::new();
    for text in &read {
        usage
            .profile(&text[..text.len().min(ABOUT.1)])
            .into_iter()
            .for_each(|(code, weight)| *average.entry(code).or_default() += weight);
    }
    average.values_mut().for_each(|weight| *weight /= f64::from(usage.read.max(1)));
    let Links { phrases: links, words } = linked(cx, graph, names, &mut called, &phrases)?;
    let holders = texts::holders(cx, &graph.run_ref, words.values().map(String::as_str));
    let written = words.iter().filter_map(|(number, word)| Some((*number, *holders.get(word.as_str())?)));
    usage.phrases = written.collect();
    usage.links = links;
    let kept = keep(usage, &spoken, &phrases, average);
    node::write(cx, &node::blob(graph.id.as_str(), "usage", 0), &[kept])?;
    Ok(())
}

fn keep(usage: Usage, spoken: &HashMap<u64, u32>, phrases: &Phrases, average: HashMap<Code, f64>) -> Kept {
    let names: Vec<u64> = spoken
        .iter()
        .filter(|(_, said)| **said > FEW && !usage.is_everywhere(**said))
        .map(|(phrase, _)| *phrase)
        .collect();
    let links = |phrase: &&u64| {
        let pages = phrases.pages(**phrase);
        usage.links.get(*phrase).into_iter().flatten().any(|(to, _)| pages.iter().any(|(page, _)| page == to))
    };
    let fond = !names.is_empty() && names.iter().filter(links).count() * FOND >= names.len();
    let mut words: Vec<(u64, u32)> = usage.words.into_iter().map(|(code, texts)| (code.0, texts)).collect();
    words.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    words.truncate(WORDS);
    let mut phrases: Vec<(u64, u32)> =
        spoken.iter().map(|(phrase, texts)| (*phrase, *texts)).chain(usage.phrases).collect();
    phrases.sort_unstable();
    let mut to: Vec<(u64, Vec<(u32, u32)>)> = usage.links.into_iter().collect();
    to.sort_unstable();
    #[expect(clippy::cast_possible_truncation, reason = "a weight from 0 to 1")]
    let mut average: Vec<(u64, f32)> = average.into_iter().map(|(code, weight)| (code.0, weight as f32)).collect();
    average.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    average.truncate(WORDS);
    Kept { read: usage.read, texts: usage.texts, words, phrases, links: to, fond, average }
}

#[cfg(test)]
mod tests;
