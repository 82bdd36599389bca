//! Unusual bursts of reviews: windows of 1, 3 and 7 days against the 180 days before.
//!
//! The count of a window is compared with the predictive distribution of a Poisson rate whose past is known: negative binomial
//! with n + 1/2 reviews in 180 days (Jeffreys' prior). Where the past itself is livelier than a Poisson process, both counts are
//! divided by its variance over its mean.

/// Days before a window that it is compared with, and reviews that must stand there.
const BASE: usize = 180;
const LEAST: u64 = 20;
/// Lengths of windows, in days.
const WINDOWS: [usize; 3] = [1, 3, 7];
/// The probability below which a count is a burst.
const LEVEL: f64 = 1e-4;
/// Variance over mean from which the past is livelier than a Poisson process.
const LIVELY: f64 = 1.5;

/// A run of days with unusually many reviews: numbers of the first and last day, the count, and what was expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Burst {
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) count: u64,
    pub(crate) expected: f64,
    /// The smallest of its windows.
    pub(crate) p: f64,
}

/// The bursts among counts by day, oldest first. Nothing is claimed of a day whose past has fewer than 20 reviews.
#[expect(clippy::cast_precision_loss, reason = "counts of reviews are small")]
pub(crate) fn bursts(days: &[u64]) -> Vec<Burst> {
    let mut found: Vec<Burst> = Vec::new();
    for end in BASE..days.len() {
        for window in WINDOWS {
            let Some(first) = (end + 1).checked_sub(window).filter(|it| *it >= BASE) else { continue };
            let base = &days[first - BASE..first];
            let past: u64 = base.iter().sum();
            let count: u64 = days[first..=end].iter().sum();
            if past < LEAST || count == 0 {
                continue;
            }
            let mean = past as f64 / BASE as f64;
            let variance = base.iter().map(|it| (*it as f64 - mean).powi(2)).sum::<f64>() / (BASE as f64 - 1.0);
            let lively = if variance / mean > LIVELY { variance / mean } else { 1.0 };
            let (n, k) = (past as f64 / lively, (count as f64 / lively).floor());
            let p = at_least(k, n + 0.5, BASE as f64 / (BASE + window) as f64);
            if p < LEVEL {
                found.push(Burst { first, last: end, count, expected: mean * window as f64, p });
            }
        }
    }
    found.sort_by_key(|it| (it.first, it.last));
    let mut merged: Vec<Burst> = Vec::new();
    for it in found {
        match merged.last_mut() {
            // Windows that touch are one burst.
            Some(last) if it.first <= last.last + 1 => {
                last.last = last.last.max(it.last);
                last.p = last.p.min(it.p);
            }
            _ => merged.push(it),
        }
    }
    for it in &mut merged {
        it.count = days[it.first..=it.last].iter().sum();
        let past: u64 = days[it.first - BASE..it.first].iter().sum();
        it.expected = past as f64 / BASE as f64 * (it.last - it.first + 1) as f64;
    }
    merged
}

/// The probability of a count of at least `k` under a negative binomial distribution with `r` successes of probability `p`.
pub(crate) fn at_least(k: f64, r: f64, p: f64) -> f64 {
    if k <= 0.0 {
        return 1.0;
    }
    // Logarithms: with many reviews the first terms are below what a number can hold.
    let mut log = r * p.ln();
    let mut j = 0.0;
    while j < k {
        log += ((j + r) / (j + 1.0)).ln() + (1.0 - p).ln();
        j += 1.0;
    }
    let (mut term, mut sum) = (log.exp(), 0.0);
    while term > sum * 1e-17 && term > 0.0 {
        sum += term;
        term *= (j + r) / (j + 1.0) * (1.0 - p);
        j += 1.0;
        // Below the mode terms grow first.
        if j > k + 100_000.0 {
            break;
        }
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use kit::chance::Chance;

    use super::*;

    fn poisson(chance: &mut Chance, mean: f64) -> u64 {
        let (bound, mut product, mut count) = ((-mean).exp(), chance.unit(), 0);
        while product > bound {
            product *= chance.unit();
            count += 1;
        }
        count
    }

    #[test]
    fn the_tail_is_that_of_scipy() {
        // scipy.stats.nbinom.sf(k - 1, r, p), scipy 1.17.
        for (k, r, p, wanted) in include!("tests/nbinom.in") {
            let ours = at_least(k, r, p);
            assert!((ours - wanted).abs() <= 1e-9 * wanted.max(1e-300) + 1e-15, "{k} {r} {p}: {ours} and {wanted}");
        }
    }

    #[test]
    fn quiet_years_are_quiet_and_a_week_of_six_times_the_rate_is_found() {
        let (mut alarms, mut hits) = (0, 0);
        for seed in 0..500 {
            let mut chance = Chance::new(seed);
            let mut days: Vec<u64> = (0..365 + BASE).map(|_| poisson(&mut chance, 0.5)).collect();
            alarms += usize::from(!bursts(&days).is_empty());
            for day in &mut days[400..407] {
                *day = poisson(&mut chance, 3.0);
            }
            hits += usize::from(bursts(&days).iter().any(|it| it.first <= 406 && it.last >= 400));
        }
        assert!(alarms <= 30, "{alarms} of 500 quiet years had an alarm");
        assert!(hits >= 475, "{hits} of 500 bursts were found");
    }

    #[test]
    fn nothing_is_claimed_of_a_young_business() {
        let mut days = vec![0; 200];
        days[190] = 15;
        assert!(bursts(&days).is_empty());
    }
}
