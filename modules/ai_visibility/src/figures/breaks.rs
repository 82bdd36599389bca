//! Where a series of shares changes its level: the best segmentation under a binomial likelihood, found exactly.
//!
//! Source: optimal partitioning by Jackson et al. 2005, with the penalty 3·ln(n) a change.

/// Points between two changes at least.
pub(crate) const MIN_SEGMENT: usize = 3;

/// A point: how many independent answers it is worth, and how many of these have what is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) hits: f64,
    pub(crate) n: f64,
}

/// The first points of new levels, in order.
pub(crate) fn breaks(points: &[Point]) -> Vec<usize> {
    let count = points.len();
    if count < 2 * MIN_SEGMENT {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "a few hundred points")]
    let penalty = 3.0 * (count as f64).ln();
    let mut sums = vec![Point { hits: 0.0, n: 0.0 }];
    for it in points {
        let last = sums[sums.len() - 1];
        sums.push(Point { hits: last.hits + it.hits, n: last.n + it.n });
    }
    let cost = |from: usize, to: usize| cost(sums[to].hits - sums[from].hits, sums[to].n - sums[from].n);
    // best[end]: the least cost of the points before `end`, and where its last segment begins.
    let mut best: Vec<Option<(f64, usize)>> = vec![None; count + 1];
    best[0] = Some((-penalty, 0));
    for end in MIN_SEGMENT..=count {
        for start in 0..=end - MIN_SEGMENT {
            let Some((before, _)) = best[start] else { continue };
            let whole = before + penalty + cost(start, end);
            if best[end].is_none_or(|it| whole < it.0 - 1e-12) {
                best[end] = Some((whole, start));
            }
        }
    }
    let (mut out, mut end) = (Vec::new(), count);
    while let Some((_, start)) = best[end].filter(|_| end > 0) {
        if start > 0 {
            out.push(start);
        }
        end = start;
    }
    out.reverse();
    out
}

/// Twice the negative log-likelihood of a segment at its own share.
pub(crate) fn cost(hits: f64, n: f64) -> f64 {
    let term = |part: f64| if part <= 0.0 || n <= 0.0 { 0.0 } else { part * (part / n).ln() };
    -2.0 * (term(hits) + term(n - hits))
}
