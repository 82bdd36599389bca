//! A way to stop a run from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Stops every run it was given to. Cheap to clone; the default never stops anything until told.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    raised: AtomicBool,
    changed: Notify,
}

impl Cancel {
    /// Stops the run: a computing guest at the next tick of the epoch, a waiting one at once.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }

    /// Whether it was told.
    pub fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    /// Returns when it is told.
    pub(crate) async fn cancelled(&self) {
        let changed = self.0.changed.notified();
        tokio::pin!(changed);
        // Registered before the flag is read, so that no notice falls between the two.
        changed.as_mut().enable();
        if !self.is_cancelled() {
            changed.await;
        }
    }
}
