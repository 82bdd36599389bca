//! The operation `local_grid.competitor.report`.

use std::collections::BTreeMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::geodesy::Direction;
use crate::given::{self, Scan};
use crate::metrics::{Figures, MISSING};
use crate::run::compare::direction;
use crate::stored::{Pin, Place, Run, Stage};

#[args]
pub(crate) struct Report {
    /// The scan.
    run_ref: Id<Run>,
    /// At most this many businesses.
    #[default(20)]
    limit: Count<5, 50>,
}

/// Where a competitor stands before the business.
#[value]
pub(crate) struct Beaten {
    /// The direction, as seen from the business; none is at the business itself.
    direction: Option<Direction>,
    /// Pins there with the competitor before the business.
    pins: u32,
    /// Of so many finished pins there.
    of: u32,
}

/// A business in the scan.
#[value]
pub(crate) struct Competitor {
    /// Its name.
    name: String,
    /// Its website.
    domain: Option<String>,
    /// The share of finished pins, from 0 to 1, with it among the first three.
    solv: f64,
    /// The mean rank over finished pins with it among the first 20.
    arp: f64,
    /// Finished pins with it among the first 20.
    found_pins: u32,
    /// Pins with it before the business.
    beats_pins: u32,
    /// Directions in which it is before the business in more than half of the pins.
    beats_in: Vec<Beaten>,
    /// Its category.
    category: Option<String>,
    /// Whether the business has the same category; none when one of them is not known.
    same_category: Option<bool>,
    /// Stars, from 1 to 5.
    rating: Option<f64>,
    /// Its stars less those of the business.
    rating_difference: Option<f64>,
    /// Ratings given.
    votes: Option<u64>,
    /// Its ratings less those of the business.
    votes_difference: Option<i64>,
}

/// The business beside its competitors.
#[value]
pub(crate) struct Own {
    /// As it was found; none when it was found nowhere.
    name: Option<String>,
    /// Over all keywords.
    figures: Figures,
    /// Its category.
    category: Option<String>,
    /// Stars, from 1 to 5.
    rating: Option<f64>,
    /// Ratings given.
    votes: Option<u64>,
}

/// Businesses in a scan.
#[value]
pub(crate) struct Reported {
    /// The greatest share of the first three places first, then the best average rank.
    competitors: Vec<Competitor>,
    /// Different businesses among the first 20 of any pin, without the business itself.
    seen: u32,
    /// The business itself.
    own: Own,
    /// How old the scan is.
    basis: Basis,
    /// What is missing.
    degraded: Vec<Degraded>,
    /// What to look at next.
    next: Vec<Next>,
}

