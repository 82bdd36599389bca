//! Follows a rotation of the key ring: what an older key wraps is wrapped anew, while everything goes on.

use std::time::Duration;

use store::Rewrapped;
use tokio::sync::watch;

use crate::Core;

/// How often it is looked whether another key is the newest.
const LOOK: Duration = Duration::from_secs(5);
/// How often it is looked again for what was left: by a node that sealed with an older ring, or without a key.
const AGAIN: Duration = Duration::from_secs(600);

/// Wraps stored secrets with the newest key.
#[derive(Clone)]
pub struct Keys {
    pub(crate) core: Core,
}

impl Keys {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Wraps secrets anew after each rotation, until told to stop.
    pub async fn follow_keys(&self, mut stop: watch::Receiver<bool>) {
        let mut wrapped: Option<(String, model::clock::Moment)> = None;
        while !*stop.borrow() {
            let ring = self.core.config().keys.current();
            let (newest, now) = (ring.newest().id.clone(), self.core.clock().now());
            let due = wrapped.as_ref().is_none_or(|(key, at)| *key != newest || now.since(*at) >= AGAIN);
            if due {
                match self.core.store().connections.rewrap_secrets(&ring).await {
                    Ok(rewrapped) => {
                        report(&newest, &rewrapped);
                        wrapped = Some((newest, now));
                    }
                    Err(error) => {
                        tracing::warn!(error = %error, "secrets could not be wrapped anew; it is tried again")
                    }
                }
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                _ = stop.changed() => {}
            }
        }
    }
}

/// Says plainly what was done and what could not be.
fn report(key: &str, rewrapped: &Rewrapped) {
    let Rewrapped { done, without_key, broken } = rewrapped;
    if *done > 0 {
        tracing::info!(key.id = key, secrets = done, "connections' secrets are wrapped with the newest key");
    }
    if *without_key > 0 {
        tracing::error!(secrets = without_key, "connections' secrets are wrapped with a key that is not in the ring");
    }
    if *broken > 0 {
        tracing::error!(secrets = broken, "connections' secrets do not open: they were changed in the database");
    }
}
