//! Runs queued work: claims a job, runs one step in a fresh instance, commits the step with the next checkpoint.
//!
//! The claim token and its lease are the authority: a step whose claim is no longer the stored one commits
//! nothing, so a node that was thought dead can do no harm when it comes back.

mod lease;
mod step;

use std::time::Duration;

use model::id::base32;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::Core;
use crate::watch::Books;

/// How long to wait for a notice before looking by oneself.
const POLL: Duration = Duration::from_millis(500);
/// How often what has expired (tokens, codes, sessions, clients nobody used) is removed.
const SWEEP: Duration = Duration::from_secs(300);
/// How long a step waits when the sandbox had no place for it.
pub(crate) const BUSY: Duration = Duration::from_secs(5);
/// Failures of one step before the job fails.
pub(crate) const ATTEMPTS: u32 = 5;
/// Attempts of one step, counting those whose host died, before the job is given up unseen.
pub(crate) const POISON: u32 = 12;

/// Works on jobs.
#[derive(Clone)]
pub struct Worker {
    pub(crate) core: Core,
}

impl Worker {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Works until told to stop; steps that run then are finished first.
    pub async fn work(&self, mut stop: watch::Receiver<bool>) {
        let node = format!("node_{}", base32(&self.core.entropy().array::<10>()));
        let mut running = JoinSet::new();
        let mut swept = self.core.clock().now();
        while !*stop.borrow() {
            let now = self.core.clock().now();
            if now.since(swept) >= SWEEP {
                swept = now;
                if let Err(error) = self.core.authority().sweep().await {
                    tracing::error!(error = %error, "what has expired could not be removed");
                }
            }
            // The last step of a job charges, so no step begins while nothing may be charged.
            let share = self.core.config().work.share(running.len());
            if share.free > 0 && Books::of(&self.core).may_charge() {
                match self.core.store().jobs.claim_jobs(&node, share, self.core.clock().now()).await {
                    Ok(jobs) => {
                        let many = !jobs.is_empty();
                        for job in jobs {
                            let service = self.clone();
                            running.spawn(async move { service.step(job).await });
                        }
                        if many {
                            continue;
                        }
                    }
                    Err(error) => tracing::error!(error = %error, "jobs could not be claimed"),
                }
            }
            let notify = self.core.store().database.jobs_notify();
            tokio::select! {
                () = notify.notified() => {}
                Some(ended) = running.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(error = %error, "a step ended badly");
                    }
                }
                () = tokio::time::sleep(POLL) => {}
                _ = stop.changed() => {}
            }
        }
        while running.join_next().await.is_some() {}
    }
}
