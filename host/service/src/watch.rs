//! Watches the ledger: its invariants are looked up now and then, and while one is broken nothing is charged.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::refusal::{Refusal, codes};
use tokio::sync::watch;

use crate::Core;

/// How long after its start a host looks for the first time; serving does not wait for it.
const FIRST: Duration = Duration::from_secs(5);
/// How often it looks.
const EVERY: Duration = Duration::from_secs(600);
/// How often it is asked whether it is time.
const POLL: Duration = Duration::from_secs(1);
/// Seconds after which a client may ask again.
const RETRY: u64 = 600;
/// Violations that are logged one by one.
const SAID: usize = 20;

/// What was last seen of the ledger.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    broken: AtomicBool,
}

/// Checks the ledger now and then: while it is wrong nothing is charged.
#[derive(Clone)]
pub struct Books {
    pub(crate) core: Core,
}

impl Books {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Watches until told to stop.
    pub async fn watch_ledger(&self, mut stop: watch::Receiver<bool>) {
        let started = self.core.clock().now();
        let mut looked = None;
        while !*stop.borrow() {
            let now = self.core.clock().now();
            let due = looked.map_or(now.since(started) >= FIRST, |looked| now.since(looked) >= EVERY);
            if due {
                looked = Some(now);
                tokio::select! {
                    () = self.look_at_ledger() => {}
                    // What it would have come to is of no use to a host that ends.
                    _ = stop.changed() => {}
                }
            }
            tokio::select! {
                () = tokio::time::sleep(POLL) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Verifies the ledger once. A violation stops all charging on this node, until a later look finds none.
    pub async fn look_at_ledger(&self) {
        let violations = match self.core.store().money.verify_ledger().await {
            Ok(violations) => violations,
            // Nothing was seen, so nothing changes; a store that is away charges nobody.
            Err(error) => {
                tracing::error!(error = %error, "the ledger could not be verified");
                return;
            }
        };
        for violation in violations.iter().take(SAID) {
            let (invariant, subject) = (violation.invariant, violation.subject.as_str());
            tracing::error!(invariant, subject, "the ledger is wrong");
        }
        let broken = !violations.is_empty();
        let before = self.core.0.ledger.broken.swap(broken, Ordering::SeqCst);
        if broken {
            tracing::error!(
                violations = violations.len(),
                "NOTHING IS CHARGED until the ledger is right again: see `espalier ledger verify`"
            );
        } else if before {
            tracing::warn!("the ledger is right again; calls are charged");
        }
    }

    /// Whether calls may be charged.
    pub fn may_charge(&self) -> bool {
        !self.core.0.ledger.broken.load(Ordering::SeqCst)
    }

    /// Refuses what costs points while the ledger is wrong.
    pub(crate) fn check_ledger(&self, points: u64) -> Result<(), Refusal> {
        if points == 0 || self.may_charge() {
            return Ok(());
        }
        Err(Refusal::of(&codes::LEDGER_INCONSISTENT,
            "the ledger failed its verification and is being looked at; until it is right nothing is done and nothing is charged",
        )
        .retry_after(RETRY))
    }
}
