//! Schedules: calls that the host makes again and again in the customer's name.

use crate::host::Host;
use crate::{Cx, Fault, Result};

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

    /// Removes one; whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.cx.host.schedule_remove(name)
    }
}
