//! The operation `local_grid.schedule.set`.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use sdk::{Cadence, Every, Planned, Scheduled};

use crate::given::{self, Corners};
use crate::layout::Shape;
use crate::run::start::keywords;
use crate::stored::Business;

/// When scans begin, in minutes after midnight UTC: the same hour each time, since results differ by the time of day.
const MINUTE: u32 = 4 * 60;
/// Days within which a scan every two weeks is not repeated: the host knows weeks and months.
const FORTNIGHT: u64 = 13;

/// How often a business is scanned.
#[value]
pub(crate) enum Often {
    /// Not any more.
    Off,
    /// On Mondays.
    Weekly,
    /// On every second Monday.
    Biweekly,
    /// On the first of the month.
    Monthly,
}

/// The grid of recurring scans; the bounds are those of `local_grid.run.start`.
#[args]
pub(crate) struct Fixed {
    /// The language of the search.
    language: Language,
    /// The figure that pins form.
    #[default("square")]
    shape: Shape,
    /// Pins along its side, or its diameter.
    #[default(7)]
    size: Count<3, 15>,
    /// Metres between neighbours.
    #[default(1000)]
    spacing_m: Count<100, 10_000>,
    /// How many results are looked through for the business.
    #[default(20)]
    depth: Count<20, 100>,
    /// The corners of an area without pins.
    #[serde(skip_serializing_if = "Option::is_none")]
    exclude_polygon: Option<Corners>,
}

#[args]
pub(crate) struct Set {
    /// The business, as listed.
    business_ref: Id<Business>,
    /// What is searched for, each once.
    keywords: List<Text<1, 200>, 1, 20>,
    /// How often; `off` ends the schedule.
    every: Often,
    /// Where pins are: the same each time, so that results stay comparable.
    grid: Fixed,
}

/// A recurring scan.
#[value]
pub(crate) struct Recurring {
    /// How often.
    every: Often,
    /// What is searched for.
    keywords: Vec<String>,
    /// The arguments of `local_grid.run.start` that say where pins are.
    grid: Value,
    /// When the last round began.
    last_run: Option<Moment>,
    /// How it ended: `ok`, or the operation and the code of what ended it; none while it goes on. `scanned_recently` is the
    /// week between two scans.
    last_outcome: Option<String>,
    /// Why there is no next round: `grant_ended` when the client that set it was disconnected. Set it again to go on.
    stopped: Option<String>,
}

/// What is set.
#[value]
pub(crate) struct Answer {
    /// The schedule; none when it is off.
    schedule: Option<Recurring>,
    /// When the next scan may begin; none when there is none. Every two weeks it begins in one of two weeks.
    next_run: Option<Moment>,
    /// Credits that each scan sets aside when it starts.
    price_per_run: f64,
}

/// Sets weekly or monthly scans with a fixed grid so that results stay comparable; each scan is priced when it starts.
///
/// Scans begin at 04:00 UTC through the client that sets the schedule, with its scopes, limits and budgets: disconnecting
/// it ends the schedule. A scan that was missed is not made up for. `local_grid.business.list` shows the schedule.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["scans begin by themselves and are charged like any other"],
    needs = ["store", "jobs"],
    phrasings = [
        "scan my map rankings every week",
        "repeat the local grid scan monthly",
        "stop the recurring geo grid scan",
        "keep measuring local visibility with the same grid",
    ],
    examples = [
        { "business_ref": "bus_01", "keywords": ["lamp shop"], "every": "weekly", "grid": { "language": "en", "size": 9 } },
        { "business_ref": "bus_01", "keywords": ["lamp shop"], "every": "off", "grid": { "language": "en" } },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Answer> {
    let (business, centre) = given::business(cx, &args.business_ref)?;
    let keywords = keywords(&args.keywords)?;
    let start = serde_json::to_value(&args.grid).unwrap_or_default();
    let Fixed { shape, size, spacing_m, exclude_polygon, .. } = args.grid;
    let (_, spots) = given::grid(centre, shape, size, spacing_m, exclude_polygon)
        .map_err(|fault| fault.at("/grid/exclude_polygon"))?;
    let pins = u32::try_from(spots.len() * keywords.len()).unwrap_or(u32::MAX);
    let every = match args.every {
        Often::Off => {
            cx.schedules().remove(business.id.as_str());
            return Ok(Answer { schedule: None, next_run: None, price_per_run: 0.0 });
        }
        Often::Weekly | Often::Biweekly => Every::Week,
        Often::Monthly => Every::Month,
    };
    let mut start = start;
    start["business_ref"] = json!(business.id);
    start["keywords"] = json!(keywords);
    if args.every == Often::Biweekly {
        start["unless_within_days"] = json!(FORTNIGHT);
    }
    let call = Planned { operation: "local_grid.run.start".to_owned(), arguments: start.to_string() };
    let cadence = Cadence { every, minute: MINUTE, weekday: 0 };
    let set = cx.schedules().put(business.id.as_str(), cadence, &[call], None)?;
    let next_run = set.next.map(Moment::from_millis);
    Ok(Answer { schedule: Some(shown(set)), next_run, price_per_run: given::credits(pins) })
}

/// The schedule of a business, as lists show it.
pub(crate) fn of(cx: &Cx, business: &str) -> Option<Recurring> {
    cx.schedules().get(business).map(shown)
}

fn shown(scheduled: Scheduled) -> Recurring {
    let Scheduled { cadence, calls, last, outcome, stopped, .. } = scheduled;
    let start = calls.first().map_or("{}", |call| call.arguments.as_str());
    let mut grid: Value = serde_json::from_str(start).unwrap_or_default();
    let mut taken = |name: &str| grid.as_object_mut().and_then(|it| it.remove(name));
    let (keywords, fortnight) = (taken("keywords"), taken("unless_within_days"));
    taken("business_ref");
    Recurring {
        every: match cadence.every {
            Every::Month => Often::Monthly,
            _ if fortnight.is_some() => Often::Biweekly,
            _ => Often::Weekly,
        },
        keywords: keywords.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default(),
        grid,
        last_run: last.map(Moment::from_millis),
        last_outcome: outcome,
        stopped,
    }
}

#[cfg(test)]
mod tests;
