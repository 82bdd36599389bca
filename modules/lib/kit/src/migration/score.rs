//! How alike two pages are: the words of their paths and names, weighted by rarity, and the overlap of their texts.

use std::collections::{BTreeSet, HashMap};

use super::{How, Match, Page};
use crate::url::naming::{language, singular, words};

/// Candidates that are compared in full.
const CANDIDATES: usize = 30;
/// Pages that are looked through for candidates, over all words of a page; of its rarest word at least so many.
const LOOKED: usize = 4_000;
/// Weights of path, name and text; without texts; without names.
const WEIGHTS: [f64; 3] = [0.35, 0.25, 0.40];
const WITHOUT_TEXT: [f64; 3] = [0.60, 0.40, 0.0];
const WITHOUT_NAME: [f64; 3] = [0.45, 0.0, 0.55];
/// What a score is worth when the pages are of different languages.
const FOREIGN: f64 = 0.5;
/// A second best that is farther behind says no more.
const AHEAD: f64 = 0.15;
/// Constants of the logistic curve: for one, for the score, for how far the second best is behind. Fitted on 2026-11-29 on
/// the migrations of `migration/tests/made.rs`; the test of `migration/tests/fit.rs` fits them again.
pub(super) const CURVE: [f64; 3] = [-8.600_4, 12.367_8, 28.209_1];

/// What of two pages is alike, each from 0 to 1; none where it is not known of both.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    /// The words of their paths: the cosine of their weights.
    pub path: f64,
    /// The words of their titles and first headings.
    pub name: Option<f64>,
    /// Their texts: the share of 5-word shingles that both have.
    pub text: Option<f64>,
}

/// Words by number, with the pages that have them.
#[derive(Debug, Default)]
struct Words {
    numbers: HashMap<String, u32>,
    /// Pages of either side that have each.
    documents: Vec<u32>,
    /// Pages of the new side that have each.
    holders: Vec<Vec<u32>>,
}

/// The weights of a page's words, by number of the word, scaled to length one.
type Weighted = Vec<(u32, f32)>;

/// Both sides with the weights of their words.
#[derive(Debug)]
pub(super) struct Scores<'a> {
    old: &'a [Page],
    new: &'a [Page],
    paths: Words,
    names: Words,
    old_words: Vec<[Weighted; 2]>,
    new_words: Vec<[Weighted; 2]>,
    by_band: HashMap<u32, Vec<u32>>,
}

impl<'a> Scores<'a> {
    pub(super) fn new(old: &'a [Page], new: &'a [Page]) -> Self {
        let (mut paths, mut names) = (Words::default(), Words::default());
        let mut read = |page: &Page, at: Option<u32>| {
            [paths.read(path_words(&page.url), at), names.read(name_words(&page.name), at)]
        };
        let old_words: Vec<[Vec<u32>; 2]> = old.iter().map(|page| read(page, None)).collect();
        let new_words: Vec<[Vec<u32>; 2]> = (0_u32..).zip(new).map(|(at, page)| read(page, Some(at))).collect();
        let documents = old.len() + new.len();
        let weigh = |all: Vec<[Vec<u32>; 2]>| -> Vec<[Weighted; 2]> {
            let weighed = |[path, name]: [Vec<u32>; 2]| [paths.weigh(path, documents), names.weigh(name, documents)];
            all.into_iter().map(weighed).collect()
        };
        let (old_words, new_words) = (weigh(old_words), weigh(new_words));
        let mut by_band: HashMap<u32, Vec<u32>> = HashMap::new();
        for (at, page) in (0_u32..).zip(new) {
            let bands = page.sketch.iter().flat_map(crate::sketch::Sketch::bands);
            bands.filter(|band| *band != 0).for_each(|band| by_band.entry(band).or_default().push(at));
        }
        Self { old, new, paths, names, old_words, new_words, by_band }
    }

    /// What of two pages is alike.
    pub(super) fn parts(&self, old: usize, new: u32) -> Parts {
        let ([path, name], [its_path, its_name]) = (&self.old_words[old], &self.new_words[new as usize]);
        let both = !name.is_empty() && !its_name.is_empty();
        let sketches = self.old[old].sketch.as_ref().zip(self.new[new as usize].sketch.as_ref());
        Parts {
            path: cosine(path, its_path),
            name: both.then(|| cosine(name, its_name)),
            text: sketches.map(|(a, b)| a.similarity(b)),
        }
    }

    /// Whether nothing speaks against two pages that are called the same in their addresses: neither their names, nor their
    /// languages.
    pub(super) fn agree(&self, old: usize, new: u32) -> bool {
        let parts = self.parts(old, new);
        !self.are_foreign(old, new) && parts.name.is_none_or(|it| it > 0.1 || parts.text.is_some_and(|it| it > 0.2))
    }

    /// Whether two pages share a word of the path, or rather more of the name.
    pub(super) fn share(&self, old: usize, new: u32) -> bool {
        let parts = self.parts(old, new);
        parts.path > 0.3 || parts.name.is_some_and(|it| it > 0.3)
    }

