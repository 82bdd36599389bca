//! Keeps a claim good while its step runs, and stops the step when the claim is lost.

use std::convert::Infallible;
use std::time::Duration;

use model::clock::Moment;
use sandbox::Cancel;
use store::JobRow;

use super::LEASE;
use crate::Service;

/// How often a lease is renewed.
const RENEWED: Duration = LEASE.checked_div(3).expect("three is not zero");

impl Service {
    /// Renews until the claim is lost, which stops the run: another node has the job then, or it was cancelled.
    /// Never returns before that; to be dropped when the step has ended.
    pub(super) async fn hold_lease(&self, job: &JobRow, cancel: &Cancel) -> Infallible {
        let mut until: Moment = job.lease_until;
        loop {
            tokio::time::sleep(RENEWED).await;
            let now = self.clock().now();
            let next = now.plus(LEASE);
            match self.0.store.renew_job(&job.customer, &job.id, &job.claim, now, next).await {
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
