//! Rates of answers, whose repeats of one prompt agree with each other.
//!
//! Sources: Wilson 1927 for the interval; Kish 1965 for the design effect 1 + (m - 1)·ρ; Ridout et al. 1999 for ρ by the analysis
//! of variance of clustered binary data. `tests/references/ai_visibility/rates.py` has the numbers of statsmodels.

use kit::statistics::round;
use sdk::prelude::*;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// Prompts from which repeats may add to the sample.
const MIN_PROMPTS: usize = 5;
/// Answers from which the interval of fixed prompts is told.
const MIN_FIXED: u64 = 30;

/// The answers to one prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Repeats {
    /// Those that have what is counted.
    pub(crate) hits: f64,
    /// All of them.
    pub(crate) answers: u64,
}

/// What a rate rests on.
#[value]
pub(crate) struct Sample {
    pub(crate) answers: u64,
    pub(crate) prompts: u64,
    /// Independent answers that these are worth: repeats of one prompt agree with each other.
    pub(crate) n_eff: f64,
}

/// A rate with its intervals.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rate {
    /// The mean over prompts of each prompt's share.
    pub(crate) rate: f64,
    /// 95 %, prompts taken as a sample of the topic.
    pub(crate) ci95: [f64; 2],
    /// 95 %, of these prompts exactly; none under 30 answers, with a prompt asked once, or where no prompt varies.
    pub(crate) fixed: Option<[f64; 2]>,
    pub(crate) sample: Sample,
    /// How much the repeats of one prompt agree, from 0 to 1.
    pub(crate) agreement: f64,
}

/// The rate of some prompts; none without answers.
#[expect(clippy::cast_precision_loss, reason = "answers of a report are far below 2^52")]
pub(crate) fn rate(all: &[Repeats]) -> Option<Rate> {
    let all: Vec<Repeats> = all.iter().filter(|it| it.answers > 0).copied().collect();
    if all.is_empty() {
        return None;
    }
    let (k, answers) = (all.len() as f64, all.iter().map(|it| it.answers).sum::<u64>());
    let share = |it: &Repeats| it.hits / it.answers as f64;
    let rate = all.iter().map(share).sum::<f64>() / k;
    let agreement = agreement(&all);
    let mean = answers as f64 / k;
    let n_eff = if all.len() < MIN_PROMPTS { k } else { answers as f64 / (1.0 + (mean - 1.0).max(0.0) * agreement) };
    let variance: Option<f64> = all
        .iter()
        .map(|it| (it.answers > 1).then(|| share(it) * (1.0 - share(it)) / (it.answers - 1) as f64))
        .sum::<Option<f64>>();
    let fixed = variance.filter(|it| *it > 0.0 && answers >= MIN_FIXED).map(|variance| {
        let half = Z * variance.sqrt() / k;
        [round((rate - half).max(0.0), 6), round((rate + half).min(1.0), 6)]
    });
    Some(Rate {
        rate: round(rate, 6),
        ci95: wilson(rate, n_eff),
        fixed,
        sample: Sample { answers, prompts: all.len() as u64, n_eff: round(n_eff, 2) },
        agreement: round(agreement, 4),
    })
}

/// The intra-class correlation of binary repeats by the analysis of variance, cut to [0, 1]. Where nothing varies at all, the
/// repeats are taken to agree wholly.
#[expect(clippy::cast_precision_loss, reason = "answers of a report are far below 2^52")]
pub(crate) fn agreement(all: &[Repeats]) -> f64 {
    let k = all.len() as f64;
    let n: f64 = all.iter().map(|it| it.answers as f64).sum();
    if all.len() < 2 || n <= k {
        return 1.0;
    }
    let whole = all.iter().map(|it| it.hits).sum::<f64>() / n;
    let (mut between, mut within, mut squares) = (0.0, 0.0, 0.0);
    for it in all {
        let m = it.answers as f64;
        let share = it.hits / m;
        between += m * (share - whole).powi(2);
        within += m * share * (1.0 - share);
        squares += m * m;
    }
    let (between, within) = (between / (k - 1.0), within / (n - k));
    let size = (n - squares / n) / (k - 1.0);
    let below = between + (size - 1.0) * within;
    if below <= f64::EPSILON { 1.0 } else { ((between - within) / below).clamp(0.0, 1.0) }
}

/// Wilson's interval of a share of so many independent answers, which need not be whole.
pub(crate) fn wilson(share: f64, n: f64) -> [f64; 2] {
    if n <= 0.0 {
        return [0.0, 1.0];
    }
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

/// Prompts that a margin needs, each asked `m` times, at a share and an agreement of repeats.
pub(crate) fn needed_prompts(share: f64, margin: f64, m: f64, agreement: f64) -> u64 {
    kit::number::as_count(
        (Z * Z * share * (1.0 - share) / (margin * margin) * (1.0 + (m - 1.0) * agreement) / m).ceil(),
    )
}

/// Repeats that a margin needs of one prompt at its share.
pub(crate) fn needed_repeats(share: f64, margin: f64) -> u64 {
    kit::number::as_count((Z * Z * share * (1.0 - share) / (margin * margin)).ceil())
}
