//! Exact tests of counts: the binomial test, and the comparison of two Poisson rates.

use crate::number::as_number;

/// The alternative hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Fewer successes than expected.
    Less,
    /// More successes than expected.
    Greater,
    /// Either: all counts that are no more likely than the observed one, as R and scipy compute it.
    Both,
}

/// Probabilities within this factor count as equal.
const EQUAL: f64 = 1.0 + 1e-7;

/// The p-value of the binomial test (Clopper and Pearson 1934): the probability of a count at least as extreme as
/// `successes` among `trials` that each succeed with probability `share`. 1 without trials and for invalid input: `share`
/// outside 0 to 1, or more successes than trials.
#[must_use]
pub fn binomial(successes: u64, trials: u64, share: f64, side: Side) -> f64 {
    if trials == 0 || successes > trials || !(0.0..=1.0).contains(&share) {
        return 1.0;
    }
    let law = Law { trials, share };
    let tail = match side {
        Side::Less => law.at_most(successes),
        Side::Greater => law.at_least(successes),
        Side::Both => law.as_extreme(successes),
    };
    tail.clamp(0.0, 1.0)
}

/// A binomial law.
struct Law {
    trials: u64,
    share: f64,
}

impl Law {
    /// The probability of one count, by saddle-point expansion (Loader 2000, "Fast and accurate computation of binomial
    /// probabilities"), which keeps 14 digits where logarithms of factorials lose half of them.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn probability(&self, count: u64) -> f64 {
        let (n, x) = (self.trials as f64, count as f64);
        let (p, q) = (self.share, 1.0 - self.share);
        if p <= 0.0 || q <= 0.0 {
            return f64::from(u8::from((p <= 0.0 && count == 0) || (q <= 0.0 && count == self.trials)));
        }
        if count == 0 {
            return (n * (-p).ln_1p()).exp();
        }
        if count == self.trials {
            return (n * p.ln()).exp();
        }
        let exponent =
            stirling_error(n) - stirling_error(x) - stirling_error(n - x) - deviance(x, n * p) - deviance(n - x, n * q);
        exponent.exp() * (n / (std::f64::consts::TAU * x * (n - x))).sqrt()
    }

    /// The probability of at most `count`. Sums the shorter tail, so it keeps its relative precision.
    fn at_most(&self, count: u64) -> f64 {
        if count >= self.trials {
            1.0
        } else if self.is_below_mean(count) {
            self.sum(count, false)
        } else {
            1.0 - self.sum(count + 1, true)
        }
    }

    fn at_least(&self, count: u64) -> f64 {
        if count == 0 {
            1.0
        } else if self.is_below_mean(count) {
            1.0 - self.sum(count - 1, false)
        } else {
            self.sum(count, true)
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn is_below_mean(&self, count: u64) -> bool {
        (count as f64) < self.trials as f64 * self.share
    }

    /// The sum of the probabilities from `count` away from the mean. Each follows from the one before; they fall fast, so a
    /// few standard deviations of terms are enough.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn sum(&self, count: u64, upward: bool) -> f64 {
        let odds = self.share / (1.0 - self.share);
        let (mut at, mut term, mut sum) = (count, 1.0_f64, 1.0_f64);
        loop {
            if at == if upward { self.trials } else { 0 } {
                break;
            }
            let x = at as f64;
            let rest = (self.trials - at) as f64;
            term *= if upward { rest / (x + 1.0) * odds } else { x / (rest + 1.0) / odds };
            at = if upward { at + 1 } else { at - 1 };
            sum += term;
            if term < sum * 1e-17 {
                break;
            }
        }
        self.probability(count) * sum
    }

    /// The tail of the count, plus all counts on the other side that are no more likely.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn as_extreme(&self, count: u64) -> f64 {
        let mean = self.trials as f64 * self.share;
        let bound = self.probability(count) * EQUAL;
        if (count as f64 - mean).abs() < f64::EPSILON * mean.max(1.0) {
            return 1.0;
        }
        if self.is_below_mean(count) {
            // The probability falls above the mean: find the first count there that is no more likely.
            let (mut low, mut high) = (ceiling(mean), self.trials + 1);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.probability(middle) <= bound { high = middle } else { low = middle + 1 }
            }
            return self.at_most(count) + if low > self.trials { 0.0 } else { self.at_least(low) };
        }
        // It rises below the mean: count those that are no more likely.
        let (mut low, mut high) = (0, floor(mean) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.probability(middle) <= bound { low = middle + 1 } else { high = middle }
        }
        self.at_least(count) + if low == 0 { 0.0 } else { self.at_most(low - 1) }
    }
}

/// `ln n! − ln(√(2πn) (n/e)^n)`: exact for small numbers, by its series for others.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        return statrs::function::gamma::ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - HALF_LN_TAU;
    }
    let square = n * n;
    let series = 1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1_260.0 - (1.0 / 1_680.0 - 1.0 / (1_188.0 * square)) / square) / square) / square;
    series / n
}

/// `½ ln 2π`.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// `x ln(x/mean) + mean − x`, without cancellation where `x` is near `mean`.
fn deviance(x: f64, mean: f64) -> f64 {
    let difference = x - mean;
    if difference.abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() - difference;
    }
    let ratio = difference / (x + mean);
    let mut sum = difference * ratio;
    let mut power = 2.0 * x * ratio;
    for odd in (3_u8..200).step_by(2) {
        power *= ratio * ratio;
        let next = sum + power / f64::from(odd);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean between 0 and the trials")]
fn ceiling(mean: f64) -> u64 {
    mean.ceil().max(1.0) as u64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean between 0 and the trials")]
fn floor(mean: f64) -> u64 {
    mean.floor() as u64
}

/// The p-value of the exact test that two Poisson counts have the same rate, over periods of the lengths `first_span` and
/// `second_span`: given the sum, the first count is binomial (Przyborowski and Wilenski 1940). 1 when both are 0.
#[must_use]
pub fn rates(first: u64, first_span: f64, second: u64, second_span: f64) -> f64 {
    let all = first_span + second_span;
    if all <= 0.0 { 1.0 } else { binomial(first, first + second, first_span / all, Side::Both) }
}

/// The 95 % interval of a share, for so many of so many: that of Wilson 1927, which holds for small numbers and for shares near 0
/// and 1. For nothing of nothing it is from 0 to 1.
#[must_use]
pub fn wilson(part: u64, whole: u64) -> [f64; 2] {
    const Z: f64 = 1.959_963_984_540_054;
    if whole == 0 {
        return [0.0, 1.0];
    }
    let (n, share) = (as_number(whole), as_number(part) / as_number(whole));
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((middle - reach) / scale).max(0.0), ((middle + reach) / scale).min(1.0)]
}

/// The two-sided p-value of the exact sign test (Dixon and Mood 1946): that pairs with a difference go either way with the
/// same probability. 1 without pairs; pairs without a difference are left out before.
#[must_use]
pub fn sign_test(one_way: u32, other_way: u32) -> f64 {
    binomial(u64::from(one_way), u64::from(one_way) + u64::from(other_way), 0.5, Side::Both)
}
