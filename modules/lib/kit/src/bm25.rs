//! How well passages answer a query: BM25 (Robertson and Zaragoza 2009), k1 1.5 and b 0.75 as in Okapi's defaults.

pub mod fields;
mod postings;

pub use postings::Postings;

use std::collections::HashMap;

const K1: f64 = 1.5;
const B: f64 = 0.75;
/// What a term that is in most passages still counts, as a share of the mean inverse document frequency.
const EPSILON: f64 = 0.25;

/// Passages ready to be asked.
#[derive(Debug, Clone)]
pub struct Index {
    counts: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
    mean_length: f64,
    weights: HashMap<String, f64>,
}

impl Index {
    /// Over passages of terms.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
    pub fn new<T: AsRef<str>>(passages: &[Vec<T>]) -> Self {
        let mut counts: Vec<HashMap<String, f64>> = Vec::with_capacity(passages.len());
        let mut frequency: HashMap<String, f64> = HashMap::new();
        let mut order: Vec<String> = Vec::new();
        for passage in passages {
            let mut terms: HashMap<String, f64> = HashMap::new();
            for term in passage {
                let count = terms.entry(term.as_ref().to_owned()).or_default();
                *count += 1.0;
                if *count < 1.5 {
                    let of = frequency.entry(term.as_ref().to_owned()).or_default();
                    *of += 1.0;
                    if *of < 1.5 {
                        order.push(term.as_ref().to_owned());
                    }
                }
            }
            counts.push(terms);
        }
        let lengths: Vec<f64> = passages.iter().map(|passage| passage.len() as f64).collect();
        let all = passages.len() as f64;
        // Summed in the order of appearance, so that it is the same on every run.
        let raw: Vec<f64> =
            order.iter().map(|term| (all - frequency[term] + 0.5).ln() - (frequency[term] + 0.5).ln()).collect();
        let floor = EPSILON * crate::statistics::mean(&raw);
        let weights =
            order.into_iter().zip(raw).map(|(term, idf)| (term, if idf < 0.0 { floor } else { idf })).collect();
        Self { counts, mean_length: crate::statistics::mean(&lengths), lengths, weights }
    }

    /// The score of each passage for a query of terms.
    #[must_use]
    pub fn scores<T: AsRef<str>>(&self, query: &[T]) -> Vec<f64> {
        let score = |(terms, length): (&HashMap<String, f64>, &f64)| {
            let norm = K1 * (1.0 - B + B * length / self.mean_length.max(1e-9));
            query
                .iter()
                .map(|term| {
                    let count = terms.get(term.as_ref()).copied().unwrap_or_default();
                    let weight = self.weights.get(term.as_ref()).copied().unwrap_or_default();
                    weight * count * (K1 + 1.0) / (count + norm)
                })
                .sum()
        };
        self.counts.iter().zip(&self.lengths).map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    fn terms(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_passage_about_the_query_comes_first() {
        let passages = [
            terms("oak tables for kitchens"),
            terms("brass lamps for desks"),
            terms("lamps lamps lamps"),
            terms("wool rugs"),
        ];
        let scores = Index::new(&passages).scores(&terms("brass lamps"));
        let best = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(at, _)| at);
        assert_eq!(best, Some(1));
        assert!(scores[3].abs() < f64::EPSILON);
    }

    #[test]
    fn no_passages_have_no_scores() {
        assert!(Index::new::<String>(&[]).scores(&["a"]).is_empty());
        assert_eq!(Index::new(&[Vec::<String>::new()]).scores(&["a"]), [0.0]);
    }
}
