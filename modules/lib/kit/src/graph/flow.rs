//! A directed graph with weighted links, and what is computed on it: PageRank (Page et al. 1998), hubs and
//! authorities (HITS, Kleinberg 1999), distances and components.

use std::collections::VecDeque;

/// What ended an iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks {
    /// By page; together they are 1.
    pub scores: Vec<f64>,
    /// Rounds that it took.
    pub rounds: u32,
    /// Whether it came to rest before the most rounds were used up.
    pub settled: bool,
}

/// When an iteration ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rest {
    /// The sum of changes, per page, below which it is enough.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: u32,
}

impl Rest {
    /// What the link graph of a website is computed with: 1e-10 and 200 rounds.
    pub const SITE: Self = Self { tolerance: 1e-10, rounds: 200 };
}

/// Links between pages by number, by source; each pair once, with its weight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flow {
    starts: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<f32>,
    /// The sum of weights that leave each page.
    out: Vec<f64>,
}

/// One link: from, to, weight.
pub type Edge = (u32, u32, f32);

impl Flow {
    /// A graph of so many pages. Of links that stand more than once the heaviest counts; links from or to what is no page
    /// and those without weight are passed over.
    #[must_use]
    pub fn new(pages: usize, mut edges: Vec<Edge>) -> Self {
        edges.retain(|(from, to, weight)| (*from as usize) < pages && (*to as usize) < pages && *weight > 0.0);
        edges.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        edges.dedup_by_key(|edge| (edge.0, edge.1));
        let mut flow = Self {
            starts: vec![0; pages + 1],
            targets: Vec::with_capacity(edges.len()),
            weights: Vec::with_capacity(edges.len()),
            out: vec![0.0; pages],
        };
        for (from, to, weight) in edges {
            flow.starts[from as usize + 1] += 1;
            flow.targets.push(to);
            flow.weights.push(weight);
            flow.out[from as usize] += f64::from(weight);
        }
        for page in 0..pages {
            flow.starts[page + 1] += flow.starts[page];
        }
        flow
    }

    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// How many pairs are linked.
    #[must_use]
    pub fn links(&self) -> usize {
        self.targets.len()
    }

