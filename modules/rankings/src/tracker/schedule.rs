//! The schedule of a tracker: one call of `rankings.check.run`, at a time of its own.

use sdk::prelude::*;
use sdk::{Cadence, Every, Planned, Scheduled, json};

use crate::stored::{Often, Tracker};

/// The schedule of a tracker.
pub(crate) fn of(cx: &Cx, tracker: &Id<Tracker>) -> Option<Scheduled> {
    cx.schedules().get(tracker.as_str())
}

/// Puts or removes the schedule of a tracker; when it is checked next.
///
/// # Errors
/// 409 `too_many_trackers` when the host takes no more.
pub(crate) fn put(cx: &Cx, tracker: &Id<Tracker>, every: Often) -> Result<Option<Moment>> {
    let every = match every {
        Often::Off => {
            remove(cx, tracker);
            return Ok(None);
        }
        Often::Daily => Every::Day,
        Often::Weekly => Every::Week,
        Often::Monthly => Every::Month,
    };
    // The same time each time, since results differ by the hour, and another one for each tracker.
    let drawn = kit::chance::Chance::of(tracker.as_str()).draw();
    let part = |of: u64, below: u64| u32::try_from(of % below).unwrap_or(0);
    let cadence = Cadence { every, minute: part(drawn, 1_440), weekday: part(drawn >> 32, 7) };
    let arguments = json!({ "tracker_ref": tracker }).to_string();
    let call = Planned { operation: "rankings.check.run".to_owned(), arguments };
    let set = cx.schedules().put(tracker.as_str(), cadence, &[call], None).map_err(|fault| {
        let message = format!("{}; pause a tracker with `every: off` or delete one", fault.message);
        Fault::conflict("too_many_trackers", message).at("/every")
    })?;
    Ok(set.next.map(Moment::from_millis))
}

/// Ends the schedule of a tracker.
pub(crate) fn remove(cx: &Cx, tracker: &Id<Tracker>) {
    cx.schedules().remove(tracker.as_str());
}
