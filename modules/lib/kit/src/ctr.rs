//! How often a result is clicked by its position, when nothing better is known.
//!
//! Positions 1 to 10 are the means of 80 million keywords on phones that SISTRIX published in July 2020 ("Why (almost)
//! everything you knew about Google CTR is no longer valid"). Below them no such measurement is public; the curve goes on
//! by the power law through positions 5 and 10, a straight line in logarithms, down to position 100.

/// Positions 1 to 10.
const MEASURED: [f64; 10] = [0.285, 0.157, 0.110, 0.080, 0.072, 0.051, 0.040, 0.032, 0.028, 0.025];

/// The last position that is thought to be clicked at all.
pub const LAST: f64 = 100.0;

/// The share of searches that end in a click on this position, from 0 to 1. Between whole positions it is a straight line;
/// above the first and below the last it is 0.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 10")]
pub fn expected(position: f64) -> f64 {
    if !(1.0..=LAST).contains(&position) {
        return 0.0;
    }
    if position >= 10.0 {
        let falls = (MEASURED[4] / MEASURED[9]).ln() / 2_f64.ln();
        return MEASURED[9] * (10.0 / position).powf(falls);
    }
    let below = position.floor();
    let (here, next) = (MEASURED[below as usize - 1], MEASURED[below as usize]);
    here + (next - here) * (position - below)
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn a_better_position_is_never_clicked_less() {
        let mut before = 1.0;
        for tenth in 10..=1_000 {
            let now = expected(f64::from(tenth) / 10.0);
            assert!(now > 0.0 && now <= before, "{tenth}");
            before = now;
        }
    }

    #[test]
    fn the_measured_positions_are_as_published_and_others_between_or_none() {
        assert!((expected(1.0) - 0.285).abs() < 1e-12 && (expected(10.0) - 0.025).abs() < 1e-12);
        assert!((expected(1.5) - 0.221).abs() < 1e-12);
        assert!((expected(20.0) - 0.025 * 0.025 / 0.072).abs() < 1e-9);
        for nowhere in [0.0, 0.9, 100.5, f64::NAN, -3.0] {
            assert!(expected(nowhere).abs() < f64::EPSILON);
        }
    }
}