    /// What a page links to, with weights.
    pub fn from(&self, page: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        let range = self.starts[page] as usize..self.starts[page + 1] as usize;
        self.targets[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// The sum of weights that leave a page.
    #[must_use]
    pub fn out(&self, page: usize) -> f64 {
        self.out[page]
    }

    /// Whether a page links to another.
    #[must_use]
    pub fn has(&self, from: u32, to: u32) -> bool {
        let range = self.starts[from as usize] as usize..self.starts[from as usize + 1] as usize;
        self.targets[range].binary_search(&to).is_ok()
    }

    /// How many pages link to each.
    #[must_use]
    pub fn inlinks(&self) -> Vec<u32> {
        let mut counts = vec![0; self.len()];
        self.targets.iter().for_each(|target| counts[*target as usize] += 1);
        counts
    }

    /// The score of each page, damping 0.85; a page without links gives its authority to all alike.
    ///
    /// Power iteration from equal scores, or from those given, with the rule of `networkx.pagerank` for its end: the sum
    /// of changes is below the tolerance per page.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
    pub fn pagerank(&self, start: Option<&[f64]>, rest: Rest) -> Ranks {
        let pages = self.len();
        if pages == 0 {
            return Ranks { scores: Vec::new(), rounds: 0, settled: true };
        }
        let even = 1.0 / pages as f64;
        let mut scores = match start.filter(|start| start.len() == pages) {
            Some(start) => normalised(start.to_vec(), even),
            None => vec![even; pages],
        };
        let mut next = vec![0.0; pages];
        for round in 1..=rest.rounds {
            let mut dangling = 0.0;
            next.fill(0.0);
            for (page, score) in scores.iter().enumerate() {
                if self.out[page] <= 0.0 {
                    dangling += score;
                    continue;
                }
                let share = score / self.out[page];
                let range = self.starts[page] as usize..self.starts[page + 1] as usize;
                for (target, weight) in self.targets[range.clone()].iter().zip(&self.weights[range]) {
                    next[*target as usize] += share * f64::from(*weight);
                }
            }
            let base = super::DAMPING * dangling * even + (1.0 - super::DAMPING) * even;
            let mut change = 0.0;
            for (slot, score) in next.iter_mut().zip(&scores) {
                *slot = super::DAMPING * *slot + base;
                change += (*slot - score).abs();
            }
            std::mem::swap(&mut scores, &mut next);
            if change < rest.tolerance * pages as f64 {
                return Ranks { scores, rounds: round, settled: true };
            }
        }
        Ranks { scores, rounds: rest.rounds, settled: false }
    }

    /// Hubs and authorities, each together 1: a good hub links to good authorities. Power iteration with vectors of
    /// length 1, ended when both change by less than the tolerance in all.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
    pub fn hits(&self, rest: Rest) -> (Ranks, Ranks) {
        let pages = self.len();
        let mut hubs = vec![1.0 / (pages.max(1) as f64).sqrt(); pages];
        let mut authorities = vec![0.0; pages];
        let (mut rounds, mut settled) = (0, pages == 0);
        while rounds < rest.rounds && !settled {
            rounds += 1;
            let mut linked = vec![0.0; pages];
            for (page, hub) in hubs.iter().enumerate() {
                self.from(page).for_each(|(target, weight)| linked[target as usize] += hub * f64::from(weight));
            }
            unit(&mut linked);
            let mut linking: Vec<f64> = (0..pages)
                .map(|page| self.from(page).map(|(target, weight)| linked[target as usize] * f64::from(weight)).sum())
                .collect();
            unit(&mut linking);
            let changed = |old: &[f64], new: &[f64]| old.iter().zip(new).map(|(a, b)| (a - b).abs()).sum::<f64>();
            settled = changed(&authorities, &linked) + changed(&hubs, &linking) < rest.tolerance;
            (authorities, hubs) = (linked, linking);
        }
        let whole = |scores: Vec<f64>| Ranks { scores: normalised(scores, 0.0), rounds, settled };
        (whole(hubs), whole(authorities))
    }

    /// Links from the nearest of these pages to each; none where no way leads.
    #[must_use]
    pub fn depths(&self, roots: &[u32]) -> Vec<Option<u32>> {
        let mut depths = vec![None; self.len()];
        let mut waiting = VecDeque::new();
        for root in roots {
            if let Some(depth @ None) = depths.get_mut(*root as usize) {
                *depth = Some(0);
                waiting.push_back((*root, 0));
            }
        }
        while let Some((page, depth)) = waiting.pop_front() {
            for (target, _) in self.from(page as usize) {
                if depths[target as usize].is_none() {
                    depths[target as usize] = Some(depth + 1);
                    waiting.push_back((target, depth + 1));
                }
            }
        }
        depths
    }

    /// The component of each page, by the lowest number in it: pages that links join, in whichever direction.
    #[must_use]
    pub fn components(&self) -> Vec<u32> {
        let mut parents: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
        for page in 0..self.len() {
            for (target, _) in self.from(page) {
                let (a, b) = (root(&mut parents, page), root(&mut parents, target as usize));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
        (0..self.len()).map(|page| root(&mut parents, page)).collect()
    }
}

fn root(parents: &mut [u32], page: usize) -> u32 {
    let mut at = page;
    while parents[at] as usize != at {
        parents[at] = parents[parents[at] as usize];
        at = parents[at] as usize;
    }
    parents[at]
}

/// Scaled so that all together are 1; `even` for each when they are nothing.
fn normalised(mut scores: Vec<f64>, even: f64) -> Vec<f64> {
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score = if sum > 0.0 { *score / sum } else { even });
    scores
}

/// Scaled to length 1.
fn unit(vector: &mut [f64]) {
    let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}

#[cfg(test)]
mod tests;
