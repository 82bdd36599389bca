//! The texts of crawled pages, as the crawl kept them, and its search index.

use std::collections::{HashMap, HashSet};

use kit::crawled::{PageRecord, TextAt, page_id};
use kit::inverted::{Segment, Terms};
use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use site::Crawled;

/// Bytes of a text that is read for what it says of other pages: beyond are logs and lists of changes, and sixty of them
/// would be more than a call may read.
const LONGEST: u32 = 200_000;
/// Bytes of one pack.
const PACK: u32 = 8 << 20;

/// What a crawl worked out when it ended.
#[foreign(collection = "crawl.summaries", thing = "crawl_summary")]
#[serde(default)]
#[derive(Default)]
pub struct Indexed {
    /// The language that most pages declare.
    pub language: String,
    /// Texts of each part of the search index.
    pub segments: Vec<u32>,
    /// What the search needs to know of all texts.
    pub search: kit::inverted::Whole,
}

/// The text of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Text {
    /// The address.
    pub url: String,
    /// The title.
    pub title: String,
    /// All headings, one a line.
    pub headings: String,
    /// The main text.
    pub plain: String,
    /// The main text as Markdown.
    pub markdown: String,
}

impl Text {
    /// The lines of its blocks of code, without the white space around them: nobody links there.
    pub fn code(&self) -> HashSet<&str> {
        let mut inside = false;
        let lines = self.markdown.lines().map(str::trim).filter(|line| {
            let fence = line.starts_with("```");
            inside ^= fence;
            inside && !fence
        });
        lines.collect()
    }
}

/// Where the crawl keeps its packs of texts.
fn packs(run: &str, pack: u32) -> String {
    format!("crawl.text/{run}/{pack}")
}

/// The texts of a pack, read one by one.
pub struct Pack(Vec<u8>);

impl Pack {
    /// A pack of a crawl; without texts when it is not kept.
    pub fn read(cx: &Cx, run: &str, pack: u32) -> Self {
        Self(cx.blobs().read(&packs(run, pack), 0, PACK).unwrap_or_default())
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
    }

    /// How many there are.
    pub fn texts(&self) -> u32 {
        u32::try_from(self.lines().count()).unwrap_or(u32::MAX)
    }

    /// All after the first so many; none in the place of one that cannot be read.
    pub fn from(&self, first: u32) -> impl Iterator<Item = Option<Text>> {
        self.lines().skip(first as usize).map(|line| serde_json::from_slice(line).ok())
    }
}

/// The text of an address of a crawl; none when the crawl has no such page or kept no text of it.
pub fn of(cx: &Cx, run: &str, url: &str) -> Option<Text> {
    shorter(cx, run, url, u32::MAX)
}

/// The same of a text that is not of 200,000 bytes and more.
pub fn short(cx: &Cx, run: &str, url: &str) -> Option<Text> {
    shorter(cx, run, url, LONGEST)
}

fn shorter(cx: &Cx, run: &str, url: &str, than: u32) -> Option<Text> {
    let page = cx.records::<Crawled>().find(&Id::new(page_id(run, url)))?;
    let PageRecord { text, .. } = page.into_inner().0;
    let at = text.filter(|at| at.length < than)?;
    crate::at(cx, run, &at)
}

/// Reads some bytes of a part of the search index.
type Bytes<'a> = Box<dyn FnMut(u64, u32) -> Option<Vec<u8>> + 'a>;

/// The text at a place.
#[must_use]
pub fn at(cx: &Cx, run: &str, place: &TextAt) -> Option<Text> {
    let bytes = cx.blobs().read(&packs(run, place.pack), u64::from(place.offset), place.length)?;
    serde_json::from_slice(&bytes).ok()
}

/// The language that most pages of a crawl declare; none where it has no search index.
#[must_use]
pub fn language(cx: &Cx, run: &str) -> Option<String> {
    let indexed = cx.records::<Indexed>().find(&Id::new(run))?.into_inner();
    (!indexed.segments.is_empty()).then_some(indexed.language)
}

/// A part of the search index of a crawl.
pub fn segment<'a>(cx: &'a Cx, run: &str, number: usize) -> Option<Segment<Bytes<'a>>> {
    let key = format!("crawl.index/{run}/{number}");
    Segment::open(Box::new(move |from, length| cx.blobs().read(&key, from, length)))
}

