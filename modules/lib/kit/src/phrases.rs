//! Pages by the phrases that name them, and where such a phrase stands in a sentence, word for word.

use std::collections::HashMap;
use std::ops::Range;

use crate::terms::Analyzer;
use crate::text::words;

/// Words of one phrase at most.
const LONGEST: usize = 6;
/// A phrase that names more pages than this names none.
const MOST_PAGES: usize = 4;
/// The share of a title's weight that a phrase must have to stand for it: with less it names something that the page has in
/// common with others, such as `best practices` of a page on the best practices of annotating.
const LEAST: f32 = 0.7;

/// A word by what its inflections share. The lowest bit says that it means nothing alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u64);

impl Code {
    /// Whether it means nothing alone, such as `the`.
    #[must_use]
    pub const fn is_stop(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Reads words as codes; each different word is stemmed once.
pub struct Reader {
    analyzer: Analyzer,
    known: HashMap<String, Code>,
}

impl Reader {
    /// For a language by its ISO 639-1 code.
    #[must_use]
    pub fn new(language: &str) -> Self {
        Self { analyzer: Analyzer::new(language), known: HashMap::new() }
    }

    /// Whether the language has words that mean nothing alone, as far as is known.
    #[must_use]
    pub fn has_stops(&self) -> bool {
        self.analyzer.has_stops()
    }

    /// The words of a text with where they stand in it.
    pub fn places(&mut self, text: &str) -> Vec<(Code, Range<usize>)> {
        let begin = text.as_ptr() as usize;
        let found = words(text).map(|word| {
            let at = word.as_ptr() as usize - begin;
            (self.code(word), at..at + word.len())
        });
        found.collect()
    }

    /// The words of a text.
    pub fn codes(&mut self, text: &str) -> Vec<Code> {
        words(text).map(|word| self.code(word)).collect()
    }

    fn code(&mut self, word: &str) -> Code {
        if let Some(code) = self.known.get(word) {
            return *code;
        }
        let token = self.analyzer.token(word);
        let hash = token
            .stem
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let code = Code(hash & !1 | u64::from(token.stop));
        if self.known.len() < 200_000 {
            self.known.insert(word.to_owned(), code);
        }
        code
    }
}

/// In how many pages each word is, by their names.
#[derive(Debug, Clone, Default)]
pub struct Rarity {
    pages: u32,
    holders: HashMap<Code, u32>,
}

impl Rarity {
    /// Counts the words of a page, each once.
    pub fn add(&mut self, codes: &[Code]) {
        self.pages += 1;
        let mut different = codes.to_vec();
        different.sort_unstable();
        different.dedup();
        different.into_iter().for_each(|code| *self.holders.entry(code).or_default() += 1);
    }

    /// What a word is worth: nothing when it means nothing alone, more the fewer pages have it.
    #[must_use]
    pub fn weight(&self, code: Code) -> f64 {
        if code.is_stop() {
            return 0.0;
        }
        let holders = f64::from(self.holders.get(&code).copied().unwrap_or(0));
        let pages = f64::from(self.pages);
        (1.0 + (pages - holders + 0.5) / (holders + 0.5)).ln()
    }

    /// What words are worth together.
    #[must_use]
    pub fn sum(&self, codes: &[Code]) -> f64 {
        codes.iter().map(|code| self.weight(*code)).sum()
    }
}

/// Phrases with the pages that they name.
#[derive(Debug, Clone, Default)]
pub struct Phrases(HashMap<u64, Vec<(u32, f32)>>);

/// A phrase that stands in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The page that it names.
    pub page: u32,
    /// Which of the sentence's words.
    pub words: Range<usize>,
    /// How much of the page's name it is, 0 to 1.
    pub share: f32,
    /// The number of the phrase, see [`number`].
    pub phrase: u64,
}

impl Phrases {
    /// Adds a page by one of its names: every run of its words that has enough of its weight, of two words or more, or of
    /// one when the name has no other.
    pub fn add(&mut self, page: u32, name: &[Code], rarity: &Rarity) {
        let whole = rarity.sum(name);
        let telling = name.iter().filter(|code| !code.is_stop()).count();
        if whole <= 0.0 {
            return;
        }
        for start in 0..name.len() {
            for end in start + 1..=name.len().min(start + LONGEST) {
                let phrase = &name[start..end];
                let edges = [phrase.first(), phrase.last()];
                if edges.iter().flatten().any(|code| code.is_stop()) {
                    continue;
                }
                let inner = phrase.iter().filter(|code| !code.is_stop()).count();
                if inner < 2 && telling > 1 {
                    continue;
                }
                #[expect(clippy::cast_possible_truncation, reason = "a share is from 0 to 1")]
                let share = (rarity.sum(phrase) / whole) as f32;
                if share < LEAST {
                    continue;
                }
                let pages = self.0.entry(number(phrase)).or_default();
                match pages.iter_mut().find(|(one, _)| *one == page) {
                    Some((_, known)) => *known = known.max(share),
                    None => pages.push((page, share)),
                }
            }
        }
    }

