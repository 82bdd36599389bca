//! Keeps a claim good while its step runs, and stops the step when the claim is lost.

use std::convert::Infallible;

use model::clock::Moment;
use sandbox::Cancel;
use store::JobRow;

use crate::worker::Worker;

impl Worker {
    /// Renews until the claim is lost, which stops the run: another node has the job then, or it was cancelled.
    /// Never returns before that; to be dropped when the step has ended.
    pub(super) async fn hold_lease(&self, job: &JobRow, cancel: &Cancel) -> Infallible {
        let lease = self.core.config().work.lease();
        let mut until: Moment = job.lease_until;
        loop {
            tokio::time::sleep(lease / 3).await;
            let now = self.core.clock().now();
            let next = now.plus(lease);
            match self.core.store().jobs.renew_job(&job.customer, &job.id, &job.claim, now, next).await {
                Ok(true) => until = next,
                Ok(false) => break,
                // What cannot be renewed in time is lost; the store refuses its commit in any case.
                Err(_) if now >= until => break,
                Err(error) => tracing::warn!(job = %job.id, error = %error, "a lease could not be renewed"),
            }
        }
        tracing::warn!(job = %job.id, "a step is stopped: its job was cancelled or is with another node");
        cancel.cancel();
        std::future::pending().await
    }
}
