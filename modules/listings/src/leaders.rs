//! The businesses that lead around a location, by the scans of `local_grid`.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::stored::Location;

/// The share of pins with a business among the first three that makes it a leader.
const LEADS: f64 = 0.1;
/// Pins that are read.
const MOST_PINS: usize = 20_000;

/// A business whose places are scanned.
#[foreign(collection = "local_grid.businesses", may_be_missing, index(site_id))]
pub(crate) struct Scanned {
    /// Its website.
    pub(crate) site_id: String,
    /// How it is called.
    pub(crate) name: String,
    /// How it is recognised.
    pub(crate) rules: Rules,
}

/// How a business is recognised.
#[value]
pub(crate) struct Rules {
    /// Google's name of the place.
    pub(crate) place_id: Option<String>,
}

/// A scan.
#[foreign(collection = "local_grid.runs", may_be_missing, index(business, created_ms))]
pub(crate) struct Scan {
    /// The business.
    pub(crate) business: String,
    /// When it was asked for.
    pub(crate) created_ms: u64,
    /// When it ended.
    pub(crate) finished_ms: Option<u64>,
}

/// One pin of a scan.
#[foreign(collection = "local_grid.pins", may_be_missing, index(run, keyword, number))]
pub(crate) struct Pin {
    /// The scan.
    pub(crate) run: String,
    /// The keyword's number.
    pub(crate) keyword: u32,
    /// The pin's place in the layout.
    pub(crate) number: u32,
    /// Numbers of the first places, the best first.
    #[serde(default)]
    pub(crate) order: Vec<u32>,
    /// The number of the business itself.
    pub(crate) own: Option<u32>,
}

/// A business that a scan has seen.
#[foreign(collection = "local_grid.places", may_be_missing, index(run, number))]
pub(crate) struct SeenPlace {
    /// The scan.
    pub(crate) run: String,
    /// Its number there.
    pub(crate) number: u32,
    /// Its name.
    pub(crate) name: String,
    /// The category that is shown first.
    pub(crate) category: Option<String>,
    /// Stars, from 1 to 5.
    pub(crate) rating: Option<f64>,
    /// Ratings given.
    pub(crate) votes: Option<u64>,
}

/// A business that is among the first three on many pins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leader {
    /// The category that is shown first.
    pub(crate) category: Option<String>,
    /// Ratings given.
    pub(crate) votes: Option<u64>,
    /// The share of pins with it among the first three.
    pub(crate) share: f64,
}

/// The leaders of the newest scan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaders {
    pub(crate) all: Vec<Leader>,
    /// When the scan ended.
    pub(crate) scanned_ms: u64,
}

/// The leaders around a location, without itself; none without a scan of it.
pub(crate) fn around(cx: &Cx, location: &Location) -> Option<Leaders> {
    let is_it = |it: &Scanned| match (&it.rules.place_id, &location.place_id) {
        (Some(theirs), Some(ours)) => theirs == ours,
        _ => it.name.eq_ignore_ascii_case(&location.name),
    };
    let businesses = cx.records::<Scanned>().all().scan().take(500).filter(|it| is_it(it));
    let newest = businesses.filter_map(|it| {
        let scans = cx.records::<Scan>().by("business_created_ms").equals(&it.id).descending().scan();
        scans.take(20).find_map(|scan| Some((scan.finished_ms?, scan.id)))
    });
    let (scanned_ms, run) = newest.max_by_key(|it| it.0)?;
    let (mut counts, mut pins, mut own) = (BTreeMap::<u32, u32>::new(), 0_u32, Vec::new());
    for pin in cx.records::<Pin>().by("run_keyword_number").equals(&run).scan().take(MOST_PINS) {
        pins += 1;
        own.extend(pin.own);
        for number in pin.order.iter().take(3) {
            *counts.entry(*number).or_default() += 1;
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(pins.max(1));
    counts.retain(|number, count| share(*count) >= LEADS && !own.contains(number));
    let places = cx.records::<SeenPlace>();
    let all = counts.into_iter().filter_map(|(number, count)| {
        let place = places.find(&Id::new(format!("{run}-{number}")))?.into_inner();
        Some(Leader { category: place.category, votes: place.votes, share: share(count) })
    });
    Some(Leaders { all: all.collect(), scanned_ms })
}
