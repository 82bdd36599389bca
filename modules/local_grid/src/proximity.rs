//! The operation `local_grid.proximity.fit`.

use sdk::Basis;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::geodesy::Direction;
use crate::given::{self, Scan};
use crate::metrics::is_done;
use crate::reach::reach;
use crate::run::compare::direction;
use crate::stored::Run;
use kit::statistics::Direction::Rising;
use kit::statistics::{Knot, Point, isotonic};

/// A direction with fewer pins than this takes those of its two neighbours too.
const FEW: usize = 4;

#[args]
pub(crate) struct Fit {
    /// The scan.
    run_ref: Id<Run>,
}

/// How far the business reaches in one direction.
#[value]
pub(crate) struct Bearing {
    /// The direction, as seen from the business.
    direction: Direction,
    /// Kilometres within which it is among the first three; none when it is not even next door.
    radius_top3_km: Option<f64>,
    /// Kilometres within which it is among the first ten; none when it is not even next door.
    radius_top10_km: Option<f64>,
    /// Whether the fit stays among the first ten as far as pins reach, so that the true radius may be larger.
    beyond_the_grid: bool,
    /// Results that the fit is made of.
    points: u32,
    /// Whether those of the neighbouring directions are among them, since there are few of its own.
    pooled: bool,
}

/// A point of the fitted line.
#[value]
pub(crate) struct Fitted {
    /// Kilometres from the business.
    distance_km: f64,
    /// The place that is to be expected there.
    rank: f64,
}

/// The line over all directions.
#[value]
pub(crate) struct Line {
    /// How it is made.
    method: String,
    /// Results that it is made of.
    points: u32,
    /// How many places a result is off it, on average.
    mean_absolute_error: f64,
    /// The share of the variance of places that distance explains, from 0 to 1; none when all places are the same.
    explained: Option<f64>,
    /// Its corners: straight between them.
    line: Vec<Fitted>,
}

/// How far a business reaches.
#[value]
pub(crate) struct Reach {
    /// Kilometres within which it is among the first three, over all directions; none when it is not even next door.
    radius_top3_km: Option<f64>,
    /// Kilometres within which it is among the first ten, over all directions; none when it is not even next door.
    radius_top10_km: Option<f64>,
    /// Each direction for itself, clockwise from north; those without pins are left out.
    by_bearing: Vec<Bearing>,
    /// The line over all directions.
    fit: Line,
    /// How old the scan is.
    basis: Basis,
    /// What is missing.
    degraded: Vec<Degraded>,
    /// What to look at next.
    next: Vec<Next>,
}

/// Fits rank against distance from the business (robust monotone fit) to give the radius of top-three and top-ten presence per direction.
///
/// The fit is the isotonic regression of rank on distance: of all lines that never fall, the one that misses the results
/// least. Ranks count up to 21, so one far pin without the business weighs no more than a bad place. A radius is where the
/// line, straight between its points, crosses rank 3 or 10. The results of all keywords are taken together.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how far from my shop do I still rank in the map pack",
        "radius in which I am in the top three locally",
        "does distance explain my local rankings",
        "how large is my catchment area on google maps",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn fit(cx: &Cx, args: Fit) -> Result<Reach> {
    let scan = Scan::ended(cx, &args.run_ref, "/run_ref")?;
    let mut all = Vec::new();
    let mut sectors: [Vec<(f64, f64)>; 8] = Default::default();
    for tally in &scan.tallies {
        for (spot, placed) in scan.spots.iter().zip(&tally.placed).filter(|it| is_done(*it.1)) {
            let point = (spot.distance() / 1_000.0, f64::from(*placed));
            all.push(point);
            // The pin at the business itself is the beginning of every direction.
            let own = direction(spot);
            let fits = |it: &Direction| own.is_none_or(|own| own == *it);
            for (sector, _) in sectors.iter_mut().zip(Direction::ALL).filter(|it| fits(&it.1)) {
                sector.push(point);
            }
        }
    }
    let mut by_bearing = Vec::new();
    for (at, direction) in Direction::ALL.into_iter().enumerate() {
        let own = &sectors[at];
        if own.iter().all(|it| it.0 < 0.001) {
            continue;
        }
        let pooled = own.len() < FEW;
        let neighbours = if pooled { vec![(at + 7) % 8, (at + 1) % 8] } else { Vec::new() };
        let points: Vec<(f64, f64)> =
            own.iter().chain(neighbours.iter().flat_map(|it| &sectors[*it])).copied().collect();
        let line = rising(&points);
        by_bearing.push(Bearing {
            direction,
            radius_top3_km: kilometres(reach(&line, 3.0)),
            radius_top10_km: kilometres(reach(&line, 10.0)),
            beyond_the_grid: line.last().is_some_and(|it| it.y <= 10.0),
            points: count(points.len()),
            pooled,
        });
    }
    let line = rising(&all);
    let own = json!({ "run_ref": args.run_ref });
    Ok(Reach {
        radius_top3_km: kilometres(reach(&line, 3.0)),
        radius_top10_km: kilometres(reach(&line, 10.0)),
        by_bearing,
        fit: described(&all, &line),
        basis: given::basis(cx, &scan.run),
        degraded: scan.degraded(),
        next: vec![
            Next::new("local_grid.zone.detect", own.clone(), "finds weak zones and why they are weak"),
            Next::new("local_grid.competitor.report", own, "shows who ranks where you do not"),
        ],
    })
}

fn kilometres(reach: Option<f64>) -> Option<f64> {
    reach.map(|it| kit::statistics::round(it, 3))
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

/// Ranks by distance, fitted so that they never get better farther away.
fn rising(points: &[(f64, f64)]) -> Vec<Knot> {
    let points: Vec<Point> = points.iter().map(|(x, y)| Point { x: *x, y: *y, weight: 1.0 }).collect();
    isotonic(&points, Rising)
}

/// The line, and how well it fits.
fn described(points: &[(f64, f64)], line: &[Knot]) -> Line {
    let at = |x: f64| line.iter().find(|it| it.x.total_cmp(&x).is_eq()).map_or(0.0, |it| it.y);
    let ranks: Vec<f64> = points.iter().map(|it| it.1).collect();
    let off: Vec<f64> = points.iter().map(|it| (it.1 - at(it.0)).abs()).collect();
    let middle = kit::statistics::mean(&ranks);
    let spread: f64 = ranks.iter().map(|it| (it - middle).powi(2)).sum();
    let left: f64 = off.iter().map(|it| it.powi(2)).sum();
    let round = kit::statistics::round;
    // A knot between two of the same height says nothing.
    let corner = |at: &usize| {
        let level = |other: Option<&Knot>| other.is_some_and(|it| (it.y - line[*at].y).abs() < 1e-12);
        !(level(at.checked_sub(1).and_then(|it| line.get(it))) && level(line.get(at + 1)))
    };
    let corners = (0..line.len())
        .filter(corner)
        .map(|at| Fitted { distance_km: round(line[at].x, 3), rank: round(line[at].y, 2) });
    Line {
        method: "isotonic regression by pooling adjacent violators".to_owned(),
        points: count(points.len()),
        mean_absolute_error: round(kit::statistics::mean(&off), 2),
        explained: (spread > 0.0).then(|| round(1.0 - left / spread, 3)),
        line: corners.collect(),
    }
}

#[cfg(test)]
mod tests;
