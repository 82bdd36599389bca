//! Whether a shipped revision may come into force here: older bytes do not come back unseen.
//!
//! A folder that was put back from a backup, or kept by somebody who could write to it, is signed and approved as it was
//! then. What it mends later is missing in it, so it is refused; who means it says `espalier catalog rollback`.

use anyhow::bail;
use catalog::revision::{Revision, Status};
use store::Store;
use store::serving::Standing;

/// Whether these bytes of the revision may come into force.
///
/// # Errors
/// When others replaced them, when a final revision has other bytes than it had, or when the store cannot be reached.
pub(crate) async fn check(store: &Store, revision: &Revision) -> anyhow::Result<()> {
    let date = &revision.date;
    match (store.serving.standing(date, &revision.hash()).await?, revision.status) {
        (Standing::First | Standing::Current, _) | (Standing::Other, Status::Draft) => Ok(()),
        (Standing::Other, Status::Final) => bail!(
            "revision {date} is final, and what was in force under its date has other locks: what was shipped is not what \
             was reviewed"
        ),
        (Standing::Replaced, _) => bail!(
            "these locks of revision {date} were in force before and others replaced them: the folder is older than what \
             was served. Ship the newer one again; `espalier catalog rollback` puts these in force"
        ),
    }
}

/// As [`check`], for a host that serves the newest revision that it has.
///
/// # Errors
/// As [`check`], and when a later revision was in force.
pub(crate) async fn check_newest(store: &Store, revision: &Revision) -> anyhow::Result<()> {
    match store.serving.last_in_force().await? {
        Some(last) if last > revision.date => bail!(
            "revision {last} was in force, and the newest in the folder is {}: the folder is older than what was served. \
             Ship the newer one again; `espalier catalog activate {}` puts this one in force",
            revision.date,
            revision.date
        ),
        _ => check(store, revision).await,
    }
}
