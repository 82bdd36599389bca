//! An edit of an item's content that never writes over what somebody else wrote.

use sdk::prelude::*;
use sdk::{Send, SendFailure};
use serde_json::json;

use crate::{Item, read, revision};

/// What an edit led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// The item as WordPress stores it now.
    pub item: Item,
    /// The newest revision before the edit; none where WordPress keeps none.
    pub revision: Option<u64>,
    /// Whether it is stored byte for byte as it was written; filters of the site may have changed it.
    pub exact: bool,
}

/// Writes a content in place of the one that was read.
///
/// # Errors
/// 409 `edit_conflict` when the content is no longer what was read, 409 `item_gone` without the item, 503
/// `unknown_outcome` when nobody knows what was stored; else what the provider refused. Then nothing was written.
pub fn write(cx: &Cx, before: &Item, raw: &str) -> Result<Edited> {
    let now = again(cx, before)?;
    if now.raw != before.raw {
        let message = "the content was changed by somebody else meanwhile; nothing was written";
        return Err(Fault::conflict("edit_conflict", message).detail(json!({ "modified_gmt": now.modified_gmt })));
    }
    let revision = revision(cx, before)?;
    let path = format!("{}/{}", before.kind.path(), before.id);
    let change = Send::post(&before.connection, path).json(&json!({ "content": raw })).timeout(20_000);
    match cx.connections().send(&change) {
        Ok(answer) => {
            answer.accepted()?;
        }
        // What is stored says what happened.
        Err(SendFailure::UnknownOutcome) => {
            if again(cx, before)?.raw != raw {
                let message = "nobody knows whether the content was written; read the item before another attempt";
                return Err(Fault::unavailable("unknown_outcome", message));
            }
        }
        Err(failure) => return Err(failure.into()),
    }
    let item = again(cx, before)?;
    Ok(Edited { exact: item.raw == raw, revision, item })
}

/// Writes the content back that was there before an edit, unless somebody else has changed it since.
///
/// # Errors
/// As [`write`].
pub fn put_back(cx: &Cx, edited: &Edited, before: &Item) -> Result<Edited> {
    write(cx, &edited.item, &before.raw)
}

fn again(cx: &Cx, item: &Item) -> Result<Item> {
    let found = read(cx, &item.connection, item.kind, item.id)?;
    found.ok_or_else(|| Fault::conflict("item_gone", "the item is no longer there, or is in the trash"))
}
