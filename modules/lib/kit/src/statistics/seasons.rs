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

/// The share of months without a value above 0 from which no season is told.
const MAX_ZEROS: f64 = 0.25;

/// The season of counts by the months of the calendar.
#[derive(Debug, Clone, PartialEq)]
pub struct Calendar {
    /// How many times the mean each month is, January first.
    pub indices: [f64; MONTHS],
    /// How much of what the trend leaves the season explains; `None` for less than [`MIN_MONTHS`] months.
    pub strength: Option<f64>,
}

/// The season of monthly counts whose first month is `first`, counted from a January: by [`seasons`] from 24 months on, from 12
/// on each month over the mean. Months that are not known are as the mean, those of 0 as half of the smallest. `None` for fewer
/// than 12 known months, or when more than a quarter of them are 0.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
pub fn by_month(first: u32, values: &[Option<u64>]) -> Option<Calendar> {
    let known: Vec<f64> = values.iter().flatten().map(|it| *it as f64).collect();
    let zeros = known.iter().filter(|it| **it < 0.5).count();
    let smallest = known.iter().copied().filter(|it| *it > 0.5).fold(f64::INFINITY, f64::min);
    if known.len() < MONTHS || !smallest.is_finite() || zeros as f64 > MAX_ZEROS * known.len() as f64 {
        return None;
    }
    // Months that are not known are filled, so that the others stay in their places.
    let centre = mean(&known);
    let count = |it: u64| if it == 0 { smallest / 2.0 } else { it as f64 };
    let filled: Vec<f64> = values.iter().map(|it| it.map_or(centre, count)).collect();
    let offset = (first % 12) as usize;
    let mut indices = [1.0; MONTHS];
    if let Some(season) = seasons(&filled) {
        season.indices.iter().enumerate().for_each(|(at, index)| indices[(at + offset) % MONTHS] = *index);
        return Some(Calendar { indices, strength: Some(season.strength) });
    }
    for (month, index) in indices.iter_mut().enumerate() {
        let of_month = filled.iter().enumerate().filter(|(at, _)| (at + offset) % MONTHS == month).map(|it| *it.1);
        *index = mean(&of_month.collect::<Vec<f64>>()) / centre.max(f64::MIN_POSITIVE);
    }
    Some(Calendar { indices, strength: None })
}

fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    mean(&values.iter().map(|it| (it - centre).powi(2)).collect::<Vec<f64>>())
}
