//! The scores of [`super::Index`] for many queries: only the texts that hold a term of the query are looked at.

use std::collections::HashMap;

use super::{B, EPSILON, K1};

/// Texts by their terms.
#[derive(Debug, Clone)]
pub struct Postings {
    /// The texts that hold a term, with its weight there: inverse document frequency and saturation.
    terms: HashMap<String, Vec<(u32, f64)>>,
}

impl Postings {
    /// Over texts of terms, each with its count, which may be a weighted one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub fn new(texts: &[HashMap<String, f64>]) -> Self {
        let lengths: Vec<f64> = texts.iter().map(|text| text.values().sum()).collect();
        let mean_length = crate::statistics::mean(&lengths).max(1e-9);
        let mut terms: HashMap<String, Vec<(u32, f64)>> = HashMap::new();
        for (at, text) in (0_u32..).zip(texts) {
            for (term, count) in text {
                terms.entry(term.clone()).or_default().push((at, *count));
            }
        }
        let all = texts.len() as f64;
        let idf = |held: usize| (all - held as f64 + 0.5).ln() - (held as f64 + 0.5).ln();
        // Summed by how many texts hold a term, so that it is the same on every run.
        let mut by_count: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
        terms.values().for_each(|held| *by_count.entry(held.len()).or_default() += 1);
        let sum: f64 = by_count.iter().map(|(held, count)| idf(*held) * *count as f64).sum();
        let floor = EPSILON * sum / (terms.len().max(1) as f64);
        for held in terms.values_mut() {
            let weight = idf(held.len());
            let weight = if weight < 0.0 { floor } else { weight };
            for (text, value) in held.iter_mut() {
                let norm = K1 * (1.0 - B + B * lengths[*text as usize] / mean_length);
                *value = weight * *value * (K1 + 1.0) / (*value + norm);
            }
        }
        Self { terms }
    }

    /// The texts that hold a term of a query, with their scores, the best first; at most `most`.
    #[must_use]
    pub fn best<T: AsRef<str>>(&self, query: &[T], most: usize) -> Vec<(usize, f64)> {
        let mut scores: HashMap<u32, f64> = HashMap::new();
        for term in query {
            for (text, value) in self.terms.get(term.as_ref()).into_iter().flatten() {
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
}
