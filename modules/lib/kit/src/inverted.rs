//! An inverted index over texts, as bytes that can be read in parts, and the score BM25 (Robertson 1994).
//!
//! A large collection is several segments; the scores need numbers of all of them together, see [`Whole`].

mod read;
mod write;

use std::collections::HashMap;

use rust_stemmers::Stemmer;

pub use read::{Found, Segment, vocabulary};
pub use write::Writer;

/// How fast repetition of a term stops counting.
pub const K1: f64 = 1.2;
/// How much longer texts are held back.
pub const B: f64 = 0.75;
/// The part of the average weight that a term in more than half of all texts keeps.
const EPSILON: f64 = 0.25;
/// Longer runs of letters are no words.
const LONGEST: usize = 40;

/// Cuts texts into the terms that are indexed: runs of letters, digits and `_` in lower case, stemmed.
pub struct Terms {
    stemmer: Option<Stemmer>,
    known: HashMap<String, u64>,
}

impl Terms {
    /// Terms of texts in this language, a BCP 47 tag such as `de-CH`; languages without a stemmer are indexed as written.
    #[must_use]
    pub fn of(language: &str) -> Self {
        let algorithm = crate::terms::algorithm(&crate::language::primary(language));
        Self { stemmer: algorithm.map(Stemmer::create), known: HashMap::new() }
    }

    /// The hashes of a text's terms, in order.
    pub fn hashes<'t>(&mut self, text: &'t str) -> impl Iterator<Item = u64> + use<'_, 't> {
        pieces(text).map(|piece| self.hash(piece))
    }

    fn hash(&mut self, piece: &str) -> u64 {
        if let Some(hash) = self.known.get(piece) {
            return *hash;
        }
        let folded = piece.to_lowercase();
        let stem = self.stemmer.as_ref().map_or_else(|| folded.clone().into(), |stemmer| stemmer.stem(&folded));
        let hash = fnv(stem.as_bytes());
        self.known.insert(piece.to_owned(), hash);
        hash
    }
}

/// Runs of letters, digits and `_`; signs of scripts without spaces stand alone.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').flat_map(|run| {
        let spaceless = run.chars().next().is_some_and(|c| u32::from(c) > 0x2E80);
        let whole = (!spaceless && !run.is_empty() && run.chars().count() <= LONGEST).then_some(run);
        let signs = spaceless.then(|| run.char_indices().map(move |(at, c)| &run[at..at + c.len_utf8()]));
        whole.into_iter().chain(signs.into_iter().flatten())
    })
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What the scores need to know of all texts together.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Whole {
    /// Texts.
    pub texts: u64,
    /// Terms of all texts, repeated ones too.
    pub terms: u64,
    /// The mean of the plain weights of all different terms.
    pub average_weight: f64,
}

impl Whole {
    /// The numbers of a collection, from how many texts hold each different term.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of texts are far below 2^52")]
    pub fn of(texts: u64, terms: u64, holders: impl Iterator<Item = u64>) -> Self {
        let mut whole = Self { texts, terms, average_weight: 0.0 };
        let (mut sum, mut different) = (0.0, 0_u64);
        for holders in holders {
            sum += whole.plain_weight(holders);
            different += 1;
        }
        whole.average_weight = if different == 0 { 0.0 } else { sum / different as f64 };
        whole
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of texts are far below 2^52")]
    fn plain_weight(&self, holders: u64) -> f64 {
        let (all, holders) = (self.texts as f64, holders as f64);
        (all - holders + 0.5).ln() - (holders + 0.5).ln()
    }

    /// What a term that so many texts hold is worth; one in more than half of them a quarter of the average.
    #[must_use]
    pub fn weight(&self, holders: u64) -> f64 {
        let plain = self.plain_weight(holders);
        if plain < 0.0 { EPSILON * self.average_weight } else { plain }
    }

    /// The part of a text's score that one term gives.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of terms are far below 2^52")]
    pub fn score(&self, weight: f64, times: u32, length: u32) -> f64 {
        let average = self.terms as f64 / self.texts.max(1) as f64;
        let times = f64::from(times);
        weight * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * f64::from(length) / average))
    }
}

#[cfg(test)]
mod tests;
