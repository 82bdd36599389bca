//! Sets of keywords: `keywords.set.*`, and what every operation on a set begins with.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;

use sdk::prelude::*;

use crate::stored::{Keyword, Set};

/// The set of the argument `set_ref`.
///
/// # Errors
/// 404 `set_not_found`; 409 `set_deleting` for one that is being deleted.
pub(crate) fn get(cx: &Cx, set: &Id<Set>) -> Result<Stored<Set>> {
    let set = cx.records::<Set>().get(set).map_err(|fault| fault.at("/set_ref"))?;
    if set.deleting {
        return Err(Fault::conflict("set_deleting", "this set is being deleted").at("/set_ref"));
    }
    Ok(set)
}

/// The keywords of a set in the order of their normal forms.
pub(crate) fn keywords<'a>(cx: &'a Cx, set: &Id<Set>) -> impl Iterator<Item = Stored<Keyword>> + use<'a> {
    cx.records::<Keyword>().by("set_normal").equals(set).scan()
}

/// Refuses a job on a set while another one works on it.
///
/// # Errors
/// 409 `set_busy` with the job.
pub(crate) fn is_free(cx: &Cx, set: &Stored<Set>) -> Result<()> {
    let job = set.job_ref.as_ref().and_then(|job| cx.jobs().find(job));
    match job.filter(|it| matches!(it.state, sdk::JobState::Queued | sdk::JobState::Running)) {
        None => Ok(()),
        Some(job) => {
            let message = "another job works on this set; wait for it or stop it with account.job.cancel";
            Err(Fault::conflict("set_busy", message).at("/set_ref").detail(sdk::json!({ "job_ref": job.id })))
        }
    }
}
