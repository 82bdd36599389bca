//! Checks: `rankings.check.*`, and how a day's check is opened.

pub(crate) mod import;
mod measured;
pub(crate) use measured::PERSISTENCE;
pub(crate) mod run;
mod table;
pub(crate) mod work;

use sdk::prelude::*;

use crate::stored::{Check, Tracker, check_id};

/// The check of a day, as it is stored or new.
pub(crate) fn of_day(cx: &Cx, tracker: &Id<Tracker>, date: Day) -> (Id<Check>, Check) {
    let id: Id<Check> = check_id(tracker, date);
    let check = cx.records::<Check>().find(&id).map(Stored::into_inner).unwrap_or_else(|| Check {
        tracker: tracker.to_string(),
        date: date.to_string(),
        ..Check::default()
    });
    (id, check)
}
