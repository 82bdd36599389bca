//! How well an operation fits a goal: BM25F over the fields of its contract, how much of the goal it speaks of, how
//! near its phrasings are, what its module speaks of, and what the goal's verb says of its kind.
//!
//! BM25F: Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004).
//! The weights here and beside were found by changing one at a time, judged by the goals for tuning and by phrasings that
//! were left out of the index and asked instead; between neighbours the difference is small.

use std::collections::HashMap;
use std::sync::Arc;

use model::contract::Contract;

use super::goal::{self, Term};
use super::spelling::{self, Word};
use super::verbs::Prior;
use super::{Index, Name, Phrasing, Stem, rarity_of};

/// Saturation of repeated words.
const K1: f32 = 1.52;
/// What the share of the goal counts that an operation speaks of, against 1 for the bare sum.
const COVERAGE: f32 = 1.58;
/// What a phrasing adds that is the goal word by word.
const PHRASED: f32 = 0.89;
/// What it adds when the goal speaks of every word of the id.
const NAMED: f32 = 1.46;
/// What it adds when the goal speaks of the last word of the id, which says what is done.
const VERB: f32 = 0.28;
/// What a word counts of which the whole module speaks.
const MODULE: f32 = 0.35;
/// Operations of a module that speak of a word before half of that is given.
const SPREAD: f32 = 0.91;
/// How much of a word's weight is its own rarity, and not that of all words that may stand for the same.
const ALONE: f32 = 0.6;
/// What a word that neither contracts nor thesaurus know counts against the rarest of the contracts.
const UNKNOWN: f32 = 0.4;
/// Below this share of the goal's weight even the best result is a near miss.
pub(super) const WEAK_BELOW: f32 = 0.45;

/// An operation with its score.
pub(super) struct Scored {
    pub(super) operation: usize,
    pub(super) matched: Vec<Arc<str>>,
    /// The share of the goal's weight that it speaks of, 0 to 1.
    pub(super) coverage: f32,
    pub(super) score: f32,
}

#[derive(Clone, Default)]
struct Sum {
    score: f32,
    covered: f32,
    matched: Vec<Arc<str>>,
}

/// A goal as this index knows it.
struct Asked {
    terms: Vec<Weighed>,
    /// Which terms a stem may stand for, and how near it comes to each, 0 to 1.
    near: HashMap<Stem, Vec<(usize, f32)>>,
    /// The weight of all terms.
    whole: f32,
}

/// A term with the weight of each of its variants in this index.
struct Weighed {
    shown: Arc<str>,
    variants: Vec<Variant>,
    /// What the term counts in the whole goal.
    rarity: f32,
}

/// A stem of the index that may stand for a term.
struct Variant {
    stem: Stem,
    closeness: f32,
    /// Closeness times rarity.
    worth: f32,
}

/// Every operation that shares an idea with the goal, best first; ties by id, so that answers are repeatable.
pub(super) fn score(index: &Index, query: &str, fits: impl Fn(&Contract) -> bool) -> Vec<Scored> {
    let words = spelling::read(query, &index.known);
    let asked = Asked::of(index, &words);
    let mut sums = vec![Sum::default(); index.contracts.len()];
    for term in &asked.terms {
        for (operation, gain) in gains(index, term) {
            let sum = &mut sums[operation];
            sum.score += gain.score;
            sum.covered += term.rarity * gain.closeness.min(1.0);
            sum.matched.push(term.shown.clone());
        }
    }
    let modules = modules(index, &asked.terms);
    let prior = Prior::of(&words.into_iter().map(|word| word.meant).collect::<Vec<_>>());
    let mut scored: Vec<Scored> = sums
        .into_iter()
        .enumerate()
        .filter(|(operation, sum)| !sum.matched.is_empty() && fits(&index.contracts[*operation]))
        .map(|(operation, sum)| {
            let contract = &index.contracts[operation];
            let coverage = if asked.whole > 0.0 { sum.covered / asked.whole } else { 0.0 };
            let exact = if contract.id == query.trim() { 1_000.0 } else { 0.0 };
            let bare = sum.score + MODULE * modules[index.module_of[operation]];
            let named = asked.names(&index.names[operation]);
            let phrased = index.phrasings[operation].iter().map(|phrasing| asked.alike(phrasing));
            let phrased = PHRASED * phrased.fold(0.0, f32::max);
            Scored {
                operation,
                matched: sum.matched,
                coverage,
                score: exact
                    + bare * (1.0 + COVERAGE * coverage) * (1.0 + named + phrased) * prior.for_kind(contract.kind),
            }
        })
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.operation.cmp(&b.operation)));
    scored
}

