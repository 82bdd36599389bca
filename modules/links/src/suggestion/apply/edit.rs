//! One link on its way into a content, or out of it again: found, written, kept, looked at.

use kit::insertion::{self, Inserted};
use sdk::prelude::*;
use site::live::{self, Reach};
use wordpress::{Edited, Item};

use super::Diff;
use crate::stored::{Applied, Stand, Suggestion};

/// Characters that are shown before and after a link.
const AROUND: usize = 60;

/// Puts the link of a suggestion in; why not, when it is left alone.
///
/// # Errors
/// What stops the whole job: the suggestion was changed by another call meanwhile.
pub(super) fn put_in(cx: &Cx, id: &Id<Suggestion>, dry_run: bool) -> Result<Result<Diff, String>> {
    let Some(row) = cx.records::<Suggestion>().find(id) else { return Ok(Err("suggestion_not_found".to_owned())) };
    let fits = match row.state {
        Stand::Approved => true,
        Stand::Proposed => dry_run,
        _ => false,
    };
    if !fits {
        return Ok(Err("not_approved".to_owned()));
    }
    let item = match wordpress::find(cx, &row.source) {
        Ok(Some(item)) => item,
        Ok(None) => return Ok(Err("not_in_wordpress".to_owned())),
        Err(fault) => return Ok(Err(fault.code)),
    };
    let inserted = match insertion::insert(&item.raw, &row.sentence, &row.anchor, &row.target) {
        Ok(inserted) => inserted,
        Err(why) => return Ok(Err(why.word().to_owned())),
    };
    let mut diff = diff(&row, &item, &item.raw, &inserted.text, &inserted);
    if dry_run {
        return Ok(Ok(diff));
    }
    let edited = match store(cx, &item, &inserted.text) {
        Ok(edited) => edited,
        Err(why) => return Ok(Err(why)),
    };
    let before_blob = format!("before/{id}");
    cx.blobs().write(&before_blob, item.raw.as_bytes())?;
    let verified = is_live(cx, &row.source, &row.target);
    diff.revision = edited.revision;
    diff.verified = verified;
    cx.records::<Suggestion>().update(id, |it| {
        it.state = Stand::Applied;
        it.applied = Some(Applied {
            at_ms: cx.now().millis(),
            item: item.id,
            kind: item.kind,
            revision: edited.revision,
            before_sha256: item.hash(),
            after_sha256: edited.item.hash(),
            before_blob,
            verified: verified.unwrap_or(false),
        });
    })?;
    Ok(Ok(diff))
}

/// Takes the link of an applied suggestion out again, and nothing else that was written since; why not, when it is left
/// alone. The suggestion is proposed again.
///
/// # Errors
/// As [`put_in`].
pub(super) fn take_out(cx: &Cx, id: &Id<Suggestion>, dry_run: bool) -> Result<Result<Diff, String>> {
    let Some(row) = cx.records::<Suggestion>().find(id) else { return Ok(Err("suggestion_not_found".to_owned())) };
    let Some(applied) = row.applied.as_ref().filter(|_| row.state == Stand::Applied) else {
        return Ok(Err("not_applied".to_owned()));
    };
    let item = match wordpress::find(cx, &row.source) {
        Ok(Some(item)) if item.id == applied.item && item.kind == applied.kind => item,
        Ok(_) => return Ok(Err("not_in_wordpress".to_owned())),
        Err(fault) => return Ok(Err(fault.code)),
    };
    let found = insertion::find(&item.raw, &row.anchor, &row.target);
    let Some((without, link)) = found.and_then(|link| Some((insertion::undo(&item.raw, &link)?, link))) else {
        return Ok(Err("link_gone".to_owned()));
    };
    let mut diff = diff(&row, &item, &without, &item.raw, &link);
    std::mem::swap(&mut diff.before, &mut diff.after);
    if dry_run {
        return Ok(Ok(diff));
    }
    let edited = match store(cx, &item, &without) {
        Ok(edited) => edited,
        Err(why) => return Ok(Err(why)),
    };
    diff.revision = edited.revision;
    diff.verified = is_live(cx, &row.source, &row.target).map(|has| !has);
    cx.records::<Suggestion>().update(id, |it| {
        it.state = Stand::Proposed;
        it.decided_ms = None;
        it.applied = None;
    })?;
    Ok(Ok(diff))
}

/// Writes a content, byte for byte or not at all; why not, when the item keeps what it had.
fn store(cx: &Cx, item: &Item, raw: &str) -> Result<Edited, String> {
    let edited = wordpress::write(cx, item, raw).map_err(|fault| fault.code)?;
    if edited.exact {
        return Ok(edited);
    }
    // A filter of the site changed more than the link, which could not be undone byte for byte.
    let reason = match wordpress::put_back(cx, &edited, item) {
        Ok(_) => "stored_otherwise",
        Err(_) => "stored_otherwise_and_not_put_back",
    };
    Err(reason.to_owned())
}

/// The places of a link in the content without it and with it.
fn diff(row: &Stored<Suggestion>, item: &Item, without: &str, with: &str, inserted: &Inserted) -> Diff {
    let around = |text: &str, start: usize, end: usize| {
        let from = text.floor_char_boundary(start.saturating_sub(AROUND));
        let to = text.ceil_char_boundary((end + AROUND).min(text.len()));
        text[from..to].to_owned()
    };
    let (start, end) = (inserted.opening.start, inserted.closing.end);
    let tags = inserted.opening.len() + inserted.closing.len();
    Diff {
        suggestion: row.id.clone(),
        url: row.source.clone(),
        before: around(without, start, end - tags),
        after: around(with, start, end),
        item: item.id,
        revision: None,
        verified: None,
    }
}

/// Whether the live page has the link; none when the page could not be read.
fn is_live(cx: &Cx, source: &str, target: &str) -> Option<bool> {
    let facts = live::fetch(cx, &source.parse().ok()?, Reach::PAGE).ok()?;
    (200..300).contains(&facts.status).then(|| facts.links.iter().any(|link| link.url == target))
}