/// The texts that answer words best by BM25, at most so many; none where the crawl has no index. Those of 200,000 bytes and
/// more are left out.
pub fn best(cx: &Cx, run: &str, words: &str, most: usize) -> Option<Vec<Text>> {
    let indexed = cx.records::<Indexed>().find(&Id::new(run))?.into_inner();
    let mut terms = Terms::of(&indexed.language);
    let mut wanted: Vec<u64> = terms.hashes(words).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut segments: Vec<_> = (0..indexed.segments.len()).filter_map(|number| segment(cx, run, number)).collect();
    let found: Vec<Vec<_>> = wanted
        .iter()
        .map(|hash| segments.iter_mut().map(|segment| segment.find(*hash).unwrap_or_default()).collect())
        .collect();
    let mut scored: Vec<(usize, u32, f64)> = Vec::new();
    for (number, segment) in segments.iter_mut().enumerate() {
        let lengths = segment.lengths().unwrap_or_default();
        let mut scores = vec![0.0; lengths.len()];
        for term in &found {
            let holders: u64 = term.iter().map(|it: &kit::inverted::Found| u64::from(it.holders)).sum();
            let weight = indexed.search.weight(holders);
            for (text, times) in &term[number].texts {
                if let (Some(score), Some(length)) = (scores.get_mut(*text as usize), lengths.get(*text as usize)) {
                    *score += indexed.search.score(weight, *times, *length);
                }
            }
        }
        let some = scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0);
        scored.extend(some.map(|(text, score)| (number, u32::try_from(text).unwrap_or(u32::MAX), score)));
    }
    scored.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    Some(scored.into_iter().take(most).filter_map(|(segment, text, _)| placed(cx, run, segment, text)).collect())
}

/// In how many texts of a crawl each of some words stands, in any form: known of all texts, the longest too. A word that the
/// index knows as several is left out.
pub fn holders<'w>(cx: &Cx, run: &str, words: impl Iterator<Item = &'w str>) -> HashMap<&'w str, u32> {
    let Some(indexed) = cx.records::<Indexed>().find(&Id::new(run)) else { return HashMap::new() };
    let mut terms = Terms::of(&indexed.language);
    let mut wanted: HashMap<u64, Vec<&str>> = HashMap::new();
    for word in words {
        if let [hash] = terms.hashes(word).collect::<Vec<_>>()[..] {
            wanted.entry(hash).or_default().push(word);
        }
    }
    let mut found: HashMap<&str, u32> = HashMap::new();
    for mut segment in (0..indexed.segments.len()).filter_map(|number| segment(cx, run, number)) {
        for (hash, texts) in segment.vocabulary().unwrap_or_default() {
            for word in wanted.get(&hash).into_iter().flatten() {
                *found.entry(word).or_default() += texts;
            }
        }
    }
    found
}

/// So many texts of a crawl at most, each once, in an order of which every beginning is spread over the whole. Those of
/// 200,000 bytes and more are left out.
pub fn evenly<'a>(cx: &'a Cx, run: &'a str, segments: &'a [u32], most: usize) -> impl Iterator<Item = Text> + 'a {
    /// The golden ratio: no step is further from every fraction.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let all: u32 = segments.iter().sum();
    let mut known = HashSet::new();
    let spread = (0..most as u64).map(move |nth| ((u128::from(nth.wrapping_mul(STEP)) * u128::from(all)) >> 64) as u32);
    spread.filter(move |it| all > 0 && known.insert(*it)).filter_map(move |nth| {
        let mut text = nth;
        for (segment, texts) in segments.iter().enumerate() {
            if text < *texts {
                return placed(cx, run, segment, text);
            }
            text -= texts;
        }
        None
    })
}

/// A text by its number in a segment of the index.
fn placed(cx: &Cx, run: &str, segment: usize, text: u32) -> Option<Text> {
    let place = cx.blobs().read(&format!("crawl.places/{run}/{segment}"), u64::from(text) * 12, 12)?;
    let number = |at: usize| Some(u32::from_le_bytes(place.get(at..at + 4)?.try_into().ok()?));
    let length = number(8).filter(|it| *it < LONGEST)?;
    let bytes = cx.blobs().read(&packs(run, number(0)?), u64::from(number(4)?), length)?;
    serde_json::from_slice(&bytes).ok()
}
