//! The season of monthly values: classical multiplicative decomposition.

use super::mean;

/// Months of a year.
pub const MONTHS: usize = 12;
/// Fewer months are less than two years, from which no season can be told apart from a trend.
pub const MIN_MONTHS: usize = 24;

/// The parts of monthly values.
#[derive(Debug, Clone, PartialEq)]
pub struct Season {
    /// The centred moving mean of twelve months; `None` for the first and last six.
    pub trend: Vec<Option<f64>>,
    /// How many times the mean each month of the year is, for the months in the order of the values, from the first one.
    /// Their mean is 1.
    pub indices: [f64; MONTHS],
    /// How much of what the trend leaves the season explains, 0 to 1.
    pub strength: f64,
}

/// Decomposes values above 0: trend by a 2×12 moving mean, season by the mean ratio of each month to it (Makridakis, Wheelwright
/// and Hyndman 1998, chapter 3; the default of statsmodels). The strength is that of Wang, Smith and Hyndman 2006, on
/// logarithms. `None` for fewer than [`MIN_MONTHS`] values, or when one is not above 0.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "twelve")]
pub fn seasons(values: &[f64]) -> Option<Season> {
    if values.len() < MIN_MONTHS || values.iter().any(|it| it.is_nan() || *it <= 0.0) {
        return None;
    }
    let half = MONTHS / 2;
    let moving = |at: usize| {
        let window = &values[at - half..=at + half];
        let edges = (window[0] + window[MONTHS]) / 2.0;
        (edges + window[1..MONTHS].iter().sum::<f64>()) / MONTHS as f64
    };
    let trend: Vec<Option<f64>> =
        (0..values.len()).map(|at| (at >= half && at + half < values.len()).then(|| moving(at))).collect();
    let ratios: Vec<Option<f64>> = values.iter().zip(&trend).map(|(value, trend)| Some(value / (*trend)?)).collect();
    let of_month =
        |month: usize| mean(&ratios.iter().skip(month).step_by(MONTHS).filter_map(|it| *it).collect::<Vec<f64>>());
    let raw: Vec<f64> = (0..MONTHS).map(of_month).collect();
    let scale = mean(&raw);
    let mut indices = [1.0; MONTHS];
    indices.iter_mut().zip(&raw).for_each(|(index, raw)| *index = raw / scale);
    let (mut whole, mut rest) = (Vec::new(), Vec::new());
    for (at, ratio) in ratios.iter().enumerate().filter_map(|(at, ratio)| Some((at, (*ratio)?))) {
        whole.push(ratio.ln());
        rest.push((ratio / indices[at % MONTHS]).ln());
    }
    let (of_whole, of_rest) = (variance(&whole), variance(&rest));
    let strength = if of_whole > 0.0 { (1.0 - of_rest / of_whole).max(0.0) } else { 0.0 };
    Some(Season { trend, indices, strength })
}

fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    mean(&values.iter().map(|it| (it - centre).powi(2)).collect::<Vec<f64>>())
}
