//! Forecasts of a daily series: exponential smoothing with a damped trend and a weekly season, ETS(A,Ad,A).
//!
//! Source: Hyndman, Koehler, Ord and Snyder 2008, "Forecasting with Exponential Smoothing", 2.5 and 6.3, in the
//! error-correction form.

use super::mean;
use super::nelder_mead::minimize;

/// Days of a season.
pub const WEEK: usize = 7;
/// The fewest days of a fit.
pub const MIN_DAYS: usize = 28;
/// The longest gap that is bridged with the model's own forecast; after a longer one the series starts anew.
pub const MAX_GAP: usize = 7;
/// Evaluations of the minimization from each start.
const EVALUATIONS: usize = 400;
/// The number of grid points that the minimization starts from.
const STARTS: usize = 3;

/// The smoothing parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Of the level.
    pub alpha: f64,
    /// Of the trend.
    pub beta: f64,
    /// Of the season.
    pub gamma: f64,
    /// The damping of the trend per day.
    pub phi: f64,
}

/// The components after a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// The level.
    pub level: f64,
    /// The trend per day.
    pub slope: f64,
    /// The season of the coming week, the next day first.
    pub season: [f64; WEEK],
}

/// A smoothed series.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Observed minus expected; `None` on days without a value.
    pub errors: Vec<Option<f64>>,
    /// The components after the last day.
    pub end: State,
}

/// A fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The parameters with the least squared errors.
    pub parameters: Parameters,
    /// The components before the first day.
    pub start: State,
    /// The components after the last day.
    pub end: State,
    /// The mean squared error.
    pub variance: f64,
    /// The number of days: those after the last long gap.
    pub days: usize,
    /// Days among them without a value.
    pub filled: usize,
}

/// A forecast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// The expected value.
    pub mean: f64,
    /// The variance of the forecast error.
    pub variance: f64,
}

/// Smooths a series with given parameters.
#[must_use]
pub fn smooth(values: &[Option<f64>], parameters: Parameters, start: State) -> Path {
    let Parameters { alpha, beta, gamma, phi } = parameters;
    let mut state = start;
    let mut errors = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let slot = at % WEEK;
        let error = value.map(|it| it - (state.level + phi * state.slope + state.season[slot]));
        let off = error.unwrap_or(0.0);
        state.level += phi * state.slope + alpha * off;
        state.slope = phi * state.slope + beta * off;
        state.season[slot] += gamma * off;
        errors.push(error);
    }
    state.season.rotate_left(values.len() % WEEK);
    Path { errors, end: state }
}

