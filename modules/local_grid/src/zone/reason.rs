//! Why a business is weak in a zone: distance, relevance or prominence.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::geodesy::Point;
use crate::layout::Spot;
use crate::metrics::MISSING;
use crate::stored::{Pin, Place};

/// A leader whose way to the pins of a zone is at most this share of the business's own wins by distance.
const MUCH_NEARER: f64 = 0.6;

/// What Google ranks local results by.
#[value]
pub(crate) enum Reason {
    /// The leader is much nearer.
    Distance,
    /// The business does not seem to be what is searched for.
    Relevance,
    /// The leader is better known.
    Prominence,
    /// Nothing that was measured tells the two apart.
    Unknown,
}

/// The business that is first most often.
#[value]
pub(crate) struct Leader {
    /// Its name.
    name: String,
    /// Pins in which it is first.
    first_in: u32,
    /// Its category.
    category: Option<String>,
    /// Stars, from 1 to 5.
    rating: Option<f64>,
    /// Ratings given.
    votes: Option<u64>,
}

/// The place that is first in most of these pins, and in how many.
pub(super) fn first<'a>(pins: &[&Pin], places: &'a BTreeMap<u32, Place>) -> Option<(&'a Place, u32)> {
    let mut firsts: BTreeMap<u32, u32> = BTreeMap::new();
    for pin in pins {
        if let Some(number) = pin.order.first().filter(|it| pin.own != Some(**it)) {
            *firsts.entry(*number).or_default() += 1;
        }
    }
    // Of several the one that was seen first.
    let (number, pins) = firsts.into_iter().max_by_key(|(number, pins)| (*pins, std::cmp::Reverse(*number)))?;
    Some((places.get(&number)?, pins))
}

/// A place as a leader.
pub(super) fn leader((place, first_in): (&Place, u32)) -> Leader {
    Leader {
        name: place.name.clone(),
        first_in,
        category: place.category.clone(),
        rating: place.rating,
        votes: place.votes,
    }
}

/// The most likely reason, and what speaks for it.
pub(super) fn find(
    centre: Point,
    spots: &[&Spot],
    pins: &[&Pin],
    leader: Option<&Place>,
    own: Option<&Place>,
) -> (Reason, String) {
    if let Some(point) = leader.and_then(|it| it.point) {
        let mean = |from: Point| {
            let sum: f64 = spots.iter().map(|spot| from.to(spot.point).0).sum();
            sum / f64::from(u32::try_from(spots.len().max(1)).unwrap_or(1))
        };
        let (theirs, ours) = (mean(point) / 1_000.0, mean(centre) / 1_000.0);
        if theirs <= ours * MUCH_NEARER {
            let words = format!("the leader is {theirs:.1} km from these pins on average, the business {ours:.1} km");
            return (Reason::Distance, words);
        }
    }
    let category = |it: &Place| it.category.as_deref().map(str::to_lowercase);
    if let Some((theirs, ours)) = leader.and_then(category).zip(own.and_then(category))
        && theirs != ours
    {
        return (Reason::Relevance, format!("the leader is listed as {theirs}, the business as {ours}"));
    }
    let missing = pins.iter().filter(|pin| pin.rank.is_none() && pin.placed == MISSING).count();
    if missing * 2 > pins.len() {
        let words = format!("the business is not among the results of {missing} of {} pins at all", pins.len());
        return (Reason::Relevance, words);
    }
    let votes = |it: Option<&Place>| it.and_then(|it| it.votes);
    match (votes(leader), votes(own)) {
        (Some(theirs), Some(ours)) if theirs > ours => {
            (Reason::Prominence, format!("the leader has {theirs} ratings, the business {ours}"))
        }
        (Some(theirs), Some(ours)) => {
            let words = format!(
                "neither distance nor category tells them apart, and the business has {ours} ratings, the leader {theirs}"
            );
            (Reason::Unknown, words)
        }
        _ => (Reason::Unknown, "neither distance nor category tells them apart, and ratings are not known".to_owned()),
    }
}
