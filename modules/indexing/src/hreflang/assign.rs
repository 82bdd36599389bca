//! Pairs of two sides of which every member is in one pair at most, so that the pairs are worth the most together.
//!
//! The Hungarian method with potentials (Kuhn 1955, Munkres 1957; the O(n³) form of Jonker and Volgenant 1987) on every
//! part of the pairs that hangs together. Parts of more than [`LARGE`] members are paired greedily, the best first.

use std::collections::{BTreeMap, BTreeSet};

/// Above so many members on one side a part is paired greedily.
pub(crate) const LARGE: usize = 200;

/// One pair that could be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    pub(crate) left: usize,
    pub(crate) right: usize,
    /// Above 0.
    pub(crate) weight: f64,
}

/// The pairs that are worth the most together, in the order of their left member.
pub(crate) fn best(edges: &[Edge]) -> Vec<Edge> {
    let mut out: Vec<Edge> = parts(edges).into_iter().flat_map(|part| of_part(&part)).collect();
    out.sort_by_key(|it| it.left);
    out
}

/// Edges by the part that they are in.
fn parts(edges: &[Edge]) -> Vec<Vec<Edge>> {
    let mut place: BTreeMap<(bool, usize), usize> = BTreeMap::new();
    let mut root: Vec<usize> = Vec::new();
    fn find(root: &mut [usize], mut at: usize) -> usize {
        while root[at] != at {
            root[at] = root[root[at]];
            at = root[at];
        }
        at
    }
    for edge in edges {
        let ends = [(false, edge.left), (true, edge.right)].map(|end| {
            *place.entry(end).or_insert_with(|| {
                root.push(root.len());
                root.len() - 1
            })
        });
        let (a, b) = (find(&mut root, ends[0]), find(&mut root, ends[1]));
        root[a] = b;
    }
    let mut out: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    for edge in edges {
        let at = find(&mut root, place[&(false, edge.left)]);
        out.entry(at).or_default().push(*edge);
    }
    out.into_values().collect()
}

fn of_part(edges: &[Edge]) -> Vec<Edge> {
    let lefts: Vec<usize> = edges.iter().map(|it| it.left).collect::<BTreeSet<_>>().into_iter().collect();
    let rights: Vec<usize> = edges.iter().map(|it| it.right).collect::<BTreeSet<_>>().into_iter().collect();
    if lefts.len().max(rights.len()) > LARGE {
        return greedy(edges);
    }
    // Rows are the smaller side; what is no edge is worth nothing.
    let turned = lefts.len() > rights.len();
    let (rows, columns) = if turned { (&rights, &lefts) } else { (&lefts, &rights) };
    let mut worth = vec![vec![0.0; columns.len()]; rows.len()];
    for edge in edges {
        let (row, column) = if turned { (edge.right, edge.left) } else { (edge.left, edge.right) };
        let at = (rows.binary_search(&row), columns.binary_search(&column));
        if let (Ok(row), Ok(column)) = at {
            worth[row][column] = f64::max(worth[row][column], edge.weight);
        }
    }
    let chosen = hungarian(&worth);
    let mut out = Vec::new();
    for (row, column) in chosen.into_iter().enumerate() {
        if worth[row][column] > 0.0 {
            let (left, right) = if turned { (columns[column], rows[row]) } else { (rows[row], columns[column]) };
            out.push(Edge { left, right, weight: worth[row][column] });
        }
    }
    out
}

fn greedy(edges: &[Edge]) -> Vec<Edge> {
    let mut sorted = edges.to_vec();
    sorted.sort_by(|a, b| b.weight.total_cmp(&a.weight).then((a.left, a.right).cmp(&(b.left, b.right))));
    let (mut lefts, mut rights) = (BTreeSet::new(), BTreeSet::new());
    sorted.retain(|it| {
        !lefts.contains(&it.left) && !rights.contains(&it.right) && lefts.insert(it.left) && rights.insert(it.right)
    });
    sorted
}

/// The column of each row, so that the sum is the largest; no more rows than columns.
pub(crate) fn hungarian(worth: &[Vec<f64>]) -> Vec<usize> {
    let (rows, columns) = (worth.len(), worth.first().map_or(0, Vec::len));
    // Rows and columns count from 1; column 0 stands for the row that is being placed.
    let mut of_row = vec![0.0; rows + 1];
    let mut of_column = vec![0.0; columns + 1];
    let mut taken = vec![0_usize; columns + 1];
    let mut way = vec![0_usize; columns + 1];
    for row in 1..=rows {
        taken[0] = row;
        let mut column = 0;
        let mut least = vec![f64::INFINITY; columns + 1];
        let mut used = vec![false; columns + 1];
        loop {
            used[column] = true;
            let (here, mut step, mut next) = (taken[column], f64::INFINITY, 0);
            for other in 1..=columns {
                if used[other] {
                    continue;
                }
                let cost = -worth[here - 1][other - 1] - of_row[here] - of_column[other];
                if cost < least[other] {
                    least[other] = cost;
                    way[other] = column;
                }
                if least[other] < step {
                    step = least[other];
                    next = other;
                }
            }
            for other in 0..=columns {
                if used[other] {
                    of_row[taken[other]] += step;
                    of_column[other] -= step;
                } else {
                    least[other] -= step;
                }
            }
            column = next;
            if taken[column] == 0 {
                break;
            }
        }
        while column != 0 {
            taken[column] = taken[way[column]];
            column = way[column];
        }
    }
    let mut out = vec![0; rows];
    for (column, row) in taken.iter().enumerate().skip(1).filter(|(_, row)| **row != 0) {
        out[row - 1] = column - 1;
    }
    out
}

#[cfg(test)]
mod tests {
    //! Against scipy's `linear_sum_assignment`; see tests/references/indexing.

    use super::*;

    #[test]
    fn assignments_are_worth_what_scipys_are() {
        let cases: Vec<(Vec<Vec<f64>>, f64)> =
            serde_json::from_str(include_str!("../../fixtures/assignments.json")).expect("cases");
        assert_eq!(cases.len(), 60);
        for (worth, expected) in cases {
            let sum: f64 = hungarian(&worth).iter().enumerate().map(|(row, column)| worth[row][*column]).sum();
            assert!((sum - expected).abs() < 1e-9, "{sum} is not {expected}");
            // The same as sparse edges, both ways round.
            for turned in [false, true] {
                let edges: Vec<Edge> = worth
                    .iter()
                    .enumerate()
                    .flat_map(|(row, all)| all.iter().enumerate().map(move |(column, weight)| (row, column, *weight)))
                    .map(|(row, column, weight)| if turned { (column, row, weight) } else { (row, column, weight) })
                    .map(|(left, right, weight)| Edge { left, right, weight })
                    .collect();
                let sum: f64 = best(&edges).iter().map(|it| it.weight).sum();
                assert!((sum - expected).abs() < 1e-9, "{sum} is not {expected}");
            }
        }
    }

    #[test]
    fn every_member_is_in_one_pair_at_most_however_large_the_part_is() {
        let edges: Vec<Edge> = (0..300)
            .flat_map(|left| {
                [left, (left + 1) % 300].map(|right| Edge {
                    left,
                    right,
                    weight: if left == right { 0.9 } else { 0.5 },
                })
            })
            .collect();
        let chosen = best(&edges);
        assert_eq!(chosen.len(), 300);
        assert!(chosen.iter().all(|it| it.left == it.right));
    }
}
