//! How alike answers are: the overlap of their brands, and how far two models' mentions lie apart.

use std::collections::BTreeMap;

/// The mean overlap of all pairs of sets (Jaccard 1912); two empty sets are equal. None for fewer than two.
#[expect(clippy::cast_precision_loss, reason = "brands and samples are few")]
pub(crate) fn overlap(sets: &[Vec<u32>]) -> Option<f64> {
    let (mut sum, mut pairs) = (0.0, 0_u32);
    for (at, one) in sets.iter().enumerate() {
        for two in &sets[at + 1..] {
            let shared = one.iter().filter(|it| two.contains(it)).count();
            let all = one.len() + two.len() - shared;
            sum += if all == 0 { 1.0 } else { shared as f64 / all as f64 };
            pairs += 1;
        }
    }
    (pairs > 0).then(|| sum / f64::from(pairs))
}

/// The Jensen-Shannon divergence of two distributions of mentions, to the base 2: 0 for equal ones, 1 for ones that share nothing.
/// None where one has no mention. Source: Lin 1991.
pub(crate) fn divergence(one: &BTreeMap<&str, f64>, two: &BTreeMap<&str, f64>) -> Option<f64> {
    let (first, second) = (one.values().sum::<f64>(), two.values().sum::<f64>());
    if first <= 0.0 || second <= 0.0 {
        return None;
    }
    let names: std::collections::BTreeSet<&str> = one.keys().chain(two.keys()).copied().collect();
    let term = |part: f64, middle: f64| if part <= 0.0 { 0.0 } else { part * (part / middle).log2() };
    let sum = names.into_iter().map(|name| {
        let (p, q) = (one.get(name).map_or(0.0, |it| it / first), two.get(name).map_or(0.0, |it| it / second));
        let middle = f64::midpoint(p, q);
        f64::midpoint(term(p, middle), term(q, middle))
    });
    Some(sum.sum::<f64>().clamp(0.0, 1.0))
}
