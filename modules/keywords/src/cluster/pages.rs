//! Result pages of a set's keywords: those of the module `rankings`, and those that clustering asked for.

use std::collections::BTreeMap;

use sdk::prelude::*;
use serps::SnapshotRecord;

use crate::stored::{Serp, Set};

/// The newest result page of each keyword of a set, by normal form. A page without organic results says nothing.
pub(crate) fn newest(cx: &Cx, set: &Stored<Set>) -> BTreeMap<String, SnapshotRecord> {
    let mut found = crate::item::view::snapshots(cx, set);
    for row in cx.records::<Serp>().by("set").equals(&set.id).scan() {
        let it = row.into_inner().it;
        if found.get(&it.keyword).is_none_or(|known| known.date < it.date) {
            found.insert(it.keyword.clone(), it);
        }
    }
    found.retain(|_, it| !it.items.is_empty());
    found
}
