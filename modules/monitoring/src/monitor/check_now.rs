//! The operation `monitoring.monitor.check_now`.

use sdk::IsQueued;
use sdk::prelude::*;

use super::stored::Monitor;
use super::update::get;
use crate::check::Payload;

#[args]
pub(crate) struct CheckNow {
    /// The monitor.
    monitor_ref: Id<Monitor>,
}

/// A check that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it, and its result has the `outcome`.
    job_ref: Id<Job>,
    monitor_ref: Id<Monitor>,
    /// Always `queued`.
    state: IsQueued,
}

/// Runs a monitor at once outside its schedule and records the outcome as a normal check.
///
/// The schedule stays as it is. A monitor that is paused may be checked so, too.
#[operation(
    job,
    scope = "seo:execute",
    cost = live(most = 4),
    queued(step = "check"),
    result_operation = "account.job.get",
    side_effects = ["asks the target", "records the outcome"],
    needs = ["store", "web", "dns", "tls", "jobs", "credits"],
    phrasings = ["check this monitor now", "is my page up right now", "look again at once"],
    examples = [{ "monitor_ref": "monitor_01" }]
)]
pub(crate) fn check_now(cx: &Cx, args: CheckNow) -> Result<Answer<Started>> {
    let it = get(cx, &args.monitor_ref)?;
    let job_ref = cx.jobs().enqueue("check", &Payload::of_one(it.id.clone()))?;
    Ok(Answer::new(Started { job_ref, monitor_ref: it.id, state: IsQueued::Queued }).units(4))
}
