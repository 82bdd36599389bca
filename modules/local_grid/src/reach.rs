//! The isotonic regression: the never falling line through points that misses them least.

/// A point of the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knot {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The least-squares line that never falls, by pooling adjacent violators (Ayer and others, Ann. Math. Stat. 26, 1955).
/// Points with the same x count as one at their mean. One knot for each different x, in order.
pub(crate) fn fit(points: &[(f64, f64)]) -> Vec<Knot> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Each block: the sum of y, its weight, and the different x in it.
    let mut blocks: Vec<(f64, f64, Vec<f64>)> = Vec::new();
    for same in sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let weight: f64 = same.iter().map(|_| 1.0).sum();
        blocks.push((same.iter().map(|it| it.1).sum(), weight, vec![same[0].0]));
        while let [.., before, last] = blocks.as_slice() {
            if before.0 / before.1 < last.0 / last.1 {
                break;
            }
            let Some(last) = blocks.pop() else { break };
            if let Some(before) = blocks.last_mut() {
                before.0 += last.0;
                before.1 += last.1;
                before.2.extend(last.2);
            }
        }
    }
    blocks
        .into_iter()
        .flat_map(|(sum, weight, all)| all.into_iter().map(move |x| Knot { x, y: sum / weight }))
        .collect()
}

/// The largest x at which the line, straight between its knots, is no higher than `height`; none when it is above from its
/// beginning. The line ends at its last knot, and so does the answer.
pub(crate) fn reach(line: &[Knot], height: f64) -> Option<f64> {
    let first_above = line.iter().position(|it| it.y > height);
    match first_above {
        None => line.last().map(|it| it.x),
        Some(0) => None,
        Some(at) => {
            let (below, above) = (line[at - 1], line[at]);
            Some(below.x + (above.x - below.x) * (height - below.y) / (above.y - below.y))
        }
    }
}

#[cfg(test)]
mod tests {
    //! Lines beside those of scikit-learn.

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Fixture {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        x: Vec<f64>,
        y: Vec<f64>,
        at: Vec<f64>,
        fitted: Vec<f64>,
    }

    #[test]
    fn lines_are_those_of_scikit_learn_with_repeated_distances_too() {
        let fixture: Fixture = serde_json::from_str(include_str!("../fixtures/isotonic.json")).unwrap();
        assert!(fixture.cases.len() >= 40);
        for case in fixture.cases {
            let points: Vec<(f64, f64)> = case.x.into_iter().zip(case.y).collect();
            let line = fit(&points);
            for (x, wanted) in case.at.into_iter().zip(case.fitted) {
                let knot = line.iter().find(|it| (it.x - x).abs() < 1e-12).expect("a knot for each x");
                assert!((knot.y - wanted).abs() < 1e-9, "{x}: {} {wanted}", knot.y);
            }
        }
    }

    #[test]
    fn the_reach_is_where_the_line_crosses_the_height() {
        let line = fit(&[(0.0, 1.0), (1.0, 2.0), (2.0, 4.0), (3.0, 12.0)]);
        assert_eq!(reach(&line, 3.0), Some(1.5));
        assert_eq!(reach(&line, 20.0), Some(3.0));
        assert_eq!(reach(&line, 0.5), None);
        assert_eq!(reach(&[], 3.0), None);
    }
}
