//! What others have and a page lacks: terms by weight, and sections by their headings.

use std::collections::{BTreeMap, BTreeSet};

use kit::terms::Analyzer;
use kit::tfidf::Frequencies;

use super::{Section, Term};
use crate::grams::{self, Grams};
use crate::live::Live;

/// Names: runs of capitalised words inside sentences, and names in structured data; the first 30.
pub(super) fn names(page: &Live) -> Vec<String> {
    let mut out: BTreeMap<String, u32> = BTreeMap::new();
    for node in kit::jsonld::nodes(&page.dom) {
        if let Some(name) = node.get("name").and_then(kit::jsonld::text).filter(|it| it.chars().count() <= 80) {
            *out.entry(name).or_default() += 2;
        }
    }
    for sentence in kit::sentence::sentences(&page.text()) {
        let words: Vec<&str> = kit::text::words(sentence).collect();
        let capital = |word: &&&str| word.starts_with(char::is_uppercase) && word.chars().count() > 1;
        let mut at = 1;
        while at < words.len() {
            let run = words[at..].iter().take_while(capital).count();
            if (2..=4).contains(&run) {
                *out.entry(words[at..at + run].join(" ")).or_default() += 1;
            }
            at += run + 1;
        }
    }
    let mut names: Vec<(String, u32)> = out.into_iter().collect();
    names.sort_by_key(|it| u32::MAX - it.1);
    names.into_iter().take(30).map(|it| it.0).collect()
}

/// Terms that at least half of the others use and the page does not.
pub(super) fn missing_terms(own: &Live, others: &[Live], analyzer: &Analyzer) -> Vec<Term> {
    let held: BTreeSet<String> = grams::of(&own.text(), analyzer, 2).terms.into_iter().collect();
    let read: Vec<Grams> = others.iter().map(|it| grams::of(&it.text(), analyzer, 2)).collect();
    let documents: Vec<&Vec<String>> = read.iter().map(|it| &it.terms).collect();
    let mut all = Frequencies::default();
    documents.iter().for_each(|it| all.add(it));
    all.add(&held.iter().collect::<Vec<_>>());
    let vectors: Vec<_> = documents.iter().map(|it| all.vector(it)).collect();
    let mut weights: BTreeMap<&str, (u32, f64)> = BTreeMap::new();
    for (term, weight) in vectors.iter().flatten() {
        let known = weights.entry(term).or_default();
        *known = (known.0 + 1, known.1 + weight);
    }
    let least = u32::try_from(others.len().div_ceil(2)).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    for (term, (count, weight)) in weights {
        let times: usize = documents.iter().map(|it| it.iter().filter(|one| *one == term).count()).sum();
        // With a single page beside it, a word that stands there once says nothing.
        if held.contains(term) || count < least || times < 2 || term.chars().count() > 120 {
            continue;
        }
        let users: u32 = documents
            .iter()
            .zip(others)
            .filter(|(it, _)| it.iter().any(|one| one == term))
            .map(|(_, page)| page.facts.word_count)
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "counts of words and pages")]
        let (per_1000, mean) = (1_000.0 * times as f64 / f64::from(users.max(1)), weight / others.len() as f64);
        let written = read.iter().find_map(|it| it.written.get(term)).cloned().unwrap_or_else(|| term.to_owned());
        out.push(Term {
            term: written,
            documents: count,
            weight: kit::statistics::round(mean, 4),
            per_1000: kit::statistics::round(per_1000, 2),
        });
    }
    out.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.term.cmp(&b.term)));
    out.truncate(40);
    out
}

/// Headings of the others whose subject no heading of the page has.
pub(crate) fn missing_sections(own: &Live, others: &[Live], analyzer: &Analyzer) -> Vec<Section> {
    let stems = |text: &str| analyzer.stems(text).into_iter().collect::<BTreeSet<_>>();
    let mut held: Vec<BTreeSet<String>> = own.facts.headings.iter().map(|it| stems(&it.text)).collect();
    held.push(stems(own.title()));
    let mut out = Vec::new();
    for page in others {
        for heading in page.facts.headings.iter().filter(|it| (2..=4).contains(&it.level)) {
            let wanted = stems(&heading.text);
            let near = |known: &BTreeSet<String>| 2 * known.intersection(&wanted).count() >= wanted.len();
            if !wanted.is_empty() && !held.iter().any(near) {
                held.push(wanted);
                let heading = heading.text.trim_end_matches('¶').trim().to_owned();
                out.push(Section { heading, url: page.facts.final_url.clone() });
            }
        }
    }
    out.truncate(40);
    out
}