/// Fits a model to the days after the last gap of more than [`MAX_GAP`] days, by least squared errors: a grid search, then
/// Nelder-Mead from its three best points. `None` for fewer than [`MIN_DAYS`] days.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a count of days")]
pub fn fit(values: &[Option<f64>]) -> Option<Model> {
    let values = after_gaps(values);
    let seen = values.iter().flatten().count();
    if values.len() < MIN_DAYS || seen < MIN_DAYS - MAX_GAP {
        return None;
    }
    let start = begin(values);
    let height = |parameters: &Parameters| squares(values, *parameters, start);
    let mut grid: Vec<(Parameters, f64)> = grid().map(|parameters| (parameters, height(&parameters))).collect();
    grid.sort_by(|a, b| a.1.total_cmp(&b.1));
    let best = grid
        .iter()
        .take(STARTS)
        .map(|(from, _)| {
            let (point, height) = minimize(from.coordinates(), [0.1, 0.1, 0.1, -0.02], EVALUATIONS, |point| {
                Parameters::of(point).map_or(f64::INFINITY, |parameters| height(&parameters))
            });
            (Parameters::of(&point).unwrap_or(*from), height)
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    let end = smooth(values, best.0, start).end;
    let (days, filled) = (values.len(), values.len() - seen);
    Some(Model { parameters: best.0, start, end, variance: best.1 / seen as f64, days, filled })
}

fn squares(values: &[Option<f64>], parameters: Parameters, start: State) -> f64 {
    smooth(values, parameters, start).errors.iter().flatten().map(|it| it * it).sum()
}

/// The values after the last long gap.
fn after_gaps(values: &[Option<f64>]) -> &[Option<f64>] {
    let (mut from, mut empty) = (0, usize::MAX);
    for (at, value) in values.iter().enumerate() {
        match value {
            Some(_) => {
                if empty > MAX_GAP {
                    from = at;
                }
                empty = 0;
            }
            None => empty = empty.saturating_add(1),
        }
    }
    if empty > MAX_GAP { &[] } else { &values[from..] }
}

/// The initial components: the weekday means of the first 28 days about their mean, and a line through the first 14 days
/// without them.
#[expect(clippy::cast_precision_loss, reason = "a count of days")]
fn begin(values: &[Option<f64>]) -> State {
    let first = &values[..MIN_DAYS];
    let all = mean(&first.iter().flatten().copied().collect::<Vec<_>>());
    let mut season = [0.0; WEEK];
    for (slot, value) in season.iter_mut().enumerate() {
        let days: Vec<f64> = first.iter().skip(slot).step_by(WEEK).flatten().copied().collect();
        *value = if days.is_empty() { 0.0 } else { mean(&days) - all };
    }
    let middle = mean(&season);
    season.iter_mut().for_each(|it| *it -= middle);
    let points: Vec<(f64, f64)> = values
        .iter()
        .take(2 * WEEK)
        .enumerate()
        .filter_map(|(at, value)| value.map(|value| (at as f64 + 1.0, value - season[at % WEEK])))
        .collect();
    let (x, y) = (
        mean(&points.iter().map(|it| it.0).collect::<Vec<_>>()),
        mean(&points.iter().map(|it| it.1).collect::<Vec<_>>()),
    );
    let across: f64 = points.iter().map(|it| (it.0 - x).powi(2)).sum();
    let along: f64 = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    let slope = if across > 0.0 { along / across } else { 0.0 };
    State { level: y - slope * x, slope, season }
}

fn grid() -> impl Iterator<Item = Parameters> {
    let alphas = [0.02, 0.1, 0.3, 0.6];
    alphas.into_iter().flat_map(|alpha| {
        [0.01, 0.1].into_iter().flat_map(move |beta| {
            [0.02, 0.1, 0.3].into_iter().flat_map(move |gamma| {
                [0.8, 0.9, 0.98].into_iter().filter_map(move |phi| Parameters::of(&[alpha, beta, gamma, phi]))
            })
        })
    })
}

impl Parameters {
    /// From the coordinates of the search: α, β/α, γ/(1 − α), φ. `None` outside the bounds: α, β, γ at least 0.0001, α at most
    /// 0.9999, φ from 0.8 to 0.98.
    fn of(coordinates: &[f64; 4]) -> Option<Self> {
        let [alpha, slow, seasonal, phi] = *coordinates;
        let inside = (0.0001..=0.9999).contains(&alpha)
            && (0.0..=1.0).contains(&slow)
            && (0.0..=1.0).contains(&seasonal)
            && (0.8..=0.98).contains(&phi);
        let (beta, gamma) = ((slow * alpha).max(0.0001), (seasonal * (1.0 - alpha)).max(0.0001));
        inside.then_some(Self { alpha, beta, gamma, phi })
    }

    fn coordinates(self) -> [f64; 4] {
        [self.alpha, self.beta / self.alpha, self.gamma / (1.0 - self.alpha), self.phi]
    }
}

impl Model {
    /// The forecast of one day; 1 is the next.
    #[must_use]
    pub fn day(&self, ahead: usize) -> Expected {
        self.days(ahead, ahead)
    }

    /// The forecast of the mean of the days `first` to `last`; 1 is the next. The errors of the days are correlated, so its
    /// variance is not that of the days divided by their number.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a count of days")]
    pub fn days(&self, first: usize, last: usize) -> Expected {
        let (first, last) = (first.max(1), last.max(first.max(1)));
        let count = (last - first + 1) as f64;
        let phi = self.parameters.phi;
        let damped = |ahead: usize| phi * (1.0 - phi.powf(ahead as f64)) / (1.0 - phi);
        let mean = (first..=last)
            .map(|ahead| self.end.level + damped(ahead) * self.end.slope + self.end.season[(ahead - 1) % WEEK])
            .sum::<f64>()
            / count;
        // The sum over the window of the effects that the shock of each day has on later days.
        let reach: Vec<f64> = (0..last).map(|lag| self.parameters.reach(lag)).collect();
        let squares: f64 = (1..=last)
            .map(|shock| {
                let felt: f64 = (first.max(shock)..=last).map(|ahead| reach[ahead - shock]).sum();
                (felt / count).powi(2)
            })
            .sum();
        Expected { mean, variance: self.variance * squares }
    }
}

impl Parameters {
    /// The effect of a shock `lag` days later.
    #[expect(clippy::cast_precision_loss, reason = "a count of days")]
    fn reach(self, lag: usize) -> f64 {
        if lag == 0 {
            return 1.0;
        }
        let damped = self.phi * (1.0 - self.phi.powf(lag as f64)) / (1.0 - self.phi);
        self.alpha + self.beta * damped + if lag.is_multiple_of(WEEK) { self.gamma } else { 0.0 }
    }
}
