//! A cancellation handle for runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Cancels every run that it was given to. Cheap to clone. A default handle is not cancelled.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    raised: AtomicBool,
    changed: Notify,
}

impl Cancel {
    /// Cancels the runs. A guest that computes stops at the next epoch tick, a guest that waits stops at once.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    /// Waits until the handle is cancelled.
    pub async fn cancelled(&self) {
        let changed = self.0.changed.notified();
        tokio::pin!(changed);
        // Registered before the flag is read, so that no notification is lost in between.
        changed.as_mut().enable();
        if !self.is_cancelled() {
            changed.await;
        }
    }
}