impl Asked {
    fn of(index: &Index, words: &[Word]) -> Self {
        let terms: Vec<Weighed> =
            goal::terms(words, &index.known).into_iter().map(|term| weighed(index, term)).collect();
        let mut near: HashMap<Stem, Vec<(usize, f32)>> = HashMap::new();
        for (number, term) in terms.iter().enumerate() {
            for variant in &term.variants {
                near.entry(variant.stem).or_default().push((number, variant.closeness.min(1.0)));
            }
        }
        Self { near, whole: terms.iter().map(|term| term.rarity).sum(), terms }
    }

    /// How near the goal comes to a word, 0 to 1.
    fn says(&self, word: Stem) -> f32 {
        self.near.get(&word).into_iter().flatten().map(|(_, closeness)| *closeness).fold(0.0, f32::max)
    }

    /// What it adds that the goal speaks of the words of an id.
    fn names(&self, name: &Name) -> f32 {
        let words: f32 = name.words.iter().map(|word| self.says(*word)).sum();
        NAMED * words / (name.words.len().max(1) as f32) + VERB * name.verb.map_or(0.0, |verb| self.says(verb))
    }

    /// How much a phrasing and the goal have in common, by the weight of their words: 1 when it is all.
    fn alike(&self, phrasing: &Phrasing) -> f32 {
        let mut nearest = vec![0.0_f32; self.terms.len()];
        for (term, closeness) in phrasing.words.iter().filter_map(|word| self.near.get(word)).flatten() {
            nearest[*term] = nearest[*term].max(*closeness);
        }
        let common: f32 = self.terms.iter().zip(nearest).map(|(term, nearest)| term.rarity * nearest).sum();
        if common == 0.0 {
            return 0.0;
        }
        common / (self.whole + phrasing.rarity - common).max(common)
    }
}

fn weighed(index: &Index, term: Term) -> Weighed {
    let known: Vec<(Stem, f32)> =
        term.variants.iter().filter_map(|(stem, closeness)| Some((*index.stems.get(stem)?, *closeness))).collect();
    // What stands for one idea is as rare as all of it together.
    let mut holds = vec![false; index.contracts.len()];
    known.iter().flat_map(|(stem, _)| &index.postings[*stem]).for_each(|posting| holds[posting.operation] = true);
    let together = rarity_of(holds.iter().filter(|holds| **holds).count(), index.contracts.len());
    let worth = |stem: Stem| ALONE * index.rarity[stem] + (1.0 - ALONE) * together;
    // A word that no contract knows still belongs to the goal: it lowers what is covered.
    let rarity = match index.stems.get(&term.variants[0].0) {
        Some(own) => worth(*own),
        None if together > 0.0 => together,
        None => UNKNOWN * rarity_of(1, index.contracts.len()),
    };
    let variants =
        known.into_iter().map(|(stem, closeness)| Variant { stem, closeness, worth: closeness * worth(stem) });
    Weighed { shown: term.shown.into(), variants: variants.collect(), rarity }
}

#[derive(Clone, Copy)]
struct Gain {
    score: f32,
    closeness: f32,
}

/// What each operation gains by one term: its best of the word itself and all that may stand for it.
fn gains(index: &Index, term: &Weighed) -> impl Iterator<Item = (usize, Gain)> {
    let mut best: Vec<Option<Gain>> = vec![None; index.contracts.len()];
    for variant in &term.variants {
        for posting in &index.postings[variant.stem] {
            let score = variant.worth * posting.weight * (K1 + 1.0) / (posting.weight + K1);
            let gain = best[posting.operation].get_or_insert(Gain { score: 0.0, closeness: 0.0 });
            if score > gain.score {
                *gain = Gain { score, closeness: variant.closeness };
            }
        }
    }
    best.into_iter().enumerate().filter_map(|(operation, gain)| Some((operation, gain?)))
}

/// What each module as a whole speaks of: a goal about letters is for the module of letters, whatever its words.
fn modules(index: &Index, terms: &[Weighed]) -> Vec<f32> {
    let mut sums = vec![0.0; index.modules.len()];
    for term in terms {
        let mut best = vec![0.0_f32; index.modules.len()];
        for variant in &term.variants {
            for (module, operations) in &index.spread[variant.stem] {
                best[*module] = best[*module].max(variant.worth * operations / (operations + SPREAD));
            }
        }
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += best;
        }
    }
    sums
}
