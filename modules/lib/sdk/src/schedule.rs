//! Schedules: calls that the host makes again and again, or once at a moment, in the customer's name, and work of the module's own that it begins
//! every few minutes.

use serde::Serialize;

use crate::bindings::wit::schedule as wit;
use crate::host::Host;
use crate::{Cx, Fault, Result, entry};

/// When, in UTC.
pub use crate::bindings::wit::schedule::Cadence;
/// A schedule with when it comes next and how its last round ended.
pub use crate::bindings::wit::schedule::Entry as Scheduled;
/// How often.
pub use crate::bindings::wit::schedule::Every;
/// One call; `{"$result": "run_ref"}` stands for that member of what the calls before answered.
pub use crate::bindings::wit::schedule::Planned;
/// A number that must not fall.
pub use crate::bindings::wit::schedule::Watch;

/// Calls at a moment, with when something is to be done next and how they ended.
pub use crate::bindings::wit::schedule::OnceEntry as ScheduledOnce;
/// Work with when it comes next and how its last round began.
pub use crate::bindings::wit::schedule::WorkEntry as ScheduledWork;

/// Work of the module's own: a job that begins again and again as if `operation` had started it, with its rights and its
/// native price.
#[derive(Debug, Clone, PartialEq)]
pub struct Work<'a, P> {
    /// The module's own: one schedule for each.
    pub name: &'a str,
    /// Between two rounds: 5, 15, 60, 360, 1,440 or 10,080.
    pub minutes: u32,
    /// An operation of the module, which its lock names under `schedules`.
    pub operation: &'a str,
    /// The step.
    pub step: &'a str,
    /// Its payload.
    pub payload: P,
    /// The most units of work that a round does: their price is held while it runs.
    pub units: u64,
}

/// The schedules. Made by `Cx::schedules`.
pub struct Schedules<'a> {
    pub(crate) cx: &'a Cx,
}

impl Schedules<'_> {
    /// The schedule of this name.
    pub fn get(&self, name: &str) -> Option<Scheduled> {
        self.cx.host.schedule(name)
    }

    /// Puts one in the place of the one of this name.
    ///
    /// # Errors
    /// 409 `schedule_refused` when the host does not take it; the lock has to name every operation under `schedules`.
    pub fn put(&self, name: &str, cadence: Cadence, calls: &[Planned], watch: Option<&Watch>) -> Result<Scheduled> {
        self.cx
            .host
            .schedule_put(name, cadence, calls, watch)
            .map_err(|reason| Fault::conflict("schedule_refused", reason))
    }

    /// The calls at a moment of this name. What was made is known for 30 days.
    pub fn once(&self, name: &str) -> Option<ScheduledOnce> {
        self.cx.host.once(name)
    }

    /// Has calls made at a moment to come, within 400 days; `at` in milliseconds since 1970 UTC.
    ///
    /// # Errors
    /// 409 `schedule_refused` when the host does not take it; the lock has to name every operation under `schedules`.
    pub fn put_once(&self, name: &str, at: u64, calls: &[Planned]) -> Result<ScheduledOnce> {
        self.cx.host.once_put(name, at, calls).map_err(|reason| Fault::conflict("schedule_refused", reason))
    }

    /// The schedule of work of this name.
    pub fn work(&self, name: &str) -> Option<ScheduledWork> {
        self.cx.host.work(name)
    }

    /// Puts work in the place of the schedule of this name. A round that is due stays due.
    ///
    /// # Errors
    /// 409 `schedule_refused` when the host does not take it; the lock has to name the operation under `schedules`.
    pub fn put_work<P: Serialize>(&self, work: &Work<'_, P>) -> Result<ScheduledWork> {
        let wanted = wit::Work {
            name: work.name.to_owned(),
            minutes: work.minutes,
            operation: work.operation.to_owned(),
            step: work.step.to_owned(),
            payload: entry::written(&work.payload),
            units: work.units,
        };
        self.cx.host.work_put(&wanted).map_err(|reason| Fault::conflict("schedule_refused", reason))
    }

    /// Removes one of whatever kind; whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.cx.host.schedule_remove(name)
    }
}
