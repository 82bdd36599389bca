//! Items that are made, and items that go to the trash.

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use serde_json::Value;

use crate::Installation;
use crate::change::{Field, Why};
use crate::item::{Item, Shown};
use crate::write::{MOST_BYTES, Patch, TIMEOUT, Written, again, can_be_written, gone, sent};

/// Makes an item. WordPress has no idempotency key: it is made under a slug of its own, `<slug>-<key>`, by which it is found
/// again when the answer is lost, and gets its true slug then.
///
/// # Errors
/// What the provider refused; 503 `unknown_outcome`.
pub fn create(cx: &Cx, at: &Installation, base: &str, patch: &Patch, key: &str, why: &Why) -> Result<Written> {
    can_be_written(base, "/type")?;
    let slug = patch.slug.clone().filter(|it| !it.is_empty());
    let own = format!("{}-{key}", slug.as_deref().unwrap_or("draft"));
    let first = Patch { slug: Some(own.clone()), status: Some("draft".to_owned()), ..patch.clone() };
    let path = format!("/wp-json/wp/v2/{base}");
    let request = Send::post(&at.connection, &path)
        .query("context", "edit")
        .json(&first.body())
        .max_bytes(MOST_BYTES)
        .timeout(TIMEOUT);
    let made = match cx.connections().send(&request) {
        Ok(answer) if answer.status == 404 => {
            let message = "this WordPress has no type with this path; cms.site.inspect lists its types";
            return Err(Fault::not_found("type_not_found", message).at("/type"));
        }
        Ok(answer) => {
            let shown: Shown = answer.accepted()?.json()?;
            shown.item(&at.connection, base).ok_or_else(|| Fault::from(SendFailure::Malformed))?
        }
        Err(SendFailure::UnknownOutcome) => {
            let request = Send::get(&at.connection, &path)
                .query("slug", &own)
                .query("status", "draft,future,publish,private,pending")
                .query("context", "edit")
                .max_bytes(MOST_BYTES);
            let found: Vec<Shown> = cx.connections().send(&request)?.accepted()?.json()?;
            let message = "WordPress did not confirm the new item; list the drafts before you try again";
            let unknown = || Fault::unavailable("unknown_outcome", message);
            found.into_iter().next().and_then(|it| it.item(&at.connection, base)).ok_or_else(unknown)?
        }
        Err(failure) => return Err(failure.into()),
    };
    // Without a slug WordPress makes one of the title when the item is published.
    let last = Patch { slug: Some(slug.unwrap_or_default()), ..Patch::default() };
    let item = sent(cx, &made.at, &last).unwrap_or(made);
    let exact = patch
        .members()
        .iter()
        .all(|(name, value)| matches!(name.as_str(), "slug" | "status") || item.holds(name, value));
    let made = |name: &str| item.value(name).unwrap_or_default();
    let mut fields = vec![Field::of(cx, "status", &json!("trash"), &made("status"))?];
    for (name, _) in patch.members().iter().filter(|(name, _)| !matches!(name.as_str(), "slug" | "status")) {
        fields.push(Field::of(cx, name, &Value::Null, &made(name))?);
    }
    let change = why.record(cx, &item.at, &item.link, fields, exact)?;
    Ok(Written { item, exact, change: Some(change) })
}

/// Moves an item to the trash.
///
/// # Errors
/// 409 `edit_conflict` when its status is no longer what was read; what the provider refused.
pub fn trash(cx: &Cx, before: &Item, why: &Why) -> Result<Written> {
    can_be_written(&before.at.base, "/item_ref")?;
    let now = again(cx, before)?;
    if now.fields.status != before.fields.status {
        let message = "the status was changed by somebody else since it was read; nothing was written";
        return Err(Fault::conflict("edit_conflict", message).detail(json!({ "differs": ["status"] })));
    }
    let request = Send::delete(&before.at.connection, before.at.path()).timeout(TIMEOUT);
    match cx.connections().send(&request) {
        Ok(answer) if answer.status == 410 => {}
        Ok(answer) => drop(answer.accepted()?),
        Err(SendFailure::UnknownOutcome) => {}
        Err(failure) => return Err(failure.into()),
    }
    let installation = Installation { connection: before.at.connection.clone() };
    let item = installation.read_any(cx, &before.at)?.ok_or_else(gone)?;
    if item.fields.status != "trash" {
        let message = "WordPress did not confirm the move to the trash; read the item before you try again";
        return Err(Fault::unavailable("unknown_outcome", message));
    }
    let fields = ["status", "slug"].map(|name| {
        let of = |item: &Item| item.value(name).unwrap_or_default();
        Field::of(cx, name, &of(&now), &of(&item))
    });
    let fields = fields.into_iter().collect::<Result<Vec<_>>>()?;
    let change = why.record(cx, &before.at, &now.link, fields, true)?;
    Ok(Written { item, exact: true, change: Some(change) })
}