    /// The pages that a phrase names by its number.
    #[must_use]
    pub fn pages(&self, phrase: u64) -> &[(u32, f32)] {
        self.0.get(&phrase).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the phrases in a text that name pages, each once for each time it stands there.
    pub fn spoken<'a>(&'a self, text: &'a [Code]) -> impl Iterator<Item = u64> + 'a {
        let starts = (0..text.len()).filter(|at| !text[*at].is_stop());
        let runs = starts.flat_map(|start| (start + 1..=text.len().min(start + LONGEST)).map(move |end| start..end));
        runs.map(|run| number(&text[run])).filter(|phrase| self.0.contains_key(phrase))
    }

    /// The pages that a sentence names, each by its most telling phrase; `skip` says which runs of words may not be taken.
    #[must_use]
    pub fn find(&self, sentence: &[Code], skip: impl Fn(&Range<usize>) -> bool) -> Vec<Named> {
        let mut found: Vec<Named> = Vec::new();
        for start in (0..sentence.len()).filter(|at| !sentence[*at].is_stop()) {
            for end in start + 1..=sentence.len().min(start + LONGEST) {
                let words = start..end;
                let phrase = number(&sentence[words.clone()]);
                let Some(pages) = self.0.get(&phrase) else { continue };
                if sentence[end - 1].is_stop() || pages.len() > MOST_PAGES || skip(&words) {
                    continue;
                }
                let best = pages.iter().map(|(_, share)| *share).fold(0.0, f32::max);
                for (page, share) in pages.iter().filter(|(_, share)| *share >= best) {
                    let named = Named { page: *page, words: words.clone(), share: *share, phrase };
                    match found.iter_mut().find(|it| it.page == *page) {
                        Some(known) if known.share < *share => *known = named,
                        Some(_) => {}
                        None => found.push(named),
                    }
                }
            }
        }
        found
    }
}

/// What a phrase is known by.
#[must_use]
pub fn number(phrase: &[Code]) -> u64 {
    phrase
        .iter()
        .fold(0x9e37_79b9_7f4a_7c15, |hash: u64, code| (hash.rotate_left(5) ^ code.0).wrapping_mul(0x0100_0000_01b3))
}

/// The angle between two texts by the weight of their words, 0 to 1 (cosine of TF-IDF).
#[must_use]
pub fn likeness(a: &[Code], b: &[Code], rarity: &Rarity) -> f64 {
    let vector = |codes: &[Code]| {
        let mut vector: HashMap<Code, f64> = HashMap::new();
        codes.iter().for_each(|code| *vector.entry(*code).or_default() += rarity.weight(*code));
        vector
    };
    let (a, b) = (vector(a), vector(b));
    let length = |vector: &HashMap<Code, f64>| vector.values().map(|it| it * it).sum::<f64>().sqrt();
    // The sum of nothing is -0, which sorts before what is 0.
    let product = a.iter().filter_map(|(code, weight)| Some(weight * b.get(code)?)).sum::<f64>() + 0.0;
    let lengths = length(&a) * length(&b);
    if lengths > 0.0 { (product / lengths).min(1.0) } else { 0.0 }
}

/// The part of each title that names its page: what stands between separators and is in many titles, such as the name of
/// the shop, falls out. Of several parts the first names the page.
#[must_use]
pub fn own_titles<'t>(titles: &[&'t str]) -> Vec<&'t str> {
    own_parts(titles).into_iter().zip(titles).map(|(parts, title)| parts.first().copied().unwrap_or(title)).collect()
}

/// All parts of each title that are in few titles: `weakref — Weak references` has two names. A title without one is a part
/// of its own.
#[must_use]
pub fn own_parts<'t>(titles: &[&'t str]) -> Vec<Vec<&'t str>> {
    const APART: &[&str] = &[" | ", " - ", " – ", " — ", " · ", " :: ", " » ", " « ", " • "];
    let cut = |title: &'t str| {
        let mut parts = vec![title];
        for apart in APART {
            parts = parts.into_iter().flat_map(|part| part.split(apart)).collect();
        }
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>()
    };
    let mut holders: HashMap<&str, usize> = HashMap::new();
    for title in titles {
        let parts = cut(title);
        if parts.len() > 1 {
            parts.into_iter().for_each(|part| *holders.entry(part).or_default() += 1);
        }
    }
    let many = (titles.len() / 10).max(2);
    let own = |title: &&'t str| {
        let mut parts = cut(title);
        parts.retain(|part| holders.get(part).copied().unwrap_or(0) <= many);
        if parts.is_empty() { vec![*title] } else { parts }
    };
    titles.iter().map(own).collect()
}

#[cfg(test)]
mod tests;
