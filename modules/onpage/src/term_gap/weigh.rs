//! Terms that pages share, how much each weighs, and how often it stands in them.

use std::collections::{BTreeMap, BTreeSet};

use kit::statistics::{quantile, round};
use kit::terms::Analyzer;
use kit::tfidf::Frequencies;
use sdk::prelude::*;

use crate::grams::{self, Grams};
use crate::live::Live;

/// Words of a term at most.
const LONGEST: usize = 3;
/// The share of the other pages that a term must be in.
const SHARE: f64 = 0.4;
/// Terms that are given at most.
const MOST: usize = 60;

/// A term that the page lacks or has too seldom.
#[value]
pub(crate) struct Gap {
    /// As it is written first.
    pub(super) term: String,
    /// How many of the other pages have it.
    docs: u32,
    /// Mean TF-IDF over the other pages, times how rare the term is on the website's own pages, the weightiest 1.
    weight: f64,
    /// Occurrences in 1,000 words of the pages that have it: the middle half of them.
    target_range: Range,
    /// Occurrences in 1,000 words of the page itself.
    own_per_1000: f64,
    /// Occurrences on the page itself.
    own: u32,
}

#[value]
pub(crate) struct Range {
    low: f64,
    high: f64,
}

/// A term that the page has far more often than the others.
#[value]
pub(crate) struct Overuse {
    term: String,
    docs: u32,
    target_range: Range,
    own_per_1000: f64,
    own: u32,
}

/// Both lists.
pub(super) struct Weighed {
    pub(super) missing: Vec<Gap>,
    pub(super) overused: Vec<Overuse>,
}

/// One page as terms.
struct Counted {
    grams: Grams,
    words: f64,
}

impl Counted {
    fn of(page: &Live, analyzer: &Analyzer) -> Self {
        let text = page.text();
        Self { words: f64::from(kit::text::word_count(&text).max(1)), grams: grams::of(&text, analyzer, LONGEST) }
    }
}

/// Weighs the terms of the other pages against those of the page.
pub(super) fn weigh(own: &Live, others: &[Live], analyzer: &Analyzer, background: Option<&Frequencies>) -> Weighed {
    let own = Counted::of(own, analyzer);
    let others: Vec<Counted> = others.iter().map(|it| Counted::of(it, analyzer)).collect();
    let held = own.grams.counts();
    let counts: Vec<BTreeMap<&str, u32>> = others.iter().map(|it| it.grams.counts()).collect();
    let weights = weights(&others);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 15 pages"
    )]
    let least = ((others.len() as f64 * SHARE).ceil() as usize).max(2);
    let mut shared: Vec<(&str, Vec<f64>, f64)> = Vec::new();
    for (term, weight) in &weights {
        let rates: Vec<f64> = counts
            .iter()
            .zip(&others)
            .filter_map(|(counts, page)| Some(1_000.0 * f64::from(*counts.get(term.as_str())?) / page.words))
            .collect();
        if rates.len() >= least && term.chars().count() <= 120 {
            shared.push((term, rates, weight * rarity(term, background)));
        }
    }
    let parts = parts(&shared);
    let most = shared.iter().map(|it| it.2).fold(f64::MIN_POSITIVE, f64::max);
    let mut missing: Vec<Gap> = Vec::new();
    let mut overused: Vec<Overuse> = Vec::new();
    for (term, rates, weight) in &shared {
        let (low, high) = (quantile(rates, 0.25), quantile(rates, 0.75));
        let top = rates.iter().copied().fold(0.0, f64::max);
        let times = held.get(term).copied().unwrap_or_default();
        let rate = 1_000.0 * f64::from(times) / own.words;
        let written = others.iter().find_map(|it| it.grams.written.get(*term)).cloned().unwrap_or_default();
        let target_range = Range { low: round(low, 2), high: round(high, 2) };
        let docs = u32::try_from(rates.len()).unwrap_or(u32::MAX);
        // What the others only say within a longer term is lacking as that; the page may overuse it by itself.
        if rate < low && parts.contains(term) {
            continue;
        }
        if rate < low {
            missing.push(Gap {
                term: written,
                docs,
                weight: round(weight / most, 4),
                target_range,
                own_per_1000: round(rate, 2),
                own: times,
            });
        } else if times >= 5 && rate > top && rate > 2.0 * high {
            overused.push(Overuse { term: written, docs, target_range, own_per_1000: round(rate, 2), own: times });
        }
    }
    missing.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.term.cmp(&b.term)));
    overused.sort_by(|a, b| b.own_per_1000.total_cmp(&a.own_per_1000).then_with(|| a.term.cmp(&b.term)));
    missing.truncate(MOST);
    overused.truncate(MOST);
    Weighed { missing, overused }
}

/// The mean TF-IDF of each term over the pages.
fn weights(pages: &[Counted]) -> BTreeMap<String, f64> {
    let mut all = Frequencies::default();
    pages.iter().for_each(|it| all.add(&it.grams.terms));
    let mut weights: BTreeMap<String, f64> = BTreeMap::new();
    #[expect(clippy::cast_precision_loss, reason = "at most 15 pages")]
    let count = pages.len().max(1) as f64;
    for page in pages {
        for (term, weight) in all.vector(&page.grams.terms) {
            *weights.entry(term).or_default() += weight / count;
        }
    }
    weights
}

/// How rare a term is on the website's own pages: the mean over its words; 1 without any.
fn rarity(term: &str, background: Option<&Frequencies>) -> f64 {
    let Some(background) = background else { return 1.0 };
    let words: Vec<f64> = term.split(' ').map(|it| background.idf(it)).collect();
    kit::statistics::mean(&words)
}

/// Terms that only stand within a longer one: `gap` beside `term gap`, when as many pages have the longer one.
fn parts<'a>(shared: &[(&'a str, Vec<f64>, f64)]) -> BTreeSet<&'a str> {
    let pages: BTreeMap<&str, usize> = shared.iter().map(|it| (it.0, it.1.len())).collect();
    let mut out = BTreeSet::new();
    for (long, rates, _) in shared {
        let words: Vec<&str> = long.split(' ').collect();
        for size in 1..words.len() {
            for run in words.windows(size) {
                let short = run.join(" ");
                if let Some((short, count)) = pages.get_key_value(short.as_str())
                    && *count <= rates.len()
                {
                    out.insert(*short);
                }
            }
        }
    }
    out
}
