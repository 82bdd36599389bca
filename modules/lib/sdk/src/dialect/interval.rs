//! An estimate with its confidence interval and sample size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An estimate with its 95 % confidence interval and the sample that it rests on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower and upper bound of the 95 % confidence interval.
    pub ci95: [f64; 2],
    /// The number of observations.
    pub n: u64,
}

impl Interval {
    /// The share of `hits` among `n` observations with Wilson's score interval (Wilson 1927, without continuity
    /// correction). None for no observations, where nothing is known.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts beyond 2^53 do not occur, and the bounds are estimates")]
    pub fn of_share(hits: u64, n: u64) -> Option<Self> {
        /// The 97.5th percentile of the standard normal distribution.
        const Z: f64 = 1.959_963_984_540_054;
        if n == 0 || hits > n {
            return None;
        }
        let (count, share) = (n as f64, hits as f64 / n as f64);
        let centre = share + Z * Z / (2.0 * count);
        let spread = Z * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
        let scale = 1.0 + Z * Z / count;
        let low = if hits == 0 { 0.0 } else { (centre - spread) / scale };
        let high = if hits == n { 1.0 } else { (centre + spread) / scale };
        Some(Self { value: share, ci95: [low, high], n })
    }
}
