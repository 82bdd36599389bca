//! Isotonic regression: the monotone least-squares fit.

/// Whether the fit rises or falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Never falls.
    Rising,
    /// Never rises.
    Falling,
}

/// A point to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The position.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The weight; points of weight 0 or below are ignored.
    pub weight: f64,
}

/// A point of the fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knot {
    /// The position.
    pub x: f64,
    /// The fitted value.
    pub y: f64,
}

/// Values pooled into one.
struct Block {
    sum: f64,
    weight: f64,
    xs: Vec<f64>,
}

/// The monotone step function with the least weighted squares, by pooling adjacent violators (Ayer and others, Ann. Math.
/// Stat. 26, 1955). Points with the same x count as one at their weighted mean. One knot for each different x, in order.
#[must_use]
pub fn isotonic(points: &[Point], direction: Direction) -> Vec<Knot> {
    let turn = if direction == Direction::Rising { 1.0 } else { -1.0 };
    let mut sorted: Vec<Point> =
        points.iter().filter(|point| point.weight > 0.0).map(|point| Point { x: point.x + 0.0, ..*point }).collect();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut blocks: Vec<Block> = Vec::new();
    for same in sorted.chunk_by(|a, b| a.x.total_cmp(&b.x).is_eq()) {
        let weight = same.iter().map(|it| it.weight).sum();
        let sum = same.iter().map(|it| it.y * it.weight * turn).sum();
        blocks.push(Block { sum, weight, xs: vec![same[0].x] });
        while let [.., before, last] = blocks.as_slice() {
            if before.sum / before.weight < last.sum / last.weight {
                break;
            }
            let Some(last) = blocks.pop() else { break };
            if let Some(before) = blocks.last_mut() {
                before.sum += last.sum;
                before.weight += last.weight;
                before.xs.extend(last.xs);
            }
        }
    }
    blocks
        .into_iter()
        .flat_map(|block| block.xs.into_iter().map(move |x| Knot { x, y: turn * block.sum / block.weight }))
        .collect()
}
