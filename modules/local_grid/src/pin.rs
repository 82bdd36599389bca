//! The operation `local_grid.pin.list`.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::geodesy::{Direction, Point};
use crate::given::Scan;
use crate::metrics::FAILED;
use crate::recognise::Evidence;
use crate::stored::{Pin, Place, Run, Stage, place_id};

#[args(paged)]
pub(crate) struct ListArgs {
    /// The scan.
    run_ref: Id<Run>,
    /// Only pins of this keyword; of all keywords when left out.
    keyword: Option<Text<1, 200>>,
    /// Only finished pins with this place or a worse one; 21 is not among the first 20.
    min_rank: Option<Count<1, 21>>,
}

/// One of the first three.
#[value]
pub(crate) struct Top {
    /// Its place.
    rank: u32,
    /// Its name.
    name: String,
    /// Its category.
    category: Option<String>,
    /// Stars, from 1 to 5.
    rating: Option<f64>,
    /// Ratings given.
    votes: Option<u64>,
    /// Whether it is the business itself.
    own: bool,
}

/// A pin.
#[value]
pub(crate) struct Line {
    /// The keyword.
    keyword: String,
    /// From 0 in the north.
    row: u32,
    /// From 0 in the west.
    column: u32,
    /// Where it is.
    point: Point,
    /// Kilometres from the business.
    distance_km: f64,
    /// Degrees clockwise from north, as seen from the business.
    bearing: f64,
    /// The same as a direction; none at the business itself.
    direction: Option<Direction>,
    /// Where it stands.
    state: Stage,
    /// The place of the business, as deep as was looked; none when it was not found.
    rank: Option<u32>,
    /// By what it was recognised.
    matched_by: Option<Evidence>,
    /// The first three.
    top: Vec<Top>,
    /// Why it has no result.
    error: Option<String>,
}

/// Pins of a scan.
#[page]
pub(crate) struct Pins {
    /// The best places first; those without a result are before and after them.
    pins: Vec<Line>,
}

/// Lists pins of a scan with rank, top three businesses and distance and bearing from the business.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "at which points of the map do I rank badly",
        "list grid pins where I am not in the top ten",
        "who is in the top three at each scan point",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "keyword": "lamp shop", "min_rank": 11, "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Pins> {
    let run = cx.records::<Run>().get(&args.run_ref).map_err(|fault| fault.at("/run_ref"))?;
    let scan = Scan::read(cx, run);
    let records = cx.records::<Pin>();
    let mut query = match &args.keyword {
        Some(keyword) => {
            let number = scan.of_keyword(Some(keyword.as_str()))?.number;
            records.by("run_keyword_placed").equals(&args.run_ref).equals(number)
        }
        None => records.by("run_placed").equals(&args.run_ref),
    };
    if let Some(rank) = args.min_rank {
        query = query.at_least(rank.get()).below(FAILED);
    }
    let page = query.page(args.limit, args.cursor)?;
    let mut names = Names { cx, run: args.run_ref.as_str(), known: BTreeMap::new() };
    Ok(page.map(|pin| line(&scan, &mut names, pin.into_inner())).into())
}

/// Businesses of a scan, each read once.
struct Names<'a> {
    cx: &'a Cx,
    run: &'a str,
    known: BTreeMap<u32, Option<Place>>,
}

impl Names<'_> {
    fn get(&mut self, number: u32) -> Option<&Place> {
        let read = || self.cx.records::<Place>().find(&place_id(self.run, number)).map(Stored::into_inner);
        self.known.entry(number).or_insert_with(read).as_ref()
    }
}

fn line(scan: &Scan, names: &mut Names<'_>, pin: Pin) -> Line {
    let spot = usize::try_from(pin.number).ok().and_then(|it| scan.spots.get(it));
    let keyword = usize::try_from(pin.keyword).ok().and_then(|it| scan.run.keywords.get(it));
    let first = (1_u32..).zip(pin.order.iter().take(3));
    let top = first.filter_map(|(rank, number)| {
        let own = pin.own == Some(*number);
        let place = names.get(*number)?;
        let (name, category) = (place.name.clone(), place.category.clone());
        Some(Top { rank, name, category, rating: place.rating, votes: place.votes, own })
    });
    let distance = spot.map_or(0.0, |it| it.distance());
    let bearing = spot.map_or(0.0, |it| it.bearing());
    Line {
        top: top.collect(),
        keyword: keyword.cloned().unwrap_or_default(),
        row: spot.map_or(0, |it| it.row),
        column: spot.map_or(0, |it| it.column),
        point: spot.map_or(scan.run.centre, |it| it.point),
        distance_km: kit::statistics::round(distance / 1_000.0, 3),
        bearing: kit::statistics::round(bearing, 1),
        direction: (distance > 1.0).then(|| Direction::of(bearing)),
        state: pin.stage,
        rank: pin.rank,
        matched_by: pin.evidence,
        error: pin.error,
    }
}
