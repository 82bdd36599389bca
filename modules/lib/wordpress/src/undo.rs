//! A change that is taken back: to the bytes before, or by its own part alone, or not at all.

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use serde_json::Value;

use crate::change::{Change, Field, Rollback, What, Why};
use crate::create::trash;
use crate::write::{gone, write};
use crate::{Installation, Item, Patch, Reference};

/// Bytes on both sides of a part that must still be there for the part to be found again.
const AROUND: usize = 40;

/// What became of a change that was to be taken back.
#[derive(Debug, Clone, PartialEq)]
pub enum Undone {
    /// The item has the values that it had before.
    Restored(Id<Change>),
    /// It had them already.
    Already,
    /// The item was edited since: only the part that the change had made was taken out.
    Part(Id<Change>),
    /// The item was edited since; nothing was written. The members.
    Edited(Vec<String>),
    /// The values before are not known.
    Unknown,
    /// The item is gone.
    Gone,
}

/// Takes a change back. A member that was edited since is left alone, unless the part of a text that the change made stands
/// in it exactly once, or `force` is set: then it is written over, and the record keeps what was there.
///
/// `owner` is the module that keeps the record, none for the one that asks.
///
/// # Errors
/// As [`write`](crate::write).
pub fn put_back(cx: &Cx, change: &Change, owner: Option<&str>, force: bool, why: &Why) -> Result<Undone> {
    if change.rollback == Rollback::None {
        return Ok(Undone::Unknown);
    }
    let reference = Reference::read(&change.item).ok_or_else(gone)?;
    let installation = Installation { connection: reference.connection.clone() };
    let Some(item) = installation.read_any(cx, &reference)? else { return Ok(Undone::Gone) };
    if change.what == What::Media && change.fields.iter().any(|it| it.before.is(&Value::Null)) {
        return removed(cx, &item, why);
    }
    if change.what == What::Created {
        if item.fields.status == "trash" {
            return Ok(Undone::Already);
        }
        // What was made and then worked on is not thrown away unasked.
        let edited = change.fields.iter().any(|it| item.value(&it.name).is_none_or(|now| !it.after.is(&now)));
        if edited && !force {
            return Ok(Undone::Edited(vec!["status".to_owned()]));
        }
        let trashed = trash(cx, &item, why)?;
        return Ok(trashed.change.map_or(Undone::Already, Undone::Restored));
    }
    let (mut patch, mut edited, mut part) = (Patch::default(), Vec::new(), false);
    for field in &change.fields {
        let Some(before) = field.before.value(cx, owner) else { return Ok(Undone::Unknown) };
        let now = item.value(&field.name).unwrap_or_default();
        if now == before {
            continue;
        }
        if field.after.is(&now) || force {
            patch.set(&field.name, &before);
            continue;
        }
        let after = field.after.value(cx, owner);
        let inverse = match (&now, &before, &after) {
            (Value::String(now), Value::String(before), Some(Value::String(after))) => inverse(now, before, after),
            _ => None,
        };
        match inverse {
            Some(text) => {
                part = true;
                patch.set(&field.name, &Value::String(text));
            }
            None => edited.push(field.name.clone()),
        }
    }
    if !edited.is_empty() {
        return Ok(Undone::Edited(edited));
    }
    let written = write(cx, &item, &patch, why)?;
    Ok(match written.change {
        None => Undone::Already,
        Some(id) if part => Undone::Part(id),
        Some(id) => Undone::Restored(id),
    })
}

/// Removes a picture that was handed over. Media have no trash.
fn removed(cx: &Cx, item: &Item, why: &Why) -> Result<Undone> {
    let request = Send::delete(&item.at.connection, item.at.path()).query("force", "true");
    match cx.connections().send(&request) {
        Ok(answer) if matches!(answer.status, 404 | 410) => {}
        Ok(answer) => drop(answer.accepted()?),
        // What is gone cannot be removed again.
        Err(SendFailure::UnknownOutcome) => drop(cx.connections().send(&request)?),
        Err(failure) => return Err(failure.into()),
    }
    let field = Field::of(cx, "file", &json!(item.files.first()), &Value::Null)?;
    let id = why.keep(cx, &item.at.to_string(), &item.link, vec![field], Rollback::None)?;
    Ok(Undone::Restored(id))
}

/// A text without the part that a change made in it: `None` unless the part stands in it exactly once with what was around
/// it.
fn inverse(now: &str, before: &str, after: &str) -> Option<String> {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (rest_before, rest_after) = (&before[start..], &after[start..]);
    let end: usize =
        rest_before.chars().rev().zip(rest_after.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old, new) = (&before[start..before.len() - end], start..after.len() - end);
    let from = after.floor_char_boundary(new.start.saturating_sub(AROUND));
    let to = after.ceil_char_boundary((new.end + AROUND).min(after.len()));
    let whole = &after[from..to];
    // The whole of a text that was edited since cannot stand in it; a part must be told from its neighbours.
    let at = now.find(whole).filter(|_| !whole.is_empty())?;
    let next = now.ceil_char_boundary(at + 1);
    if now[next..].contains(whole) {
        return None;
    }
    let (cut, tail) = (at + (new.start - from), at + (new.end - from));
    Some(format!("{}{old}{}", &now[..cut], &now[tail..]))
}
