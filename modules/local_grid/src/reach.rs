//! How far a ranking reaches: where its fitted line crosses a rank.

use kit::statistics::Knot;

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
    use kit::statistics::{Direction, Point, isotonic};

    use super::reach;

    #[test]
    fn the_reach_is_where_the_line_crosses_the_height() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0), (3.0, 12.0)].map(|(x, y)| Point { x, y, weight: 1.0 });
        let line = isotonic(&points, Direction::Rising);
        assert_eq!(reach(&line, 3.0), Some(1.5));
        assert_eq!(reach(&line, 20.0), Some(3.0));
        assert_eq!(reach(&line, 0.5), None);
        assert_eq!(reach(&[], 3.0), None);
    }
}
