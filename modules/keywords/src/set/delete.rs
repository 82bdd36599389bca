//! The operation `keywords.set.delete`.

use sdk::prelude::*;
use sdk::{Next, json};

use crate::stored::{Cluster, Keyword, Months, Serp, Set, Tracker};

/// Rows that one call removes.
const MAX_ROWS: usize = 9_000;

#[args]
pub(crate) struct Delete {
    /// The set.
    set_ref: Id<Set>,
    /// Delete it although a rank tracker uses it; the tracker goes on with the keywords that it knows.
    #[default(false)]
    force: bool,
}

/// What was deleted.
#[value]
pub(crate) struct Deleted {
    /// Whether the set is gone whole.
    deleted: bool,
    /// Keywords that this call removed.
    keywords: u64,
    /// Keywords that are left; call again until there are none.
    remaining: u64,
    /// The call that goes on.
    next: Vec<Next>,
}

/// Deletes a keyword set with its metrics and clusters; refused while a tracker uses it unless forced.
///
/// A large set is deleted in parts: from the first call on it is no longer listed for use, and each call removes up to 9,000
/// keywords.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["deletes the set, its keywords, metrics, clusters and mapping"],
    needs = ["store"],
    phrasings = ["delete a keyword set", "remove a keyword list with everything in it", "throw away this keyword research"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "force": true }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let sets = cx.records::<Set>();
    let mut set = sets.get(&args.set_ref).map_err(|fault| fault.at("/set_ref"))?;
    let trackers: Vec<Id<Tracker>> =
        cx.records::<Tracker>().by("set_ref").equals(&set.id).scan().take(20).map(|it| it.id).collect();
    if !args.force && !set.deleting && !trackers.is_empty() {
        let message = "a rank tracker uses this set; delete it with `force`, or the tracker first";
        return Err(Fault::conflict("set_in_use", message).at("/set_ref").detail(json!({ "tracker_refs": trackers })));
    }
    if !set.deleting {
        crate::set::is_free(cx, &set)?;
        crate::metric::refresh::end(cx, &set.id);
        set.deleting = true;
        set = sets.save(set)?;
    }
    let keywords = cx.records::<Keyword>();
    let rows: Vec<Stored<Keyword>> = keywords.by("set_normal").equals(&set.id).scan().take(MAX_ROWS + 1).collect();
    let whole = rows.len() <= MAX_ROWS;
    let removed = rows.len().min(MAX_ROWS) as u64;
    if whole {
        keywords.by("set_normal").equals(&set.id).remove();
        cx.records::<Months>().by("set").equals(&set.id).remove();
        cx.records::<Cluster>().by("set_generation_order").equals(&set.id).remove();
        cx.records::<Serp>().by("set").equals(&set.id).remove();
        sets.remove(&set)?;
        return Ok(Deleted { deleted: true, keywords: removed, remaining: 0, next: Vec::new() });
    }
    let months = cx.records::<Months>();
    for row in rows.iter().take(MAX_ROWS) {
        keywords.remove(row)?;
        if let Some(kept) = months.find(&row.id.cast()) {
            months.remove(&kept)?;
        }
    }
    let remaining = set.counts.keywords.saturating_sub(removed);
    sets.update(&set.id, |set| set.counts.keywords = remaining)?;
    let again =
        Next::new("keywords.set.delete", json!({ "set_ref": set.id, "force": args.force }), "removes the next part");
    Ok(Deleted { deleted: false, keywords: removed, remaining, next: vec![again] })
}
