//! Groups of short texts that use the same words: average linkage on the cosine of their weighted terms.
//!
//! Texts without a common term have the distance 1, the greatest there is. So the connected parts of the graph of common terms
//! can be clustered one by one, and every cut below 1 is the cut of the whole.

use std::collections::HashMap;

use kodama::{Method, linkage};
use serde::{Deserialize, Serialize};

/// Thresholds among which the best silhouette decides: 0.20, 0.25 and so on to 0.80.
pub const THRESHOLDS: [f64; 13] = [0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80];

/// Texts as vectors of length one, sparse, with terms in rising order.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    rows: Vec<Vec<(u32, f64)>>,
    terms: usize,
}

impl Vectors {
    /// The vectors of texts, each as its terms with their counts: smoothed inverse document frequencies and length one, as
    /// [`crate::tfidf`].
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub fn of(texts: impl IntoIterator<Item = Vec<(String, f64)>>) -> Self {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut frequencies: Vec<u32> = Vec::new();
        let mut rows: Vec<Vec<(u32, f64)>> = Vec::new();
        for text in texts {
            let mut row: Vec<(u32, f64)> = Vec::with_capacity(text.len());
            for (term, count) in text {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                row.push((*numbers.entry(term).or_insert(next), count));
            }
            row.sort_unstable_by_key(|it| it.0);
            row.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
            frequencies.resize(numbers.len(), 0);
            for (term, _) in &row {
                if let Some(count) = frequencies.get_mut(*term as usize) {
                    *count += 1;
                }
            }
            rows.push(row);
        }
        let texts = rows.len() as f64;
        for row in &mut rows {
            for (term, weight) in row.iter_mut() {
                *weight *= ((1.0 + texts) / (1.0 + f64::from(frequencies[*term as usize]))).ln() + 1.0;
            }
            let length = row.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
            row.iter_mut().for_each(|(_, weight)| *weight /= length.max(f64::MIN_POSITIVE));
        }
        Self { rows, terms: numbers.len() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The connected parts of the graph of common terms, those with the first texts first. A part of more than `max_part`
    /// texts is taken apart by leaving out its most frequent terms, down to those of two texts; returns too whether that was
    /// done.
    #[must_use]
    pub fn parts(&self, max_part: usize) -> (Vec<Vec<usize>>, bool) {
        let mut open = vec![(0..self.rows.len()).collect::<Vec<usize>>()];
        let (mut parts, mut cut) = (Vec::new(), false);
        let mut limit = usize::MAX;
        while !open.is_empty() {
            let mut large = Vec::new();
            for texts in open.drain(..) {
                let found = self.connected(&texts, limit);
                if found.len() == texts.len() && limit < usize::MAX {
                    // Only frequent terms connect these: they go in pieces, in their order.
                    parts.extend(texts.chunks(max_part.max(1)).map(<[usize]>::to_vec));
                    continue;
                }
                for part in found {
                    if part.len() > max_part { large.push(part) } else { parts.push(part) }
                }
            }
            cut |= !large.is_empty();
            let largest = large.iter().map(Vec::len).max().unwrap_or(0);
            // A twentieth of the largest part first, then half as much each time.
            limit = if limit == usize::MAX { largest / 20 } else { limit / 2 };
            if limit < 2 {
                // Nothing more can be left out: the rest goes in pieces, in the order of the texts.
                parts.extend(
                    large
                        .into_iter()
                        .flat_map(|part| part.chunks(max_part.max(1)).map(<[usize]>::to_vec).collect::<Vec<_>>()),
                );
                break;
            }
            open = large;
        }
        parts.sort_by_key(|part| part.first().copied());
        (parts, cut)
    }

    /// The parts of some texts that terms of at most `limit` of these texts connect.
    fn connected(&self, texts: &[usize], limit: usize) -> Vec<Vec<usize>> {
        let mut holders: Vec<Vec<u32>> = vec![Vec::new(); self.terms];
        for (at, text) in texts.iter().enumerate() {
            for (term, _) in &self.rows[*text] {
                holders[*term as usize].push(u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        let mut above: Vec<usize> = (0..texts.len()).collect();
        for holders in holders.iter().filter(|it| it.len() <= limit) {
            for pair in holders.windows(2) {
                let (one, other) = (root(&mut above, pair[0] as usize), root(&mut above, pair[1] as usize));
                above[one.max(other)] = one.min(other);
            }
        }
        let mut parts: HashMap<usize, usize> = HashMap::new();
        let mut found: Vec<Vec<usize>> = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let root = root(&mut above, at);
            let number = *parts.entry(root).or_insert(found.len());
            if number == found.len() {
                found.push(Vec::new());
            }
            found[number].push(*text);
        }
        found
    }

    /// The distances of some texts from each other, 1 less the cosine, to 12 digits.
    #[must_use]
    pub fn distances(&self, texts: &[usize]) -> Distances {
        let count = texts.len();
        let mut values = Vec::with_capacity(count * count.saturating_sub(1) / 2);
        let mut dense = vec![0.0; self.terms];
        for (at, one) in texts.iter().enumerate() {
            self.rows[*one].iter().for_each(|(term, weight)| dense[*term as usize] = *weight);
            for other in &texts[at + 1..] {
                let cosine: f64 = self.rows[*other].iter().map(|(term, weight)| weight * dense[*term as usize]).sum();
                values.push(((1.0 - cosine).clamp(0.0, 1.0) * 1e12).round() / 1e12);
            }
            self.rows[*one].iter().for_each(|(term, _)| dense[*term as usize] = 0.0);
        }
        Distances { values, count }
    }
}

fn root(above: &mut [usize], mut at: usize) -> usize {
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}

/// The distances of items from each other, each pair once.
#[derive(Debug, Clone)]
pub struct Distances {
    values: Vec<f64>,
    count: usize,
}

impl Distances {
    /// The distances of the pairs (0, 1), (0, 2), … (1, 2), …; `None` when they are not as many as `count` items have.
    #[must_use]
    pub fn new(values: Vec<f64>, count: usize) -> Option<Self> {
        (values.len() == count * count.saturating_sub(1) / 2).then_some(Self { values, count })
    }

    /// The distance of two items.
    #[must_use]
    pub fn between(&self, one: usize, other: usize) -> f64 {
        let (low, high) = (one.min(other), one.max(other));
        if low == high { 0.0 } else { self.values[low * (2 * self.count - low - 1) / 2 + high - low - 1] }
    }

    /// The tree of average linkage over the items (Sokal and Michener 1958).
    #[must_use]
    pub fn tree(&self) -> Tree {
        self.joined(Method::Average)
    }

    /// The tree of complete linkage: a cut leaves no two items of a cluster farther apart than its threshold.
    #[must_use]
    pub fn complete_tree(&self) -> Tree {
        self.joined(Method::Complete)
    }

    fn joined(&self, method: Method) -> Tree {
        let mut values = self.values.clone();
        let joined = linkage(&mut values, self.count, method);
        let joins = joined.steps().iter().map(|step| (step.cluster1, step.cluster2, step.dissimilarity)).collect();
        Tree { joins, count: self.count }
    }

    /// The sum over the items of their silhouette for these labels (Rousseeuw 1987); an item alone in its cluster counts 0, as
    /// scikit-learn has it. `has_others` says that there are more items elsewhere, all at the distance 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of items")]
    pub fn silhouettes(&self, labels: &[usize], has_others: bool) -> f64 {
        let clusters = labels.iter().max().map_or(0, |most| most + 1);
        let mut sizes = vec![0_usize; clusters];
        labels.iter().for_each(|label| sizes[*label] += 1);
        let mut sum = 0.0;
        let mut sums = vec![0.0; clusters];
        for one in 0..self.count {
            if sizes[labels[one]] < 2 {
                continue;
            }
            sums.iter_mut().for_each(|it| *it = 0.0);
            for other in (0..self.count).filter(|other| *other != one) {
                sums[labels[other]] += self.between(one, other);
            }
            let within = sums[labels[one]] / (sizes[labels[one]] - 1) as f64;
            let others =
                (0..clusters).filter(|label| *label != labels[one]).map(|label| sums[label] / sizes[label] as f64);
            let nearest = others.fold(if has_others { 1.0 } else { f64::INFINITY }, f64::min);
            let larger = within.max(nearest);
            if larger > 0.0 && nearest.is_finite() {
                sum += (nearest - within) / larger;
            }
        }
        sum
    }
}

/// How items were joined, the nearest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// Two clusters and their distance. Numbers below the count are items; others are joins, in their order.
    joins: Vec<(usize, usize, f64)>,
    count: usize,
}

impl Tree {
    /// The label of each item when only joins below `threshold` hold and no cluster has more than `max_cluster` items: a larger
    /// one is taken apart at its last join. Labels count up from 0 in the order of the items.
    #[must_use]
    pub fn cut(&self, threshold: f64, max_cluster: usize) -> Vec<usize> {
        let mut sizes = vec![1_usize; self.count];
        let mut above: Vec<usize> = (0..self.count + self.joins.len()).collect();
        for (at, (one, other, distance)) in self.joins.iter().enumerate() {
            let size = sizes[*one] + sizes[*other];
            sizes.push(size);
            if *distance < threshold && size <= max_cluster {
                above[*one] = self.count + at;
                above[*other] = self.count + at;
            }
        }
        let mut labels: HashMap<usize, usize> = HashMap::new();
        (0..self.count)
            .map(|item| {
                let mut at = item;
                while above[at] != at {
                    at = above[at];
                }
                let next = labels.len();
                *labels.entry(at).or_insert(next)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
