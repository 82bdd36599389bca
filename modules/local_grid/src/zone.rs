//! The operation `local_grid.zone.detect`.

mod reason;

use std::collections::BTreeMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::competitor::places;
use crate::geodesy::{Direction, Point};
use crate::given::{self, Scan};
use crate::layout::{Spot, ground};
use crate::metrics::{Figures, is_done};
use crate::stored::{Pin, Place, Run, Stage};
use reason::{Leader, Reason};

#[args]
pub(crate) struct Detect {
    /// The scan.
    run_ref: Id<Run>,
    /// A pin is weak when the business is behind this place there.
    #[default(10)]
    threshold: Count<3, 20>,
}

/// Weak pins that are next to each other.
#[value]
pub(crate) struct Zone {
    /// The keyword.
    keyword: String,
    /// Its pins.
    pins: u32,
    /// Square kilometres of the smallest convex area around the ground of its pins.
    area_km2: f64,
    /// The middle of its pins.
    centre: Point,
    /// Kilometres from the business to its middle.
    distance_km: f64,
    /// Degrees clockwise from north to its middle, as seen from the business.
    bearing: f64,
    /// The same as a direction; none when the business is in its middle.
    direction: Option<Direction>,
    /// The mean place of the business in it, 21 where it is not among the first 20.
    mean_rank: f64,
    /// The business that is first most often in it.
    leader: Option<Leader>,
    /// Why the business is weak there, most likely.
    reason: Reason,
    /// What speaks for that reason.
    because: String,
    /// What to do about it.
    next: Vec<Next>,
}

/// Weak zones of a scan.
#[value]
pub(crate) struct Detected {
    /// The largest first.
    zones: Vec<Zone>,
    /// Weak pins of all keywords.
    weak_pins: u32,
    /// Finished pins of all keywords.
    pins: u32,
    /// How old the scan is.
    basis: Basis,
    /// What is missing.
    degraded: Vec<Degraded>,
}

/// Groups weak pins into connected zones with size, distance, dominating competitor and the likely reason (distance, relevance, prominence).
///
/// Pins are connected when they are neighbours: up to eight in a square grid, six in a hexagonal one. The reasons are those
/// that Google names for local results (support.google.com/business/answer/7091): distance where the leader is much nearer,
/// relevance where its category is another or the business is not shown at all, prominence where it is neither and the
/// leader has more ratings. Where nothing that was measured tells the two apart, it is unknown.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "where on the map am I weak and why",
        "find areas of the city where my shop does not show up",
        "weak spots of my local rankings",
        "which neighbourhoods do I lose to competitors",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "threshold": 3 }]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Detected> {
    let scan = Scan::ended(cx, &args.run_ref, "/run_ref")?;
    let threshold = u8::try_from(args.threshold.get()).unwrap_or(20);
    let places = places(cx, &args.run_ref);
    let mut zones = Vec::new();
    let mut weak_pins = 0;
    for tally in &scan.tallies {
        let weak = components(&scan, &tally.placed, threshold);
        if weak.is_empty() {
            continue;
        }
        let pins = cx.records::<Pin>().by("run_keyword_number").equals(&args.run_ref).equals(tally.number).scan();
        let pins: BTreeMap<u32, Pin> = pins.map(|it| (it.number, it.into_inner())).collect();
        // As the scan shows it anywhere for this keyword; a business that is nowhere has nothing to show.
        let own = pins.values().find_map(|pin| places.get(&pin.own?));
        for zone in weak {
            weak_pins += u32::try_from(zone.len()).unwrap_or(0);
            zones.push(described(&scan, tally.keyword.clone(), &tally.placed, &zone, &pins, &places, own));
        }
    }
    zones.sort_by(|a, b| b.pins.cmp(&a.pins).then(a.distance_km.total_cmp(&b.distance_km)));
    Ok(Detected {
        zones,
        weak_pins,
        pins: scan.run.figures.pins_done,
        basis: given::basis(cx, &scan.run),
        degraded: scan.degraded(),
    })
}

/// Weak pins by their numbers, those that hang together in one list.
pub(crate) fn components(scan: &Scan, placed: &[u8], threshold: u8) -> Vec<Vec<usize>> {
    let is_weak = |at: usize| placed.get(at).is_some_and(|it| is_done(*it) && *it > threshold);
    let mut seen = vec![false; scan.spots.len()];
    let mut all = Vec::new();
    for start in 0..scan.spots.len() {
        if seen[start] || !is_weak(start) {
            continue;
        }
        seen[start] = true;
        let (mut zone, mut next) = (vec![start], 0);
        while next < zone.len() {
            let from = &scan.spots[zone[next]];
            for (at, spot) in scan.spots.iter().enumerate() {
                if !seen[at] && is_weak(at) && scan.run.grid.are_neighbours(from, spot) {
                    seen[at] = true;
                    zone.push(at);
                }
            }
            next += 1;
        }
        zone.sort_unstable();
        all.push(zone);
    }
    all
}

fn described(
    scan: &Scan,
    keyword: String,
    placed: &[u8],
    zone: &[usize],
    pins: &BTreeMap<u32, Pin>,
    places: &BTreeMap<u32, Place>,
    own: Option<&Place>,
) -> Zone {
    let spots: Vec<&Spot> = zone.iter().map(|at| &scan.spots[*at]).collect();
    let count = f64::from(u32::try_from(spots.len()).unwrap_or(1));
    let (east, north) = spots.iter().fold((0.0, 0.0), |sum, it| (sum.0 + it.east / count, sum.1 + it.north / count));
    let middle = Spot { row: 0, column: 0, east, north, point: scan.run.centre };
    let bearing = middle.bearing();
    let figures = Figures::of(zone.iter().map(|at| placed[*at]));
    let shown: Vec<&Pin> = zone
        .iter()
        .filter_map(|at| pins.get(&u32::try_from(*at).ok()?))
        .filter(|pin| pin.stage == Stage::Done)
        .collect();
    let first = reason::first(&shown, places);
    let (reason, because) = reason::find(scan.run.centre, &spots, &shown, first.map(|it| it.0), own);
    let next = match reason {
        Reason::Distance => Next::new(
            "local_grid.proximity.fit",
            json!({ "run_ref": scan.run.id }),
            "measures how fast rank falls with distance",
        ),
        Reason::Relevance => {
            let why = "shows which categories and names those ahead have";
            Next::new("local_grid.competitor.report", json!({ "run_ref": scan.run.id }), why)
        }
        Reason::Unknown => {
            let why = "shows how those ahead differ in categories, names, photos and ratings";
            Next::new("local_grid.competitor.report", json!({ "run_ref": scan.run.id }), why)
        }
        Reason::Prominence => {
            let why = "shows whether a campaign can rest on this scan";
            Next::new("local_grid.gmb_signals.sources.get", json!({ "business_ref": scan.run.business }), why)
        }
    };
    let round = kit::statistics::round;
    Zone {
        keyword,
        pins: figures.pins_done,
        area_km2: round(ground(&scan.run.grid, spots.iter().copied()), 3),
        centre: scan.run.centre.towards(bearing, middle.distance()),
        distance_km: round(middle.distance() / 1_000.0, 3),
        bearing: round(bearing, 1),
        direction: crate::run::compare::direction(&middle),
        mean_rank: figures.atrp.unwrap_or_default(),
        leader: first.map(reason::leader),
        reason,
        because,
        next: vec![next],
    }
}

#[cfg(test)]
mod tests;
