//! Finds brands in a text.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use kit::word_frequencies::Frequencies;

use super::Brand;
use super::folded::{Folded, fold};

/// The share of all words from which a word is common in its language: about the 5,000 most frequent.
const COMMON: f64 = 1.6e-5;

/// A brand in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its place in the set.
    pub(crate) brand: usize,
    /// Where its name begins, in characters.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

/// What a pattern is.
struct Pattern {
    brand: usize,
    /// A phrase that means something else.
    excludes: bool,
    /// As it was written, for a single word.
    word: Option<String>,
}

/// Looks for all names of a set at once.
pub(crate) struct Detector {
    patterns: Vec<Pattern>,
    machine: Option<AhoCorasick>,
    /// Languages whose frequent words were read, with those names that are among them.
    common: std::cell::RefCell<BTreeMap<String, Vec<bool>>>,
}

impl Detector {
    /// Of a set.
    pub(crate) fn new(brands: &[Brand]) -> Self {
        let (mut patterns, mut texts) = (Vec::new(), Vec::new());
        let mut add = |brand: usize, name: &str, excludes: bool| {
            let folded = fold(name.trim());
            if folded.is_empty() {
                return;
            }
            let is_word = !excludes && name.trim().chars().all(char::is_alphanumeric);
            let word = is_word.then(|| name.trim().to_owned());
            if let Some(spelled) = spelled_out(name) {
                patterns.push(Pattern { brand, excludes, word: None });
                texts.push(spelled);
            }
            patterns.push(Pattern { brand, excludes, word });
            texts.push(folded);
        };
        for (at, brand) in brands.iter().enumerate() {
            brand.names().chain(&brand.domains).for_each(|name| add(at, name, false));
            brand.exclude.iter().for_each(|phrase| add(at, phrase, true));
        }
        Self { patterns, machine: AhoCorasick::new(&texts).ok(), common: std::cell::RefCell::default() }
    }

    /// Every mention in a text of a language, in order; where two overlap, the first and the longest.
    pub(crate) fn find(&self, text: &str, language: &str) -> Vec<Found> {
        let folded = Folded::new(text);
        self.places(&folded, text, language).into_iter().map(|(found, _)| found).collect()
    }

    /// The same with the bytes of the folded text.
    fn places(&self, folded: &Folded, text: &str, language: &str) -> Vec<(Found, Range<usize>)> {
        let Some(machine) = &self.machine else { return Vec::new() };
        let mut held: Vec<(Range<usize>, usize)> = machine
            .find_overlapping_iter(&folded.text)
            .map(|it| (it.start()..it.end(), it.pattern().as_usize()))
            .filter_map(|(bytes, pattern)| Some((bounded(&folded.text, bytes, language)?, pattern)))
            .collect();
        let excluded: Vec<(Range<usize>, usize)> = held
            .iter()
            .filter(|(_, pattern)| self.patterns[*pattern].excludes)
            .map(|(bytes, pattern)| (bytes.clone(), self.patterns[*pattern].brand))
            .collect();
        held.retain(|(bytes, pattern)| {
            let it = &self.patterns[*pattern];
            let overlaps = |(other, brand): &(Range<usize>, usize)| {
                *brand == it.brand && other.start < bytes.end && bytes.start < other.end
            };
            !it.excludes && !excluded.iter().any(overlaps)
        });
        held.sort_by_key(|(bytes, _)| (bytes.start, std::cmp::Reverse(bytes.end)));
        let common =
            held.iter().any(|(_, pattern)| self.patterns[*pattern].word.is_some()).then(|| self.common(language));
        let letters: Vec<char> = if common.is_some() { text.chars().collect() } else { Vec::new() };
        let (mut out, mut end): (Vec<(Found, Range<usize>)>, usize) = (Vec::new(), 0);
        for (bytes, pattern) in held {
            if bytes.start < end {
                continue;
            }
            let it = &self.patterns[pattern];
            let found = Found { brand: it.brand, start: folded.origin(bytes.start), end: folded.origin(bytes.end) };
            let is_common = common.as_ref().is_some_and(|common| common.get(pattern).copied().unwrap_or(false));
            if is_common {
                let written: String = letters.get(found.start..found.end).unwrap_or_default().iter().collect();
                let own = it.word.as_deref().unwrap_or_default();
                if written.trim_end_matches("'s").trim_end_matches("’s") != own {
                    continue;
                }
            }
            end = bytes.end;
            out.push((found, bytes));
        }
        out
    }

    /// For each pattern whether it is a frequent word of a language.
    fn common(&self, language: &str) -> Vec<bool> {
        let mut known = self.common.borrow_mut();
        if let Some(known) = known.get(language) {
            return known.clone();
        }
        let words = Frequencies::of(language);
        let is_common = |pattern: &Pattern| {
            let word = pattern.word.as_ref().map(|it| it.to_lowercase());
            let share = words.as_ref().zip(word).and_then(|(words, word)| words.share(&word));
            share.is_some_and(|share| share >= COMMON)
        };
        let all: Vec<bool> = self.patterns.iter().map(is_common).collect();
        known.insert(language.to_owned(), all.clone());
        all
    }
}

/// German letters as they are written where there are none: `mueller` for Müller.
fn spelled_out(name: &str) -> Option<String> {
    let spelled: String = name
        .to_lowercase()
        .chars()
        .map(|letter| match letter {
            'ä' => "ae".to_owned(),
            'ö' => "oe".to_owned(),
            'ü' => "ue".to_owned(),
            other => other.to_string(),
        })
        .collect();
    let folded = fold(&spelled);
    (folded != fold(name)).then_some(folded)
}

/// The bytes of a name when it stands between word boundaries; a genitive's -s belongs to it.
fn bounded(text: &str, bytes: Range<usize>, language: &str) -> Option<Range<usize>> {
    let first = text[bytes.clone()].chars().next()?;
    let last = text[bytes.clone()].chars().next_back()?;
    let before = text[..bytes.start].chars().next_back();
    if before.is_some_and(|it| joins(it, first)) {
        return None;
    }
    let mut after = text[bytes.end..].chars();
    match after.next() {
        None => Some(bytes),
        Some(next) if !joins(last, next) => Some(bytes),
        // "Lumens Lampen", "Shop-Beispiels".
        Some('s') if matches!(language, "de" | "nl" | "sv" | "da" | "nb") && last != 's' => {
            let next = after.next();
            next.is_none_or(|it| !it.is_alphanumeric()).then_some(bytes)
        }
        Some(_) => None,
    }
}

/// Whether two neighbours belong to one word. Scripts without spaces have no words to belong to.
fn joins(left: char, right: char) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    is_part(left) && is_part(right) && !kit::text::is_spaceless(left) && !kit::text::is_spaceless(right)
}
