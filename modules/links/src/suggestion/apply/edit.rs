//! One link on its way into a content, or out of it again: found, written, kept, looked at.

use kit::insertion::{self, Inserted};
use sdk::prelude::*;
use site::live::{self, Reach};
use wordpress::{Installation, Item, Patch, What, Why, Written};

use super::Diff;
use crate::stored::{Applied, Stand, Suggestion};

/// Characters that are shown before and after a link.
const AROUND: usize = 60;

/// Where links are put, and how.
pub(super) struct To<'a> {
    /// The WordPress of the website.
    pub(super) installation: Installation,
    /// What the changes are one batch of.
    pub(super) batch: &'a str,
    /// Whether changes are only shown.
    pub(super) dry_run: bool,
}

/// Puts the link of a suggestion in; why not, when it is left alone.
///
/// # Errors
/// What stops the whole job: the suggestion was changed by another call meanwhile.
pub(super) fn put_in(cx: &Cx, id: &Id<Suggestion>, to: &To<'_>) -> Result<Result<Diff, String>> {
    let Some(row) = cx.records::<Suggestion>().find(id) else { return Ok(Err("suggestion_not_found".to_owned())) };
    let fits = match row.state {
        Stand::Approved => true,
        Stand::Proposed => to.dry_run,
        _ => false,
    };
    if !fits {
        return Ok(Err("not_approved".to_owned()));
    }
    let item = match to.installation.find(cx, &row.source) {
        Ok(Some(item)) => item,
        Ok(None) => return Ok(Err("not_in_wordpress".to_owned())),
        Err(fault) => return Ok(Err(fault.code)),
    };
    let inserted = match insertion::insert(&item.fields.content, &row.sentence, &row.anchor, &row.target) {
        Ok(inserted) => inserted,
        Err(why) => return Ok(Err(why.word().to_owned())),
    };
    let mut diff = diff(&row, &item, &item.fields.content, &inserted.text, &inserted);
    if let Err(fault) = wordpress::plain(&item) {
        return Ok(Err(fault.code));
    }
    if to.dry_run {
        return Ok(Ok(diff));
    }
    let edited = match store(cx, &item, inserted.text, &why(&row, to)) {
        Ok(edited) => edited,
        Err(why) => return Ok(Err(why)),
    };
    let verified = is_live(cx, &row.source, &row.target);
    diff.change_ref = edited.change.clone();
    diff.verified = verified;
    cx.records::<Suggestion>().update(id, |it| {
        it.state = Stand::Applied;
        it.applied = Some(Applied {
            at_ms: cx.now().millis(),
            item: item.at.id,
            kind: item.at.base.clone(),
            before_sha256: item.hash(),
            after_sha256: edited.item.hash(),
            change: edited.change,
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
pub(super) fn take_out(cx: &Cx, id: &Id<Suggestion>, to: &To<'_>) -> Result<Result<Diff, String>> {
    let Some(row) = cx.records::<Suggestion>().find(id) else { return Ok(Err("suggestion_not_found".to_owned())) };
    let Some(applied) = row.applied.as_ref().filter(|_| row.state == Stand::Applied) else {
        return Ok(Err("not_applied".to_owned()));
    };
    let item = match to.installation.find(cx, &row.source) {
        Ok(Some(item)) if item.at.id == applied.item && item.at.base == applied.kind => item,
        Ok(_) => return Ok(Err("not_in_wordpress".to_owned())),
        Err(fault) => return Ok(Err(fault.code)),
    };
    let raw = &item.fields.content;
    let found = insertion::find(raw, &row.anchor, &row.target);
    let Some((without, link)) = found.and_then(|link| Some((insertion::undo(raw, &link)?, link))) else {
        return Ok(Err("link_gone".to_owned()));
    };
    let mut diff = diff(&row, &item, &without, raw, &link);
    std::mem::swap(&mut diff.before, &mut diff.after);
    if to.dry_run {
        return Ok(Ok(diff));
    }
    let undoes = applied.change.as_ref().map(|it| format!("links.{it}"));
    let edited = match store(cx, &item, without, &Why { undoes, ..why(&row, to) }) {
        Ok(edited) => edited,
        Err(why) => return Ok(Err(why)),
    };
    diff.change_ref = edited.change;
    diff.verified = is_live(cx, &row.source, &row.target).map(|has| !has);
    cx.records::<Suggestion>().update(id, |it| {
        it.state = Stand::Proposed;
        it.decided_ms = None;
        it.applied = None;
    })?;
    Ok(Ok(diff))
}

/// Writes a content, byte for byte or not at all; why not, when the item keeps what it had.
fn store(cx: &Cx, item: &Item, content: String, why: &Why) -> Result<Written, String> {
    let patch = Patch { content: Some(content), ..Patch::default() };
    wordpress::write(cx, item, &patch, why).map_err(|fault| fault.code)
}

fn why(row: &Suggestion, to: &To<'_>) -> Why {
    Why::call(&row.site_id, "links.suggestion.apply", What::Content, to.batch)
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
        item: item.at.id,
        change_ref: None,
        verified: None,
    }
}

/// Whether the live page has the link; none when the page could not be read.
fn is_live(cx: &Cx, source: &str, target: &str) -> Option<bool> {
    let facts = live::fetch(cx, &source.parse().ok()?, Reach::PAGE).ok()?;
    (200..300).contains(&facts.status).then(|| facts.links.iter().any(|link| link.url == target))
}
