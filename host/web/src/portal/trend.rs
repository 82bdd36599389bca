//! A line of scores over time, drawn small.

/// Width of the drawing.
const WIDTH: f64 = 120.0;
/// Height of the drawing; a score of 100 is at its top.
const HEIGHT: f64 = 32.0;

/// Scores, the oldest first.
pub(super) struct Trend {
    /// The points of a polyline.
    pub(super) points: String,
    /// The last of them.
    pub(super) x: String,
    pub(super) y: String,
    /// What a person would read from it.
    pub(super) words: String,
    /// The change against the score before, with its sign; empty when there is none.
    pub(super) change: String,
    /// `good`, `bad`, or nothing.
    pub(super) tone: &'static str,
}

impl Trend {
    /// Of days and scores from 0 to 100, the oldest first; none of fewer than two.
    pub(super) fn of(scores: impl Iterator<Item = (String, f64)>) -> Option<Self> {
        let scores: Vec<(String, f64)> = scores.collect();
        let [first, .., before, last] = &scores[..] else {
            let [before, last] = &scores[..] else { return None };
            return Some(Self::drawn(&scores, before, before, last));
        };
        Some(Self::drawn(&scores, first, before, last))
    }

    fn drawn(scores: &[(String, f64)], first: &(String, f64), before: &(String, f64), last: &(String, f64)) -> Self {
        let steps = scores.len() - 1;
        let place = |(at, (_, score)): (usize, &(String, f64))| {
            #[expect(clippy::cast_precision_loss, reason = "a dozen scores")]
            let x = 2.0 + (WIDTH - 4.0) * at as f64 / steps as f64;
            let y = HEIGHT - 2.0 - (HEIGHT - 4.0) * score.clamp(0.0, 100.0) / 100.0;
            (format!("{x:.1}"), format!("{y:.1}"))
        };
        let places: Vec<(String, String)> = scores.iter().enumerate().map(place).collect();
        let points = places.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
        let (x, y) = places.last().cloned().unwrap_or_default();
        let change = last.1.round() - before.1.round();
        Self {
            points,
            x,
            y,
            words: format!(
                "Score of {} audits, from {:.0} on {} to {:.0} on {}",
                scores.len(),
                first.1,
                first.0,
                last.1,
                last.0
            ),
            change: match change {
                it if it > 0.0 => format!("+{it:.0}"),
                it if it < 0.0 => format!("−{:.0}", -it),
                _ => "±0".to_owned(),
            },
            tone: match change {
                it if it > 0.0 => "good",
                it if it < 0.0 => "bad",
                _ => "",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(scores: &[f64]) -> Option<Trend> {
        Trend::of(scores.iter().enumerate().map(|(at, score)| (format!("2026-11-0{}", at + 1), *score)))
    }

    #[test]
    fn scores_become_a_line_with_the_change_against_the_one_before() {
        assert!(trend(&[]).is_none() && trend(&[50.0]).is_none());
        let two = trend(&[0.0, 100.0]).unwrap();
        assert_eq!((two.points.as_str(), two.change.as_str(), two.tone), ("2.0,30.0 118.0,2.0", "+100", "good"));
        let down = trend(&[10.0, 80.4, 71.6]).unwrap();
        assert_eq!((down.change.as_str(), down.tone), ("−8", "bad"));
        assert_eq!(down.words, "Score of 3 audits, from 10 on 2026-11-01 to 72 on 2026-11-03");
        assert_eq!(trend(&[70.1, 69.9]).unwrap().change, "±0");
    }
}
