//! The operation `rankings.tracker.update`.

use sdk::json;
use sdk::prelude::*;

use super::{Shown, registrable, schedule, shown_with};
use crate::board;
use crate::stored::{Often, Set, Tracker};

#[args]
pub(crate) struct Update {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// How often it checks by itself; `off` pauses it.
    every: Option<Often>,
    /// Organic results that are looked through; the provider bills each page of ten.
    depth: Option<Count<10, 100>>,
    /// Domains to compare with.
    competitors: Option<List<Domain, 0, 20>>,
    /// Another set of the same website; positions of keywords that are in both go on.
    set_ref: Option<Id<Set>>,
}

/// A tracker as it is now.
#[value]
pub(crate) struct Updated {
    tracker: Shown,
    /// Keywords that each check looks at.
    checks_per_run: u64,
}

/// Changes schedule, depth, competitors or keyword set of a tracker, or pauses and resumes it.
///
/// Engine, place, language and device stay: positions of two markets are no history of one. For another market create another
/// tracker.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["changes when checks begin by themselves, and how much each of them costs"],
    needs = ["store", "jobs", "credits"],
    phrasings = ["pause my rank tracker", "check rankings daily instead", "change the depth of a tracker", "resume tracking"],
    examples = [{ "tracker_ref": "tracker_01", "every": "off" }, { "tracker_ref": "tracker_01", "every": "daily", "depth": 20 }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let mut tracker = board::tracker(cx, &args.tracker_ref)?;
    if let Some(reference) = &args.set_ref {
        let set = cx.records::<Set>().get(reference).map_err(|fault| fault.at("/set_ref"))?;
        if set.site_id != tracker.site_id || set.deleting {
            return Err(Fault::not_found("set_not_found", "this website has no such set").at("/set_ref"));
        }
        let mut of_set = cx.records::<Tracker>().by("set_ref").equals(&set.id).scan();
        let market = tracker.market();
        if let Some(other) = of_set.find(|it| it.id != tracker.id && it.market() == market && !it.deleting) {
            let message = "that set has a tracker for this engine, place, language and device";
            return Err(Fault::conflict("tracker_exists", message)
                .at("/set_ref")
                .detail(json!({ "tracker_ref": other.id })));
        }
        tracker.set_ref = set.id.to_string();
    }
    if let Some(depth) = args.depth {
        tracker.depth = u32::try_from(depth.get()).unwrap_or(50);
    }
    if let Some(domains) = &args.competitors {
        tracker.competitors = registrable(domains);
    }
    let next_run = match args.every {
        Some(every) => {
            tracker.every = every;
            schedule::put(cx, &tracker.id, every)?
        }
        None => schedule::of(cx, &tracker.id).and_then(|it| it.next).map(Moment::from_millis),
    };
    let tracker = cx.records::<Tracker>().save(tracker)?;
    let checks_per_run = board::set(cx, &tracker).map_or(0, |it| it.checked());
    Ok(Updated { tracker: shown_with(cx, tracker, next_run), checks_per_run })
}
