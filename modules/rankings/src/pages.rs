//! Whole result pages: packs of those that one step brought, `pages/{check}/{pack}`.

use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serps::Page;

use crate::rows::{At, packed, unpacked};
use crate::stored::Check;

/// Bytes of a blob.
const MAX_BLOB: u32 = 8 << 20;

/// Result pages of checks that are old: positions and domains stay.
pub(crate) const RESULT_PAGES: sdk::Raw = sdk::Raw {
    name: "result_pages",
    words: "whole result pages of rank checks; positions and the domains of all places stay",
    collection: "checks",
    dated: "at_ms",
    rows: false,
    blobs: &["pages/{id}/"],
};

/// A page as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Kept {
    /// The normal form.
    pub(crate) keyword: String,
    /// The provider's id of the task; empty for an imported page.
    pub(crate) task: String,
    pub(crate) at_ms: u64,
    pub(crate) page: Page,
}

fn key(check: &Check, pack: u32) -> String {
    // The id of the check, so that its pages can be purged by its age.
    format!("pages/{}:{}/{pack}", check.tracker, check.date)
}

/// Adds a pack; where its first page is.
///
/// # Errors
/// The host's refusal of the blob.
pub(crate) fn add(cx: &Cx, check: &mut Check, pages: &[Kept]) -> Result<u32> {
    let pack = check.packs;
    cx.blobs().write(&key(check, pack), &packed(&pages))?;
    check.packs += 1;
    Ok(pack)
}

/// The pages at these places, in their order; a place whose pack cannot be read is `None`.
pub(crate) fn read(cx: &Cx, check: &Check, places: &[At]) -> Vec<Option<Kept>> {
    let mut packs: std::collections::BTreeMap<u32, Vec<Option<Kept>>> = std::collections::BTreeMap::new();
    for place in places {
        packs.entry(place.pack).or_insert_with(|| {
            let bytes = cx.blobs().read(&key(check, place.pack), 0, MAX_BLOB).unwrap_or_default();
            unpacked::<Vec<Kept>>(&bytes).unwrap_or_default().into_iter().map(Some).collect()
        });
    }
    let page = |it: &At| packs.get(&it.pack)?.get(it.index as usize)?.clone();
    places.iter().map(page).collect()
}

/// Empties the packs of a check.
///
/// # Errors
/// The host's refusal of a blob.
pub(crate) fn empty(cx: &Cx, check: &Check) -> Result<()> {
    (0..check.packs).try_for_each(|pack| cx.blobs().remove(&key(check, pack)))
}
