//! Keys that are being worked on in this process, so that a twin waits instead of running too.
//!
//! This is for comfort and speed only: what decides between twins is the commit, on this node or another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use model::id::CustomerId;
use tokio::sync::OwnedMutexGuard;

/// How long a twin waits for the first before it answers 409.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

type Held = Arc<tokio::sync::Mutex<()>>;

/// Who works on which key.
#[derive(Default)]
pub(crate) struct Claims(Arc<Mutex<HashMap<(CustomerId, String), Held>>>);

/// A key that is ours until this is dropped.
pub(crate) struct ClaimGuard {
    claims: Arc<Mutex<HashMap<(CustomerId, String), Held>>>,
    name: (CustomerId, String),
    held: Option<OwnedMutexGuard<()>>,
}

impl Claims {
    /// Takes the key, waiting for a twin to finish; none when it takes too long.
    pub(crate) async fn take(&self, customer: &CustomerId, key: &str) -> Option<ClaimGuard> {
        let name = (customer.clone(), key.to_owned());
        let lock = {
            let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            claims.entry(name.clone()).or_default().clone()
        };
        let held = tokio::time::timeout(PATIENCE, lock.lock_owned()).await.ok();
        // Made even when the wait was in vain, so that dropping it tidies the entry up.
        let guard = ClaimGuard { claims: self.0.clone(), name, held };
        guard.held.is_some().then_some(guard)
    }
}

impl Drop for ClaimGuard {
    fn drop(&mut self) {
        drop(self.held.take());
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        if claims.get(&self.name).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            claims.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests;
