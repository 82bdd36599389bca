//! A change of a redirect that is taken back.

use sdk::prelude::*;
use site::Site;
use wordpress::{Change, Undone};

use super::Source;
use super::held::{Held, Redirects};
use crate::change::redirect_change;

/// What a change of a redirect kept: how it was held before and after; null where it was not.
pub(crate) fn states(cx: &Cx, change: &Change) -> Option<(Option<Held>, Option<Held>)> {
    let field = change.fields.first()?;
    let read = |value: serde_json::Value| serde_json::from_value::<Option<Held>>(value).ok();
    Some((read(field.before.value(cx, None)?)?, read(field.after.value(cx, None)?)?))
}

/// Takes a change of a redirect back, unless somebody changed the redirect since.
///
/// # Errors
/// What the website refused.
pub(crate) fn put_back(
    cx: &Cx,
    site: &Stored<Site>,
    change: &Change,
    force: bool,
    batch: (&str, u64),
    undoes: &str,
) -> Result<Undone> {
    let Some((before, after)) = states(cx, change) else { return Ok(Undone::Unknown) };
    let mut redirects = Redirects::of(cx, site)?;
    let Some(source) = before.as_ref().or(after.as_ref()).map(|it| it.from.clone()) else { return Ok(Undone::Unknown) };
    let now = redirects.find(&source).cloned();
    let same = |a: Option<&Held>, b: Option<&Held>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => (&a.to, a.code) == (&b.to, b.code),
        _ => false,
    };
    if same(now.as_ref(), before.as_ref()) {
        return Ok(Undone::Already);
    }
    if !force && !same(now.as_ref(), after.as_ref()) {
        return Ok(Undone::Edited(vec!["redirect".to_owned()]));
    }
    let held = match &before {
        None => {
            redirects.remove(&now.clone().into_iter().collect::<Vec<_>>())?;
            None
        }
        Some(before) => {
            let Some(from) = Source::of(&redirects.origin, &before.from) else { return Ok(Undone::Unknown) };
            Some(redirects.save(&from, before.to.as_deref(), before.code)?)
        }
    };
    let (batch, seq) = batch;
    let id = redirect_change(
        cx,
        site,
        &redirects,
        "cms.change.rollback",
        batch,
        seq,
        now.as_ref(),
        held.as_ref(),
        Some(undoes),
    )?;
    Ok(Undone::Restored(id))
}