    fn are_foreign(&self, old: usize, new: u32) -> bool {
        let (old, new) = (&self.old[old], &self.new[new as usize]);
        let declared = old.language.as_ref().zip(new.language.as_ref()).is_some_and(|(a, b)| a != b);
        declared || language(&old.url).zip(language(&new.url)).is_some_and(|(a, b)| a != b)
    }

    fn score(&self, old: usize, new: u32, parts: Parts) -> f64 {
        let weights = match (parts.name, parts.text) {
            (Some(_), Some(_)) => WEIGHTS,
            (Some(_), None) => WITHOUT_TEXT,
            (None, Some(_)) => WITHOUT_NAME,
            (None, None) => [1.0, 0.0, 0.0],
        };
        let [path, name, text] = weights;
        let sum = path * parts.path + name * parts.name.unwrap_or(0.0) + text * parts.text.unwrap_or(0.0);
        if self.are_foreign(old, new) { FOREIGN * sum } else { sum }
    }

    /// The page that is most alike; none when none has anything in common.
    pub(super) fn best(&self, old: usize) -> Option<Match> {
        let scored = self.candidates(old).into_iter().map(|at| {
            let parts = self.parts(old, at);
            (self.score(old, at, parts), at, parts)
        });
        let mut scored: Vec<(f64, u32, Parts)> = scored.filter(|it| it.0 > 0.0).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (score, page, parts) = *scored.first()?;
        let ahead = (score - scored.get(1).map_or(0.0, |it| it.0)).min(AHEAD);
        let confidence = confidence(CURVE, score, ahead);
        Some(Match { page, confidence, how: How::Likeness, parts, lead: Some((score, ahead)) })
    }

    /// The pages of the new side with the rarest words in common, and those whose texts are most likely alike.
    fn candidates(&self, old: usize) -> Vec<u32> {
        let mut common: HashMap<u32, f32> = HashMap::new();
        let [path, name] = &self.old_words[old];
        for (words, own) in [(&self.paths, path), (&self.names, name)] {
            let mut own = own.clone();
            own.sort_by_key(|(word, _)| words.holders[*word as usize].len());
            let mut looked = 0;
            for (word, weight) in own {
                let holders = &words.holders[word as usize];
                let some = &holders[..holders.len().min(LOOKED - looked)];
                some.iter().for_each(|at| *common.entry(*at).or_default() += weight);
                looked += some.len();
                if looked >= LOOKED {
                    break;
                }
            }
        }
        let mut near: Vec<(u32, f32)> = common.into_iter().collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(CANDIDATES);
        let mut all: BTreeSet<u32> = near.into_iter().map(|(at, _)| at).collect();
        let bands = self.old[old].sketch.iter().flat_map(crate::sketch::Sketch::bands).filter(|band| *band != 0);
        for band in bands {
            all.extend(self.by_band.get(&band).into_iter().flatten().take(CANDIDATES));
        }
        all.into_iter().collect()
    }
}

/// The confidence in the best of the candidates, by its score and how far it is ahead of the second best.
pub(super) fn confidence([one, of_score, of_lead]: [f64; 3], score: f64, ahead: f64) -> f64 {
    1.0 / (1.0 + (-(one + of_score * score + of_lead * ahead)).exp())
}

impl Words {
    /// The numbers of a page's words; a page of the new side is noted as their holder.
    fn read(&mut self, words: BTreeSet<String>, at: Option<u32>) -> Vec<u32> {
        let mut out = Vec::with_capacity(words.len());
        for word in words {
            let next = u32::try_from(self.documents.len()).unwrap_or(u32::MAX);
            let number = *self.numbers.entry(word).or_insert(next);
            if number == next {
                self.documents.push(0);
                self.holders.push(Vec::new());
            }
            self.documents[number as usize] += 1;
            self.holders[number as usize].extend(at);
            out.push(number);
        }
        out.sort_unstable();
        out
    }

    /// Their weights: idf = ln((1 + n) / (1 + df)) + 1, the smoothed form of [`crate::tfidf`]; each word counts once.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "weights of some forty thousand pages"
    )]
    fn weigh(&self, words: Vec<u32>, documents: usize) -> Weighted {
        let idf = |word: u32| ((1 + documents) as f64 / f64::from(1 + self.documents[word as usize])).ln() + 1.0;
        let length = words.iter().map(|word| idf(*word).powi(2)).sum::<f64>().sqrt();
        words.into_iter().map(|word| (word, (idf(word) / length) as f32)).collect()
    }
}

fn cosine(a: &Weighted, b: &Weighted) -> f64 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = 0.0;
    while let (Some((one, weight)), Some((other, its))) = (a.peek(), b.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                sum += f64::from(*weight) * f64::from(*its);
                a.next();
                b.next();
            }
        }
    }
    sum.min(1.0)
}

/// The words of a path, without the folder of its language.
fn path_words(url: &str) -> BTreeSet<String> {
    let mut all = words(url);
    if let Some(language) = language(url) {
        all.remove(language);
    }
    all
}

fn name_words(name: &str) -> BTreeSet<String> {
    crate::text::words(name).map(|word| singular(&word.to_lowercase()).to_owned()).collect()
}
