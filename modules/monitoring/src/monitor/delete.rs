//! The operation `monitoring.monitor.delete`.

use sdk::prelude::*;

use super::rounds;
use super::stored::Monitor;
use crate::alert::stored::{Alert, Ending};
use crate::event::stored::Event;
use crate::uptime::days::DayOfChecks;

/// Rows that one call removes; the lock allows as many.
const MOST: usize = 400;

#[args]
pub(crate) struct Delete {
    /// The monitor.
    monitor_ref: Id<Monitor>,
}

/// What went.
#[value]
pub(crate) struct Deleted {
    /// Whether nothing of it is left.
    deleted: bool,
    /// Events that went with this call.
    events: u64,
    /// Rows that are left, when there were too many for one call: call again, with another idempotency key.
    remaining: Option<u64>,
}

/// Deletes a monitor with its checks, events and diffs and ends its charge.
///
/// It checks no more after the first call. Open alerts on it are resolved. One call removes up to 400 rows.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes the monitor and everything that it recorded for good"],
    needs = ["store", "jobs"],
    phrasings = ["delete a monitor", "stop watching a page", "remove an uptime check"],
    examples = [{ "monitor_ref": "monitor_01" }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let mut it = cx.records::<Monitor>().get(&args.monitor_ref).map_err(|fault| fault.at("/monitor_ref"))?;
    let every = it.every;
    if !it.deleting {
        it.deleting = true;
        it.paused = true;
        it = cx.records::<Monitor>().save(it)?;
        rounds::settle(cx, every)?;
        Alert::end_all(cx, &it.site_id, it.id.as_str(), Ending::MonitorDeleted)?;
    }
    let (events, days) = (cx.records::<Event>(), cx.records::<DayOfChecks>());
    let of_events = || events.by("monitor_at_ms").equals(&it.id);
    let of_days = || days.by("monitor_date").equals(&it.id);
    let all = of_events().count() + of_days().count();
    let mut removed = 0;
    for event in of_events().scan().take(MOST) {
        for snapshot in event.snapshots() {
            cx.blobs().write(snapshot, &[])?;
        }
        events.remove(&event)?;
        removed += 1;
    }
    let gone = removed;
    for day in of_days().scan().take(MOST.saturating_sub(removed)) {
        days.remove(&day)?;
        removed += 1;
    }
    let left = all.saturating_sub(removed as u64);
    if left == 0 {
        if let Some(snapshot) = it.seen.as_ref().and_then(|it| it.snapshot.as_deref()) {
            cx.blobs().write(snapshot, &[])?;
        }
        cx.records::<Monitor>().remove(&it)?;
    }
    Ok(Deleted { deleted: left == 0, events: gone as u64, remaining: (left > 0).then_some(left) })
}
