//! The schedules of checks: one for each interval, over all websites of the customer.

use sdk::prelude::*;
use sdk::{ScheduledWork, Work};

use super::stored::{Every, Monitor};
use crate::check::Payload;

/// The operation whose price a check has.
const OPERATION: &str = "monitoring.monitor.create";

/// The name of an interval's schedule.
pub(crate) fn name(every: Every) -> String {
    format!("every_{}", every.name())
}

/// The schedules of all intervals, as they stand.
pub(crate) struct Rounds(Vec<(Every, ScheduledWork)>);

impl Rounds {
    /// Reads them.
    pub(crate) fn of(cx: &Cx) -> Self {
        let of = |every: Every| cx.schedules().work(&name(every)).map(|it| (every, it));
        Self(Every::ALL.into_iter().filter_map(of).collect())
    }

    /// That of an interval; none where nothing is checked so often.
    pub(crate) fn get(&self, every: Every) -> Option<&ScheduledWork> {
        self.0.iter().find(|it| it.0 == every).map(|it| &it.1)
    }
}

/// Writes the schedule of an interval anew, after its monitors have changed. When it comes next.
///
/// # Errors
/// The host's refusal of a schedule.
pub(crate) fn settle(cx: &Cx, every: Every) -> Result<Option<Moment>> {
    let name = name(every);
    let units = cx.records::<Monitor>().by("every_paused_created_ms").equals(every).equals(false).count();
    if units == 0 {
        cx.schedules().remove(&name);
        return Ok(None);
    }
    let payload = Payload::of_round(every);
    let minutes = every.minutes();
    let work = Work { name: &name, minutes, operation: OPERATION, step: "check", payload, units };
    Ok(cx.schedules().put_work(&work)?.next.map(Moment::from_millis))
}
