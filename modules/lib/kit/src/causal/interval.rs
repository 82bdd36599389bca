//! How sure an effect is: a moving-block bootstrap over days.
//!
//! Künsch 1989, "The jackknife and the bootstrap for general stationary observations": blocks of days in a row are drawn
//! with replacement, so that what ties a day to the days after it stays in the draws.

use crate::chance::Chance;
use crate::statistics::mean;

/// Days of a block: a week, so that each block holds every day of the week.
pub const BLOCK: usize = 7;
/// Draws.
pub const DRAWS: usize = 2_000;

/// The interval that holds the effect in 95 of 100 cases; none with less than a block of days on a side.
///
/// What is drawn are the deviations from the mean of their own side of the change. Two means have been taken out of them,
/// so of `b` blocks' worth of days only `b − 2` are free, and the spread that they show is itself uncertain: the draws are
/// widened by `√(b / (b − 2)) × t(b − 2) / z`, as an interval of Student widens one of the normal law. What ties a day to
/// days beyond its block is not in the draws either; [`beyond`] says how much that is.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "at most some hundred days")]
pub fn interval(differences: &[f64], change: usize, draws: usize, chance: &mut Chance) -> Option<[f64; 2]> {
    let (before, after) = differences.split_at(change.min(differences.len()));
    if before.len() < BLOCK || after.len() < BLOCK {
        return None;
    }
    let effect = super::effect(differences, change);
    let mut sums: Vec<f64> = Vec::with_capacity(differences.len());
    for side in [before, after] {
        let middle = mean(side);
        sums.extend(side.windows(BLOCK).map(|block| block.iter().map(|day| day - middle).sum::<f64>()));
    }
    // Days at the edges are in fewer blocks, which would move the draws a little to one side.
    let middle = mean(&sums);
    sums.iter_mut().for_each(|sum| *sum -= middle);
    let blocks = |days: usize| days.div_ceil(BLOCK);
    let mut side = |days: usize| {
        let drawn: f64 = (0..blocks(days)).map(|_| sums[chance.below(sums.len())]).sum();
        drawn / (blocks(days) * BLOCK) as f64
    };
    let mut deviations: Vec<f64> = (0..draws.max(1)).map(|_| side(after.len()) - side(before.len())).collect();
    deviations.sort_by(f64::total_cmp);
    let free = (differences.len() / BLOCK).saturating_sub(2).max(1);
    let wider = ((free + 2) as f64 / free as f64 * beyond(before, after)).sqrt() * student(free) / NORMAL;
    let at = |share: f64| effect + wider * sorted_quantile(&deviations, share);
    Some([at(0.025), at(0.975)])
}

/// By how much the variance of a long mean is more than blocks show, when each day keeps a part `r` of the day before:
/// `1 / (1 − 2r(1 − r^ℓ) / (ℓ(1 − r²)))` for blocks of `ℓ` days, the sum of the covariances that a block cuts off. `r` is
/// taken from the days themselves; days that turn back count as independent.
fn beyond(before: &[f64], after: &[f64]) -> f64 {
    let (mut next, mut all) = (0.0, 0.0);
    for side in [before, after] {
        let middle = mean(side);
        next += side.windows(2).map(|it| (it[0] - middle) * (it[1] - middle)).sum::<f64>();
        all += side.iter().map(|it| (it - middle).powi(2)).sum::<f64>();
    }
    let kept = if all > 0.0 { (next / all).clamp(0.0, 0.8) } else { 0.0 };
    let length = BLOCK as f64;
    1.0 / (1.0 - 2.0 * kept * (1.0 - kept.powf(length)) / (length * (1.0 - kept * kept)))
}

#[expect(clippy::cast_precision_loss, reason = "some thousand draws")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position inside the list")]
fn sorted_quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (at - at.floor())
}

/// 97.5 % of the normal law.
const NORMAL: f64 = 1.959_963_984_540_054;

/// 97.5 % of Student's law with so many degrees of freedom: exact for few, then the expansion of Abramowitz and Stegun,
/// 26.7.5.
#[expect(clippy::cast_precision_loss, reason = "at most some dozen")]
fn student(free: usize) -> f64 {
    const FEW: [f64; 4] = [12.706_204_736, 4.302_652_73, 3.182_446_305, 2.776_445_105];
    if let Some(exact) = free.checked_sub(1).and_then(|at| FEW.get(at)) {
        return *exact;
    }
    let (z, n) = (NORMAL, free as f64);
    z + (z.powi(3) + z) / (4.0 * n)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n.powi(2))
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::{interval, student};
    use crate::chance::Chance;

    #[test]
    fn the_quantiles_of_student_are_those_of_scipy() {
        for (free, exact) in [(1, 12.706_205), (4, 2.776_445), (5, 2.570_582), (10, 2.228_139), (49, 2.009_575)] {
            assert!((student(free) - exact).abs() < 3e-3, "{free}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_interval_and_too_few_days_none() {
        let days: Vec<f64> = (0..84).map(|day| f64::from(day * 37 % 11) / 10.0).collect();
        let ask = |seed: u64| interval(&days, 56, 500, &mut Chance::new(seed));
        assert_eq!(ask(1), ask(1));
        assert_ne!(ask(1), ask(2));
        let [low, high] = ask(1).unwrap();
        let effect = crate::causal::effect(&days, 56);
        assert!(low < effect && effect < high);
        assert_eq!(interval(&days, 6, 500, &mut Chance::new(1)), None);
        assert_eq!(interval(&days, 80, 500, &mut Chance::new(1)), None);
    }
}
