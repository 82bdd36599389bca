//! The operation `rankings.tracker.delete`.

use sdk::prelude::*;
use sdk::{Next, json};

use super::schedule;
use crate::stored::{Check, Serp, Tracker};
use crate::{best, board, pages, rows};

/// Blobs that one call empties.
const MAX_BLOBS: u32 = 600;

#[args]
pub(crate) struct Delete {
    /// The tracker.
    tracker_ref: Id<Tracker>,
}

/// What was deleted.
#[value]
pub(crate) struct Deleted {
    /// Whether the tracker is gone whole.
    deleted: bool,
    /// Result pages that this call removed.
    snapshots: u64,
    /// Days that are left; call again until there are none.
    remaining: u64,
    next: Vec<Next>,
}

/// Deletes a tracker with its positions and result-page snapshots and ends its schedule.
///
/// A long history is deleted in parts: from the first call on the tracker checks nothing, and each call removes some of its
/// days.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["deletes the tracker, its positions and result pages", "ends its schedule"],
    needs = ["store"],
    phrasings = ["delete a rank tracker", "stop tracking and remove the history", "throw away these rankings"],
    examples = [{ "tracker_ref": "tracker_01" }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let trackers = cx.records::<Tracker>();
    let mut tracker = trackers.get(&args.tracker_ref).map_err(|fault| fault.at("/tracker_ref"))?;
    board::is_idle(cx, &tracker)?;
    if !tracker.deleting {
        schedule::remove(cx, &tracker.id);
        tracker.deleting = true;
        tracker = trackers.save(tracker)?;
    }
    let checks = cx.records::<Check>();
    let (mut emptied, mut snapshots) = (0, 0);
    for check in checks.by("tracker_date").equals(&tracker.id).scan() {
        if emptied >= MAX_BLOBS {
            let remaining = checks.by("tracker_date").equals(&tracker.id).count();
            let again = json!({ "tracker_ref": tracker.id });
            let next = vec![Next::new("rankings.tracker.delete", again, "removes the next part")];
            return Ok(Deleted { deleted: false, snapshots, remaining, next });
        }
        rows::empty(cx, &check)?;
        pages::empty(cx, &check)?;
        checks.remove(&check)?;
        emptied += check.packs + check.parts - check.merged + 1;
        snapshots += if check.packs > 0 { check.rows } else { 0 };
    }
    cx.records::<Serp>().by("tracker_ref").equals(&tracker.id).remove();
    best::empty(cx, &tracker.id)?;
    trackers.remove(&tracker)?;
    Ok(Deleted { deleted: true, snapshots, remaining: 0, next: Vec::new() })
}
