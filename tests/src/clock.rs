//! The machine's clock, moved when a test says so.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use model::clock::{Clock, Moment, SystemClock};

/// Runs like the machine's clock, some time ahead of it.
#[derive(Debug, Default)]
pub struct Ahead(AtomicI64);

impl Ahead {
    /// Moves it forward.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }

    /// Moves it backward, as a machine's clock does when it was wrong.
    pub fn set_back(&self, span: Duration) {
        self.0.fetch_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

impl Clock for Ahead {
    fn now(&self) -> Moment {
        Moment(SystemClock.now().0 + self.0.load(Ordering::SeqCst))
    }
}
