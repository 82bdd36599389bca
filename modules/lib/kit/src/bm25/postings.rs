//! The scores of [`super::Index`] for many queries: only the texts that hold a term of the query are looked at.

use std::collections::HashMap;

use super::{B, EPSILON, K1};

/// Texts by their terms.
#[derive(Debug, Clone)]
pub struct Postings {
    terms: HashMap<String, Term>,
    /// The weight of a term that no text holds.
    unknown: f64,
}

/// A term of some texts.
#[derive(Debug, Clone, Default)]
struct Term {
    /// Its inverse document frequency.
    weight: f64,
    /// The texts that hold it, in their order, with its weight there: inverse document frequency and saturation.
    texts: Vec<(u32, f64)>,
}

impl Postings {
    /// Over texts of terms, each with its count, which may be a weighted one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub fn new(texts: &[HashMap<String, f64>]) -> Self {
        let lengths: Vec<f64> = texts.iter().map(|text| text.values().sum()).collect();
        let mean_length = crate::statistics::mean(&lengths).max(1e-9);
        let mut terms: HashMap<String, Term> = HashMap::new();
        for (at, text) in (0_u32..).zip(texts) {
            for (term, count) in text {
                terms.entry(term.clone()).or_default().texts.push((at, *count));
            }
        }
        let all = texts.len() as f64;
        let idf = |held: usize| (all - held as f64 + 0.5).ln() - (held as f64 + 0.5).ln();
        // Summed by how many texts hold a term, so that it is the same on every run.
        let mut by_count: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
        terms.values().for_each(|term| *by_count.entry(term.texts.len()).or_default() += 1);
        let sum: f64 = by_count.iter().map(|(held, count)| idf(*held) * *count as f64).sum();
        let floor = EPSILON * sum / (terms.len().max(1) as f64);
        for term in terms.values_mut() {
            let weight = idf(term.texts.len());
            term.weight = if weight < 0.0 { floor } else { weight };
            for (text, value) in &mut term.texts {
                let norm = K1 * (1.0 - B + B * lengths[*text as usize] / mean_length);
                *value = term.weight * *value * (K1 + 1.0) / (*value + norm);
            }
        }
        Self { terms, unknown: idf(0) }
    }

    /// The share of a query that a text holds, from 0 to 1: of the inverse document frequencies of its terms. A term that no
    /// text holds weighs most, so a text that shares one common word of three with a query holds little of it.
    #[must_use]
    pub fn held<T: AsRef<str>>(&self, query: &[T], text: usize) -> f64 {
        let (mut held, mut whole) = (0.0, 0.0);
        for term in query {
            let Some(term) = self.terms.get(term.as_ref()) else {
                whole += self.unknown;
                continue;
            };
            // Of few texts a term that many hold can weigh nothing; it is still a part of the query.
            let weight = term.weight.max(1e-6);
            whole += weight;
            if term.texts.binary_search_by_key(&text, |it| it.0 as usize).is_ok() {
                held += weight;
            }
        }
        if whole > 0.0 { held / whole } else { 0.0 }
    }

    /// The texts that hold a term of a query, with their scores, the best first; at most `most`.
    #[must_use]
    pub fn best<T: AsRef<str>>(&self, query: &[T], most: usize) -> Vec<(usize, f64)> {
        let mut scores: HashMap<u32, f64> = HashMap::new();
        for term in query {
            for (text, value) in self.terms.get(term.as_ref()).into_iter().flat_map(|it| &it.texts) {
                *scores.entry(*text).or_default() += value;
            }
        }
        let mut best: Vec<(usize, f64)> = scores.into_iter().map(|(text, score)| (text as usize, score)).collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        best.truncate(most);
        best
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::Index;
    use super::Postings;

    #[test]
    fn the_scores_are_those_of_the_index() {
        let texts: Vec<Vec<&str>> =
            ["brass lamp desk lamp", "oak table", "desk of oak and brass", "lamp lamp lamp", "wool rug red"]
                .iter()
                .map(|text| text.split(' ').collect())
                .collect();
        let counts: Vec<HashMap<String, f64>> = texts
            .iter()
            .map(|text| {
                let mut counts = HashMap::new();
                text.iter().for_each(|term| *counts.entry((*term).to_owned()).or_default() += 1.0);
                counts
            })
            .collect();
        let (index, postings) = (Index::new(&texts), Postings::new(&counts));
        for query in [vec!["lamp"], vec!["brass", "desk"], vec!["oak", "lamp", "nowhere"]] {
            let wanted = index.scores(&query);
            let best = postings.best(&query, 10);
            assert_eq!(best.len(), wanted.iter().filter(|it| **it != 0.0).count());
            assert!(best.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            for (text, score) in best {
                assert!((score - wanted[text]).abs() < 1e-12, "{query:?} {text}");
            }
        }
        assert_eq!(postings.best(&["lamp"], 1).len(), 1);
    }

    #[test]
    fn a_text_holds_little_of_a_query_when_it_has_one_common_word_of_it() {
        let texts: Vec<HashMap<String, f64>> = ["desk lamp", "desk oak", "wool rug", "red rug"]
            .iter()
            .map(|text| text.split(' ').map(|term| (term.to_owned(), 1.0)).collect())
            .collect();
        let postings = Postings::new(&texts);
        let whole = postings.held(&["desk", "lamp"], 0);
        assert!((whole - 1.0).abs() < 1e-12);
        assert!(postings.held(&["desk", "organizer", "leather"], 0) < 0.1);
        assert!(postings.held(&["desk", "lamp"], 1) < 0.5, "the rarer word is missing");
        assert_eq!((postings.held(&["desk"], 2), postings.held::<&str>(&[], 0)), (0.0, 0.0));
    }
}