/// Reports businesses in the scan by top-three share, average rank and where each beats the business, with category and rating differences.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "who beats me on the map and where",
        "my strongest local competitors in the area",
        "which shops own the map pack around me",
        "why does the other store outrank me locally",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "limit": 10 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let scan = Scan::ended(cx, &args.run_ref, "/run_ref")?;
    let places: BTreeMap<u32, Place> = places(cx, &args.run_ref);
    let mut standings: BTreeMap<u32, Standing> = BTreeMap::new();
    let mut own_places: BTreeMap<u32, u32> = BTreeMap::new();
    let mut pins_in: BTreeMap<Option<Direction>, u32> = BTreeMap::new();
    let mut done = 0_u32;
    for pin in cx.records::<Pin>().by("run_keyword_number").equals(&args.run_ref).scan() {
        if pin.stage != Stage::Done {
            continue;
        }
        done += 1;
        let spot = usize::try_from(pin.number).ok().and_then(|it| scan.spots.get(it));
        let direction = spot.and_then(direction);
        *pins_in.entry(direction).or_default() += 1;
        if let Some(own) = pin.own {
            *own_places.entry(own).or_default() += 1;
        }
        for (rank, number) in (1_u32..).zip(&pin.order) {
            let beats = rank < u32::from(pin.placed.min(MISSING)) && pin.own != Some(*number);
            standings.entry(*number).or_default().add(rank, beats.then_some(direction));
        }
    }
    // A business that was found under several names or ids is the one that most pins show.
    let own = own_places.iter().max_by_key(|it| *it.1).and_then(|it| places.get(it.0));
    standings.retain(|number, _| !own_places.contains_key(number));
    let seen = u32::try_from(standings.len()).unwrap_or(u32::MAX);
    let mut ranked: Vec<(u32, Standing)> = standings.into_iter().collect();
    ranked.sort_by(|a, b| b.1.top.cmp(&a.1.top).then(a.1.mean().total_cmp(&b.1.mean())).then(a.0.cmp(&b.0)));
    let shown = ranked.into_iter().take(usize::from(args.limit));
    let competitors =
        shown.filter_map(|(number, standing)| Some(standing.shown(places.get(&number)?, own, done, &pins_in)));
    let business = json!({ "business_ref": scan.run.business });
    Ok(Reported {
        competitors: competitors.collect(),
        seen,
        own: Own {
            name: own.map(|it| it.name.clone()),
            figures: scan.run.figures,
            category: own.and_then(|it| it.category.clone()),
            rating: own.and_then(|it| it.rating),
            votes: own.and_then(|it| it.votes),
        },
        basis: given::basis(cx, &scan.run),
        degraded: scan.degraded(),
        next: vec![
            Next::new(
                "local_grid.zone.detect",
                json!({ "run_ref": args.run_ref }),
                "finds weak zones and who leads there",
            ),
            Next::new("local_grid.gmb_signals.sources.get", business, "shows whether a campaign can rest on this scan"),
        ],
    })
}

/// Businesses of a scan by their numbers.
pub(crate) fn places(cx: &Cx, run: &Id<Run>) -> BTreeMap<u32, Place> {
    let places = cx.records::<Place>().by("run_number").equals(run).scan();
    places.map(|it| (it.number, it.into_inner())).collect()
}

/// How a business stands over all pins.
#[derive(Default)]
struct Standing {
    pins: u32,
    top: u32,
    ranks: u32,
    beats: BTreeMap<Option<Direction>, u32>,
}

impl Standing {
    fn add(&mut self, rank: u32, beats: Option<Option<Direction>>) {
        self.pins += 1;
        self.ranks += rank;
        self.top += u32::from(rank <= 3);
        if let Some(direction) = beats {
            *self.beats.entry(direction).or_default() += 1;
        }
    }

    fn mean(&self) -> f64 {
        f64::from(self.ranks) / f64::from(self.pins.max(1))
    }

    fn shown(
        self,
        place: &Place,
        own: Option<&Place>,
        done: u32,
        pins_in: &BTreeMap<Option<Direction>, u32>,
    ) -> Competitor {
        let mean = self.mean();
        let beaten = |(direction, pins): (&Option<Direction>, &u32)| {
            let of = pins_in.get(direction).copied().unwrap_or(0);
            (pins * 2 > of).then_some(Beaten { direction: *direction, pins: *pins, of })
        };
        let category = |it: &Place| it.category.as_deref().map(str::to_lowercase);
        let votes = |it: &Place| it.votes.and_then(|it| i64::try_from(it).ok());
        let both =
            |theirs: Option<f64>, ours: Option<f64>| theirs.zip(ours).map(|(a, b)| kit::statistics::round(a - b, 2));
        Competitor {
            name: place.name.clone(),
            domain: place.domain.clone(),
            solv: kit::statistics::round(f64::from(self.top) / f64::from(done.max(1)), 4),
            arp: kit::statistics::round(mean, 2),
            found_pins: self.pins,
            beats_pins: self.beats.values().sum(),
            beats_in: self.beats.iter().filter_map(beaten).collect(),
            same_category: category(place).zip(own.and_then(category)).map(|(theirs, ours)| theirs == ours),
            category: place.category.clone(),
            rating: place.rating,
            rating_difference: both(place.rating, own.and_then(|it| it.rating)),
            votes: place.votes,
            votes_difference: votes(place).zip(own.and_then(votes)).map(|(theirs, ours)| theirs - ours),
        }
    }
}

#[cfg(test)]
mod tests;
