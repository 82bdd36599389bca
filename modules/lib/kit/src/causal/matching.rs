//! Choosing pages to compare with: those whose days before the change look most alike.

/// The most controls of one page.
pub const MOST_CONTROLS: usize = 10;
/// Level, slope, and seven days of the week.
const FEATURES: usize = 9;
/// Days of a week.
const WEEK: usize = 7;

/// For each page the positions in `pool` of the `most` pages that are nearest to it, the nearest first.
///
/// `changed` and `pool` hold the days before the change, equally many each, from the same day on. A page is the vector
/// of its mean log clicks, their slope by day, and what each day of the week adds. Differences are divided by how much a
/// feature varies between pages, and weighed by how much of that is more than the noise of its measurement: where all
/// pages share a trend, measured slopes differ by chance alone, and matching on them would choose pages by their noise.
#[must_use]
pub fn nearest(changed: &[Vec<f64>], pool: &[Vec<f64>], most: usize) -> Vec<Vec<usize>> {
    let all: Vec<Vector> = changed.iter().chain(pool).map(|days| Vector::of(days)).collect();
    let (own, others) = all.split_at(changed.len());
    let weights = feature_weights(&all);
    let distance = |a: &Vector, b: &Vector| -> f64 {
        (0..FEATURES).map(|at| weights[at] * (a.features[at] - b.features[at]).powi(2)).sum()
    };
    own.iter()
        .map(|page| {
            let mut ranked: Vec<(f64, usize)> = others.iter().map(|it| distance(page, it)).zip(0..).collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            ranked.truncate(most);
            ranked.into_iter().map(|(_, at)| at).collect()
        })
        .collect()
}

/// How much each page of the pool counts when every changed page gives its controls the same weight together.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "some hundred pages")]
pub fn weights(matches: &[Vec<usize>], pool: usize) -> Vec<f64> {
    let mut weights = vec![0.0; pool];
    for controls in matches {
        for control in controls {
            weights[*control] += 1.0 / controls.len() as f64 / matches.len() as f64;
        }
    }
    weights
}

/// What a page is before the change.
struct Vector {
    features: [f64; FEATURES],
    /// The variance that each feature has by the noise of days alone.
    noise: [f64; FEATURES],
}

impl Vector {
    #[expect(clippy::cast_precision_loss, reason = "at most some hundred days")]
    fn of(days: &[f64]) -> Self {
        let count = days.len() as f64;
        let logs: Vec<f64> = days.iter().map(|value| value.ln_1p()).collect();
        let level = logs.iter().sum::<f64>() / count.max(1.0);
        let time = |day: usize| day as f64 - (count - 1.0) / 2.0;
        let spread: f64 = (0..days.len()).map(|day| time(day).powi(2)).sum::<f64>().max(1.0);
        let slope = logs.iter().enumerate().map(|(day, log)| (log - level) * time(day)).sum::<f64>() / spread;
        let rest: Vec<f64> = logs.iter().enumerate().map(|(day, log)| log - level - slope * time(day)).collect();
        let mut features = [0.0; FEATURES];
        (features[0], features[1]) = (level, slope);
        for weekday in 0..WEEK {
            let own: Vec<f64> = rest.iter().skip(weekday).step_by(WEEK).copied().collect();
            features[2 + weekday] = crate::statistics::mean(&own);
        }
        let left = rest.iter().enumerate().map(|(day, it)| (it - features[2 + day % WEEK]).powi(2)).sum::<f64>();
        let variance = left / (count - 8.0).max(1.0);
        let mut noise = [variance * WEEK as f64 / count.max(1.0); FEATURES];
        (noise[0], noise[1]) = (variance / count.max(1.0), variance / spread);
        Self { features, noise }
    }
}

/// One by the variance between pages, times the part of it that is not noise; the days of the week count as one together.
#[expect(clippy::cast_precision_loss, reason = "some hundred pages")]
fn feature_weights(pages: &[Vector]) -> [f64; FEATURES] {
    let count = pages.len().max(1) as f64;
    std::array::from_fn(|at| {
        let mean = pages.iter().map(|it| it.features[at]).sum::<f64>() / count;
        let variance = pages.iter().map(|it| (it.features[at] - mean).powi(2)).sum::<f64>() / count;
        if variance < 1e-12 {
            return 0.0;
        }
        // Twice the noise, since days that follow each other are alike, which makes the measured noise too small.
        let noise = pages.iter().map(|it| it.noise[at]).sum::<f64>() / count;
        let real = (1.0 - 2.0 * noise / variance).clamp(0.0, 1.0);
        let share = if at < 2 { 1.0 } else { 1.0 / WEEK as f64 };
        share * real / variance
    })
}
