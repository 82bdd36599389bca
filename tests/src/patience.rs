//! How long a test waits for what must come: counted for a quiet machine, and five times as long on a busy one.

/// So many looks at something that must come to pass, with a pause after each. Counted as a quiet machine needs them;
/// a machine that runs other tests beside it takes several times as long, and a test that fails then has said nothing.
#[must_use]
pub const fn tries(quiet: u64) -> std::ops::Range<u64> {
    0..quiet * 5
}
