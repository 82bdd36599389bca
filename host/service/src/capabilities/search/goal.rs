//! A goal as the index reads it: its content words, and for each what else may stand for it in a contract.

use std::collections::HashSet;

use super::spelling::Word;
use super::{thesaurus, words};

/// What a synonym counts against the word itself.
const SYNONYM: f32 = 0.6;
/// So many synonyms of a word count in full.
const FEW: f32 = 10.0;
/// How fast each counts less when they are more.
const VAGUE: f32 = 0.56;
/// What a word counts that a phrase of the thesaurus means: more than a word, since nobody says it by accident.
const MEANT: f32 = 1.37;
/// What two words count that are one in the contracts: `back links`.
const JOINED: f32 = 0.7;
/// What a word counts that was probably meant where a word is misspelt.
const CORRECTED: f32 = 0.68;
/// What the beginning of a word counts against the whole: `optimi` finds `optimisation`.
const PREFIX: f32 = 0.39;
/// Stems shorter than this are never taken as the beginning of another.
const PREFIX_FROM: usize = 5;
/// How many letters longer a word may be than its beginning.
const PREFIX_MORE: usize = 5;

/// One idea of a goal.
#[derive(Debug)]
pub(super) struct Term {
    /// As the caller wrote it.
    pub(super) shown: String,
    /// Stems that stand for it, with what each counts against the word itself. The first is its own.
    pub(super) variants: Vec<(String, f32)>,
}

impl Term {
    fn offer(&mut self, stem: String, closeness: f32) {
        match self.variants.iter_mut().find(|(known, _)| *known == stem) {
            Some((_, known)) => *known = known.max(closeness),
            None => self.variants.push((stem, closeness)),
        }
    }
}

/// The ideas of a goal, each once. A goal of nothing but stop words keeps them all. `known` are the stems of the
/// contracts.
pub(super) fn terms(all: &[Word], known: &HashSet<String>) -> Vec<Term> {
    let bare = all.iter().all(|word| word.stops);
    let mut terms: Vec<Term> = Vec::with_capacity(all.len());
    for (at, word) in all.iter().enumerate() {
        if word.stops && !bare {
            continue;
        }
        let (stem, meant) = (&word.stem, &word.meant);
        if terms.iter().any(|term| term.variants[0].0 == *stem) {
            continue;
        }
        let mut term = Term { shown: word.written.clone(), variants: vec![(stem.clone(), 1.0)] };
        if word.is_misspelt() {
            term.offer(meant.clone(), CORRECTED);
        }
        let synonyms = thesaurus::synonyms(meant);
        // A word with many synonyms means each of them less.
        let sharp = SYNONYM * (FEW / FEW.max(synonyms.len() as f32)).powf(VAGUE);
        for synonym in synonyms {
            term.offer(synonym.clone(), sharp);
        }
        for longer in beginnings(stem, known) {
            term.offer(longer, PREFIX);
        }
        if let Some(next) = all.get(at + 1) {
            let joined = words::stem(&format!("{}{}", word.written, next.written));
            if known.contains(&joined) {
                term.offer(joined, JOINED);
            }
        }
        terms.push(term);
    }
    let stems: Vec<String> = all.iter().map(|word| word.meant.clone()).collect();
    for (from, length, meaning) in thesaurus::phrases(&stems) {
        let shown = all[from..from + length].iter().map(|word| word.written.as_str()).collect::<Vec<_>>().join(" ");
        let mut term = Term { variants: vec![(shown.clone(), 1.0)], shown };
        for stem in meaning {
            term.offer(stem.clone(), MEANT);
        }
        terms.push(term);
    }
    terms
}

/// Known stems that begin with this one, or with which it begins.
fn beginnings<'a>(stem: &'a str, known: &'a HashSet<String>) -> impl Iterator<Item = String> + 'a {
    known
        .iter()
        .filter(move |other| {
            let (short, long) = if other.len() < stem.len() { (other.as_str(), stem) } else { (stem, other.as_str()) };
            short.len() >= PREFIX_FROM
                && short.len() != long.len()
                && long.len() - short.len() <= PREFIX_MORE
                && long.starts_with(short)
        })
        .cloned()
}
