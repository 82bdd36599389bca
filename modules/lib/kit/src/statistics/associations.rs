//! How surprising a count is beside another: the log-likelihood ratio of a table of four counts.

/// Dunning's G² ("Accurate Methods for the Statistics of Surprise and Coincidence", 1993) of a count among a number of
/// events, beside a count among another number of events; negative when the first is the rarer one. 0 without events.
///
/// The counts may be expectations, so they need not be whole.
#[must_use]
pub fn log_likelihood(count: f64, total: f64, other_count: f64, other_total: f64) -> f64 {
    let all = total + other_total;
    if total <= 0.0 || other_total <= 0.0 {
        return 0.0;
    }
    let (hits, misses) = (count + other_count, all - count - other_count);
    let term = |observed: f64, expected: f64| {
        if observed > 0.0 && expected > 0.0 { observed * (observed / expected).ln() } else { 0.0 }
    };
    let sum = term(count, total * hits / all)
        + term(total - count, total * misses / all)
        + term(other_count, other_total * hits / all)
        + term(other_total - other_count, other_total * misses / all);
    let sign = if count / total < other_count / other_total { -1.0 } else { 1.0 };
    sign * (2.0 * sum).max(0.0)
}
