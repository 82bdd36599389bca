//! How well an operation fits a goal: BM25, and how much of the goal it speaks of.

use std::collections::BTreeMap;

use super::{Index, words};
use crate::generation::Operation;

/// Saturation of repeated words.
const K1: f32 = 1.2;
/// How much a long contract is discounted.
const B: f32 = 0.7;
/// What a synonym counts against the word itself.
const SYNONYM: f32 = 0.6;
/// What the beginning of a word counts against the whole: `optimi` finds `optimisation`.
const PREFIX: f32 = 0.5;
/// Stems shorter than this are never taken as the beginning of another.
const PREFIX_FROM: usize = 4;
/// What the kind of work named by a verb adds for operations of that kind.
const VERB: f32 = 0.15;
/// What it adds when the goal speaks of every word of the id.
const NAMED: f32 = 1.5;
/// Below this share of the goal's weight even the best result is a near miss.
pub(super) const WEAK_BELOW: f32 = 0.45;

/// An operation with its score.
pub(super) struct Scored {
    pub(super) operation: usize,
    pub(super) matched: Vec<String>,
    /// The share of the goal's weight that it speaks of, 0 to 1.
    pub(super) coverage: f32,
    score: f32,
}

#[derive(Default)]
struct Sum {
    score: f32,
    covered: f32,
    matched: Vec<String>,
}

/// Every operation that shares a word with the goal, best first; ties by id, so that answers are repeatable.
pub(super) fn score(index: &Index, query: &str, fits: impl Fn(&Operation) -> bool) -> Vec<Scored> {
    let terms = words::terms(query);
    let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
    let mut whole = 0.0;
    for term in &terms {
        let best = matches(index, term);
        // A word that no contract knows still belongs to the goal: it lowers what is covered.
        let rarity = rarity(index, best.len());
        whole += rarity;
        for (operation, gain) in best {
            let sum = sums.entry(operation).or_default();
            sum.score += rarity * gain.saturated;
            sum.covered += rarity * gain.closeness;
            sum.matched.push(term.shown.clone());
        }
    }
    let verb = words::kind_of_verb(query);
    let mut scored: Vec<Scored> = sums
        .into_iter()
        .filter(|(operation, _)| fits(&index.operations[*operation]))
        .map(|(operation, sum)| {
            let contract = &index.operations[operation].contract;
            let coverage = if whole > 0.0 { sum.covered / whole } else { 0.0 };
            let kind = if verb == Some(contract.kind) { 1.0 + VERB } else { 1.0 };
            let named = 1.0 + NAMED * named(&index.names[operation], &terms);
            let exact = if contract.id == query.trim() { 1_000.0 } else { 0.0 };
            Scored {
                operation,
                matched: sum.matched,
                coverage,
                score: exact + sum.score * (0.5 + coverage) * kind * named,
            }
        })
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.operation.cmp(&b.operation)));
    scored
}

/// The share of an id's words that the goal speaks of.
fn named(name: &[String], terms: &[words::Term]) -> f32 {
    let spoken = |word: &String| {
        let closeness = terms.iter().map(|term| match term {
            term if term.stem == *word => 1.0,
            term if term.synonyms.contains(word) => SYNONYM,
            _ => 0.0,
        });
        closeness.fold(0.0, f32::max)
    };
    name.iter().map(spoken).sum::<f32>() / (name.len().max(1) as f32)
}

struct Gain {
    saturated: f32,
    closeness: f32,
}

/// What each operation gains by one term: its best of the word itself, a synonym and a beginning.
fn matches(index: &Index, term: &words::Term) -> BTreeMap<usize, Gain> {
    let mut best: BTreeMap<usize, Gain> = BTreeMap::new();
    let mut offer = |stem: &str, closeness: f32| {
        for posting in index.postings.get(stem).into_iter().flatten() {
            let length = index.lengths[posting.operation] / index.mean.max(f32::EPSILON);
            let saturated = closeness * posting.weight * (K1 + 1.0) / (posting.weight + K1 * (1.0 - B + B * length));
            let gain = best.entry(posting.operation).or_insert(Gain { saturated: 0.0, closeness: 0.0 });
            if saturated > gain.saturated {
                *gain = Gain { saturated, closeness };
            }
        }
    };
    offer(&term.stem, 1.0);
    for synonym in &term.synonyms {
        offer(synonym, SYNONYM);
    }
    if term.stem.len() >= PREFIX_FROM {
        let longer = index.postings.keys().filter(|known| {
            let (short, long) = if known.len() < term.stem.len() {
                (known.as_str(), term.stem.as_str())
            } else {
                (term.stem.as_str(), known.as_str())
            };
            short.len() >= PREFIX_FROM && short.len() != long.len() && long.starts_with(short)
        });
        for known in longer {
            offer(known, PREFIX);
        }
    }
    best
}

/// Robertson's inverse document frequency, never negative.
fn rarity(index: &Index, holders: usize) -> f32 {
    let all = index.operations.len() as f32;
    let holders = holders as f32;
    (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln().max(0.1)
}
