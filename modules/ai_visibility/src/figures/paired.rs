//! Changes between two periods, paired by prompt: a permutation test of flipped signs.
//!
//! Source: Fisher 1935; (count + 1) / (draws + 1) by Phipson and Smyth 2010.

use kit::chance::Chance;

/// Pairs up to which every flip is counted.
const EXACT: usize = 13;
/// Flips that are drawn beyond.
const DRAWS: u32 = 10_000;
/// Pairs under which no p is told: with five the smallest there is would be 0.0625.
pub(crate) const MIN_PAIRS: usize = 6;
/// Sums that are taken as equal.
const EQUAL: f64 = 1e-12;

/// The two-sided p of a mean difference; none under six pairs.
pub(crate) fn p(differences: &[f64]) -> Option<f64> {
    if differences.len() < MIN_PAIRS {
        return None;
    }
    let seen = differences.iter().sum::<f64>().abs() - EQUAL;
    if differences.len() <= EXACT {
        let all = 1_u32 << differences.len();
        let extreme = (0..all).filter(|flips| sum(differences, |at| flips >> at & 1 == 1).abs() >= seen).count();
        #[expect(clippy::cast_precision_loss, reason = "at most 8,192")]
        return Some(extreme as f64 / f64::from(all));
    }
    let mut chance = Chance::of("flipped signs");
    let mut extreme = 0_u32;
    for _ in 0..DRAWS {
        let (mut bits, mut left) = (0_u64, 0_u32);
        let flipped = sum(differences, |_| {
            if left == 0 {
                (bits, left) = (chance.draw(), 32);
            }
            // The high bits of this generator are the better ones.
            left -= 1;
            bits >> (32 + left) & 1 == 1
        });
        extreme += u32::from(flipped.abs() >= seen);
    }
    Some(f64::from(extreme + 1) / f64::from(DRAWS + 1))
}

fn sum(differences: &[f64], mut flips: impl FnMut(usize) -> bool) -> f64 {
    differences.iter().enumerate().map(|(at, it)| if flips(at) { -it } else { *it }).sum()
}
