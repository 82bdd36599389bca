//! The best position of each keyword that was ever seen: one blob of a tracker, `best/{tracker}`.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::rows::{packed, unpacked};
use crate::stored::Tracker;

/// Bytes of a blob.
const MAX_BLOB: u32 = 8 << 20;

/// Positions with their first day, by keyword.
pub(crate) type Best = BTreeMap<String, (u32, Day)>;

fn key(tracker: &Id<Tracker>) -> String {
    format!("best/{tracker}")
}

/// The best positions of a tracker.
pub(crate) fn read(cx: &Cx, tracker: &Id<Tracker>) -> Best {
    unpacked(&cx.blobs().read(&key(tracker), 0, MAX_BLOB).unwrap_or_default()).unwrap_or_default()
}

/// Takes up positions: the day, the keyword and the place.
///
/// # Errors
/// The host's refusal of the blob.
pub(crate) fn keep(cx: &Cx, tracker: &Id<Tracker>, found: impl Iterator<Item = (Day, String, u32)>) -> Result<()> {
    let mut best = read(cx, tracker);
    let mut changed = false;
    for (date, keyword, position) in found {
        let is_better = |(known, day): &(u32, Day)| position < *known || (position == *known && date < *day);
        if best.get(&keyword).is_none_or(is_better) {
            best.insert(keyword, (position, date));
            changed = true;
        }
    }
    if changed { cx.blobs().write(&key(tracker), &packed(&best)) } else { Ok(()) }
}

/// Empties the blob.
///
/// # Errors
/// The host's refusal of the blob.
pub(crate) fn empty(cx: &Cx, tracker: &Id<Tracker>) -> Result<()> {
    cx.blobs().remove(&key(tracker))
}
