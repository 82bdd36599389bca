//! A directed graph of pages, and how authority flows through its links (PageRank, Page et al. 1998).

pub mod flow;

/// How much of a page's authority flows on.
pub const DAMPING: f64 = 0.85;
/// Rounds at most.
pub const MOST_ROUNDS: u32 = 100;
/// The change of all scores together, per page, below which it is enough.
pub const TOLERANCE: f64 = 1e-6;

/// Pages by number, with the pages that each links to: every pair once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// Where the targets of each page begin; one more than there are pages.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// A graph without pages.
    #[must_use]
    pub fn new() -> Self {
        Self { starts: vec![0], targets: Vec::new() }
    }

    /// Adds the next page with what it links to; repeated targets count once.
    pub fn push(&mut self, targets: &mut Vec<u32>) {
        targets.sort_unstable();
        targets.dedup();
        self.targets.extend_from_slice(targets);
        self.starts.push(u32::try_from(self.targets.len()).unwrap_or(u32::MAX));
    }

    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many pairs are linked.
    #[must_use]
    pub fn links(&self) -> usize {
        self.targets.len()
    }

    /// What a page links to.
    #[must_use]
    pub fn targets(&self, page: usize) -> &[u32] {
        &self.targets[self.starts[page] as usize..self.starts[page + 1] as usize]
    }

    /// The score of each page; together they are 1. A page without links gives its authority to all alike.
    /// Targets that are no page of the graph are passed over.
    ///
    /// Power iteration from equal scores, ended when the sum of changes is below [`TOLERANCE`] per page:
    /// the rule, and so the numbers, of `networkx.pagerank`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of pages and links are far below 2^52")]
    pub fn pagerank(&self) -> Vec<f64> {
        let pages = self.len();
        if pages == 0 {
            return Vec::new();
        }
        let even = 1.0 / pages as f64;
        let mut scores = vec![even; pages];
        let mut next = vec![0.0; pages];
        for _ in 0..MOST_ROUNDS {
            let mut dangling = 0.0;
            next.fill(0.0);
            for (page, score) in scores.iter().enumerate() {
                let targets = self.targets(page);
                if targets.is_empty() {
                    dangling += score;
                    continue;
                }
                let share = score / targets.len() as f64;
                for target in targets {
                    if let Some(slot) = next.get_mut(*target as usize) {
                        *slot += share;
                    }
                }
            }
            let base = DAMPING * dangling * even + (1.0 - DAMPING) * even;
            let mut change = 0.0;
            for (slot, score) in next.iter_mut().zip(&scores) {
                *slot = DAMPING * *slot + base;
                change += (*slot - score).abs();
            }
            std::mem::swap(&mut scores, &mut next);
            if change < TOLERANCE * pages as f64 {
                break;
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests;
