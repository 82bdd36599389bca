//! How well an operation fits a goal: BM25F over the fields of its contract, how much of the goal it speaks of, how
//! near its phrasings are, what its module speaks of, and what the goal's verb says of its kind.
//!
//! BM25F: Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004).
//! The weights here and beside were found by changing one at a time, judged by the goals for tuning and by phrasings that
//! were left out of the index and asked instead; between neighbours the difference is small.

use std::collections::{BTreeMap, BTreeSet};

use model::contract::Contract;

use super::goal::{self, Term};
use super::verbs::Prior;
use super::{Index, words};

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
    pub(super) matched: Vec<String>,
    /// The share of the goal's weight that it speaks of, 0 to 1.
    pub(super) coverage: f32,
    pub(super) score: f32,
}

#[derive(Default)]
struct Sum {
    score: f32,
    covered: f32,
    matched: Vec<String>,
}

/// A term with the weight of each of its variants in this index.
struct Weighed {
    term: Term,
    /// Of each variant: closeness, and closeness times rarity.
    variants: Vec<(f32, f32)>,
    /// What the term counts in the whole goal.
    rarity: f32,
}

/// Every operation that shares an idea with the goal, best first; ties by id, so that answers are repeatable.
pub(super) fn score(index: &Index, query: &str, fits: impl Fn(&Contract) -> bool) -> Vec<Scored> {
    let terms: Vec<Weighed> = goal::terms(query, &index.known).into_iter().map(|term| weighed(index, term)).collect();
    let whole: f32 = terms.iter().map(|term| term.rarity).sum();
    let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
    for weighed in &terms {
        for (operation, gain) in gains(index, weighed) {
            let sum = sums.entry(operation).or_default();
            sum.score += gain.score;
            sum.covered += weighed.rarity * gain.closeness.min(1.0);
            sum.matched.push(weighed.term.shown.clone());
        }
    }
    let modules = modules(index, &terms);
    let prior = Prior::of(query);
    let mut scored: Vec<Scored> = sums
        .into_iter()
        .filter(|(operation, _)| fits(&index.contracts[*operation]))
        .map(|(operation, sum)| {
            let contract = &index.contracts[operation];
            let coverage = if whole > 0.0 { sum.covered / whole } else { 0.0 };
            let exact = if contract.id == query.trim() { 1_000.0 } else { 0.0 };
            let bare = sum.score + MODULE * modules[index.module_of[operation]];
            let verb = contract.id.rsplit('.').next().map_or(0.0, |verb| said(&words::stem(verb), &terms));
            let named = NAMED * spoken(&index.names[operation], &terms) + VERB * verb;
            let phrased = index.phrasings[operation].iter().map(|phrasing| alike(index, phrasing, &terms, whole));
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

fn weighed(index: &Index, term: Term) -> Weighed {
    // What stands for one idea is as rare as all of it together.
    let together: BTreeSet<usize> = term
        .variants
        .iter()
        .filter_map(|(stem, _)| index.postings.get(stem))
        .flat_map(|postings| postings.iter().map(|posting| posting.operation))
        .collect();
    let together = index.rarity_of(together.len());
    let variants = term
        .variants
        .iter()
        .map(|(stem, closeness)| (*closeness, closeness * (ALONE * index.rarity(stem) + (1.0 - ALONE) * together)))
        .collect();
    let own = index.rarity(&term.variants[0].0);
    // A word that no contract knows still belongs to the goal: it lowers what is covered.
    let rarity = if own > 0.0 {
        ALONE * own + (1.0 - ALONE) * together
    } else if together > 0.0 {
        together
    } else {
        UNKNOWN * index.rarest()
    };
    Weighed { term, variants, rarity }
}

struct Gain {
    score: f32,
    closeness: f32,
}

/// What each operation gains by one term: its best of the word itself and all that may stand for it.
fn gains(index: &Index, weighed: &Weighed) -> BTreeMap<usize, Gain> {
    let mut best: BTreeMap<usize, Gain> = BTreeMap::new();
    for ((stem, _), (closeness, rarity)) in weighed.term.variants.iter().zip(&weighed.variants) {
        for posting in index.postings.get(stem).into_iter().flatten() {
            let score = rarity * posting.weight * (K1 + 1.0) / (posting.weight + K1);
            let gain = best.entry(posting.operation).or_insert(Gain { score: 0.0, closeness: 0.0 });
            if score > gain.score {
                *gain = Gain { score, closeness: *closeness };
            }
        }
    }
    best
}

/// What each module as a whole speaks of: a goal about letters is for the module of letters, whatever its words.
fn modules(index: &Index, terms: &[Weighed]) -> Vec<f32> {
    let mut sums = vec![0.0; index.modules.len()];
    for weighed in terms {
        let mut best = vec![0.0_f32; index.modules.len()];
        for ((stem, _), (_, rarity)) in weighed.term.variants.iter().zip(&weighed.variants) {
            for (module, operations) in index.spread.get(stem).into_iter().flatten() {
                best[*module] = best[*module].max(rarity * operations / (operations + SPREAD));
            }
        }
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += best;
        }
    }
    sums
}

/// The share of an id's words that the goal speaks of.
fn spoken(name: &BTreeSet<String>, terms: &[Weighed]) -> f32 {
    name.iter().map(|word| said(word, terms)).sum::<f32>() / (name.len().max(1) as f32)
}

/// How near the goal comes to a word, 0 to 1.
fn said(word: &str, terms: &[Weighed]) -> f32 {
    terms.iter().map(|weighed| closeness(&weighed.term, word).min(1.0)).fold(0.0, f32::max)
}

fn closeness(term: &Term, word: &str) -> f32 {
    term.variants.iter().find(|(stem, _)| stem == word).map_or(0.0, |(_, closeness)| *closeness)
}

/// How much a phrasing and the goal have in common, by the weight of their words: 1 when it is all.
fn alike(index: &Index, phrasing: &BTreeSet<String>, terms: &[Weighed], whole: f32) -> f32 {
    let common: f32 = terms
        .iter()
        .map(|weighed| {
            let closest = weighed.term.variants.iter().filter(|(stem, _)| phrasing.contains(stem));
            weighed.rarity * closest.map(|(_, closeness)| closeness.min(1.0)).fold(0.0, f32::max)
        })
        .sum();
    if common == 0.0 {
        return 0.0;
    }
    let its: f32 = phrasing.iter().map(|stem| index.rarity(stem)).sum();
    common / (whole + its - common).max(common)
}
