//! The colours of heat maps.
//!
//! Ranks go from dark blue to pale yellow, differences from blue over grey to orange: scales of C. A. Brewer
//! (colorbrewer2.org: YlGnBu, RdYlBu) that keep their order for people who do not see red or green, and in grey print.

use crate::metrics::{LAST, MISSING};

/// A colour and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// `#rrggbb`.
    pub(crate) colour: &'static str,
    /// Of what is written on it.
    pub(crate) ink: &'static str,
    pub(crate) means: &'static str,
}

const fn step(colour: &'static str, ink: &'static str, means: &'static str) -> Step {
    Step { colour, ink, means }
}

const WHITE: &str = "#ffffff";
const BLACK: &str = "#1a1a1a";

/// No result.
pub(crate) const NONE: Step = step("#bdbdbd", BLACK, "no result");

const RANKS: [Step; 5] = [
    step("#081d58", WHITE, "1 to 3"),
    step("#225ea8", WHITE, "4 to 6"),
    step("#41b6c4", BLACK, "7 to 10"),
    step("#c7e9b4", BLACK, "11 to 20"),
    step("#ffffd9", BLACK, "not among the first 20"),
];

const DIFFERENCES: [Step; 5] = [
    step("#2c5aa0", WHITE, "won 5 places or more"),
    step("#91bfdb", BLACK, "won 1 to 4 places"),
    step("#f0f0f0", BLACK, "the same"),
    step("#fdae61", BLACK, "lost 1 to 4 places"),
    step("#b8500a", WHITE, "lost 5 places or more"),
];

/// The colours of ranks, the best first.
pub(super) fn ranks() -> Vec<Step> {
    RANKS.into_iter().chain([NONE]).collect()
}

/// The colours of differences, the greatest gain first.
pub(super) fn differences() -> Vec<Step> {
    DIFFERENCES.into_iter().chain([NONE]).collect()
}

/// The colour of a place, as `metrics` says it.
pub(super) fn rank(placed: u8) -> Step {
    match placed {
        1..=3 => RANKS[0],
        4..=6 => RANKS[1],
        7..=10 => RANKS[2],
        11..=LAST => RANKS[3],
        MISSING => RANKS[4],
        _ => NONE,
    }
}

/// The colour of so many places won, or lost when negative.
pub(super) fn difference(gain: i32) -> Step {
    match gain {
        5.. => DIFFERENCES[0],
        1..=4 => DIFFERENCES[1],
        0 => DIFFERENCES[2],
        -4..=-1 => DIFFERENCES[3],
        _ => DIFFERENCES[4],
    }
}
