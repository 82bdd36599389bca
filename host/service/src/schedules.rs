//! Schedules: rounds of calls in a customer's name, through the same spine as any other call, and rounds of a module's own
//! work.
//!
//! A round's calls have idempotency keys made of the schedule and the moment at which the round was due, so a node that
//! dies in the middle of one is followed by another that begins nothing twice. Missed rounds are not made up for.

mod round;
mod work;

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::Core;
use crate::watch::Books;

/// How often it is looked what is due.
const LOOK: Duration = Duration::from_secs(5);
/// How long a node has a schedule to itself; far longer than one call may take.
const LEASE: Duration = Duration::from_secs(180);
/// Schedules that one node goes on with at once.
const WIDTH: usize = 4;

/// Starts what is due.
#[derive(Clone)]
pub struct Schedules {
    pub(crate) core: Core,
}

impl Schedules {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Goes on with what is due until told to stop; what runs then is finished first.
    pub async fn keep_schedules(&self, mut stop: watch::Receiver<bool>) {
        let mut running = JoinSet::new();
        while !*stop.borrow() {
            let free = if Books::of(&self.core).may_charge() { WIDTH.saturating_sub(running.len()) } else { 0 };
            if free > 0 {
                let limit = u32::try_from(free).unwrap_or(1);
                match self.core.store().jobs.claim_schedules(limit, self.core.clock().now(), LEASE).await {
                    Ok(due) => {
                        for due in due {
                            let service = self.clone();
                            running.spawn(async move { service.go_on(due).await });
                        }
                    }
                    Err(error) => tracing::error!(error = %error, "schedules could not be read"),
                }
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                Some(ended) = running.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(error = %error, "a round of a schedule ended badly");
                    }
                }
                _ = stop.changed() => {}
            }
        }
        while running.join_next().await.is_some() {}
    }
}
