//! The Kaplan-Meier estimator of survival.

/// The standard normal quantile of 0.975.
const Z: f64 = 1.959_963_984_540_054;

/// One step of a survival curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Survival {
    /// A time at which at least one subject ended.
    pub time: f64,
    /// The share that survives `time`, 0 to 1.
    pub share: f64,
    /// The lower bound of its 95 % interval.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The survival curve (Kaplan and Meier 1958) with Greenwood's variance on the log-log scale, which keeps the interval
/// within 0 and 1 (Kalbfleisch and Prentice 1980). Each of `subjects` is a time and whether the subject ended then; `false`
/// means that it was censored, and it counts as at risk at that time. One step for each time of an end, ascending.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of subjects are far below 2^52")]
pub fn survival(subjects: &[(f64, bool)]) -> Vec<Survival> {
    let mut sorted: Vec<(f64, bool)> = subjects.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut there, mut share, mut variance) = (sorted.len(), 1.0_f64, 0.0_f64);
    let mut curve = Vec::new();
    for same in sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let ended = same.iter().filter(|it| it.1).count();
        if ended > 0 {
            let (all, gone) = (there as f64, ended as f64);
            share *= 1.0 - gone / all;
            variance += gone / (all * (all - gone));
            let (low, high) = interval(share, variance);
            curve.push(Survival { time: same[0].0, share, low, high });
        }
        there -= same.len();
    }
    curve
}

fn interval(share: f64, variance: f64) -> (f64, f64) {
    if share <= 0.0 {
        return (0.0, 0.0);
    }
    let log = share.ln();
    let reach = Z * variance.sqrt() / log;
    (share.powf((-reach).exp()), share.powf(reach.exp()))
}

/// The median survival time; `None` when more than half survive the last step.
#[must_use]
pub fn median_survival(curve: &[Survival]) -> Option<f64> {
    curve.iter().find(|step| step.share <= 0.5).map(|step| step.time)
}
