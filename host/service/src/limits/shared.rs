//! Tells the other nodes what this one has counted, once a second, and learns what they have.
//!
//! Within that second each node counts for itself: a limit is exceeded by what the nodes let in meanwhile, and by
//! no more. Where the database does not answer, each node goes on alone; what is spent is bounded by the ledger.

use std::time::Duration;

use tokio::sync::watch;

use crate::limits::Limits;

/// How often nodes tell each other.
const EVERY: Duration = Duration::from_secs(1);

impl Limits {
    /// Shares the limits until told to stop; ends at once where this is the only node.
    pub async fn share_limits(&self, mut stop: watch::Receiver<bool>) {
        while self.core.store().calls.is_shared() && !*stop.borrow() {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                _ = stop.changed() => {}
            }
            let windows = &self.limiter().windows;
            let counted = windows.unshared();
            if counted.is_empty() {
                continue;
            }
            match self.core.store().calls.count_together(counted.clone(), self.core.clock().now()).await {
                Ok(together) => windows.learn(&together),
                Err(error) => {
                    tracing::warn!(error = %error, "limits are counted by this node alone");
                    windows.put_back(&counted);
                }
            }
        }
    }
}
