//! Weights of terms over a set of documents, and how alike two documents are by them.
//!
//! The smoothed form: idf = ln((1 + n) / (1 + df)) + 1, counts as they are, vectors of length one (Manning, Raghavan and
//! Schütze 2008, chapter 6; the defaults of scikit-learn).

use std::collections::{BTreeMap, HashMap};

/// A document as weights by term; sorted, so that sums are the same on every run.
pub type Vector = BTreeMap<String, f64>;

/// How many documents hold each term.
#[derive(Debug, Clone, Default)]
pub struct Frequencies {
    documents: u32,
    terms: HashMap<String, u32>,
}

impl Frequencies {
    /// Counts over documents of terms.
    #[must_use]
    pub fn of<T: AsRef<str>>(documents: &[Vec<T>]) -> Self {
        let mut all = Self::default();
        for document in documents {
            all.add(document);
        }
        all
    }

    /// One more document.
    pub fn add<T: AsRef<str>>(&mut self, document: &[T]) {
        self.documents += 1;
        let mut seen: Vec<&str> = document.iter().map(AsRef::as_ref).collect();
        seen.sort_unstable();
        seen.dedup();
        for term in seen {
            match self.terms.get_mut(term) {
                Some(count) => *count += 1,
                None => {
                    self.terms.insert(term.to_owned(), 1);
                }
            }
        }
    }

    /// How many documents were counted.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// In how many documents a term is.
    #[must_use]
    pub fn count(&self, term: &str) -> u32 {
        self.terms.get(term).copied().unwrap_or_default()
    }

    /// The inverse document frequency of a term, smoothed; at least 1.
    #[must_use]
    pub fn idf(&self, term: &str) -> f64 {
        (f64::from(1 + self.documents) / f64::from(1 + self.count(term))).ln() + 1.0
    }

    /// The weights of a document, scaled to length one; empty for an empty document.
    #[must_use]
    pub fn vector<T: AsRef<str>>(&self, document: &[T]) -> Vector {
        let mut vector = Vector::new();
        for term in document {
            *vector.entry(term.as_ref().to_owned()).or_default() += 1.0;
        }
        for (term, weight) in &mut vector {
            *weight *= self.idf(term);
        }
        let length = vector.values().map(|it| it * it).sum::<f64>().sqrt();
        if length > 0.0 {
            vector.values_mut().for_each(|it| *it /= length);
        }
        vector
    }
}

/// The cosine of two vectors of length one, from 0 to 1.
#[must_use]
pub fn cosine(a: &Vector, b: &Vector) -> f64 {
    let sum: f64 = a.iter().filter_map(|(term, weight)| Some(weight * b.get(term)?)).sum();
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{Frequencies, cosine};

    #[test]
    fn a_term_in_every_document_weighs_least() {
        let documents = [vec!["a", "b"], vec!["a", "c"]];
        let all = Frequencies::of(&documents);
        assert!((all.idf("a") - 1.0).abs() < 1e-12);
        assert!(all.idf("b") > all.idf("a") && all.idf("unseen") > all.idf("b"));
        assert_eq!((all.documents(), all.count("a"), all.count("b")), (2, 2, 1));
    }

    #[test]
    fn a_document_is_like_itself_and_unlike_a_stranger() {
        let all = Frequencies::of(&[vec!["a", "b", "b"], vec!["c"]]);
        let (one, other) = (all.vector(&["a", "b", "b"]), all.vector(&["c"]));
        assert!((cosine(&one, &one) - 1.0).abs() < 1e-12);
        assert!(cosine(&one, &other).abs() < f64::EPSILON);
        assert!(all.vector::<&str>(&[]).is_empty());
    }
}
