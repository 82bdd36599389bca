//! Circuit breaker per function: suspends a function that fails repeatedly, and no other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::export::Export;

/// Consecutive failures within [`WINDOW`] after which the function is suspended.
const MOST: u32 = 5;
const WINDOW: Duration = Duration::from_secs(60);
/// How long the function stays suspended.
const REST: Duration = Duration::from_secs(30);

type Key = (Arc<str>, Export);

/// The recent failures of each function.
#[derive(Default)]
pub(crate) struct Breaker(Mutex<HashMap<Key, Record>>);

struct Record {
    since: Instant,
    count: u32,
    rests_until: Option<Instant>,
}

impl Breaker {
    /// The remaining suspension of the function, if it is suspended.
    pub(crate) fn resting(&self, module: &Arc<str>, export: &Export) -> Option<Duration> {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if records.is_empty() {
            return None;
        }
        let key = (Arc::clone(module), export.clone());
        let until = records.get(&key)?.rests_until?;
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        if left.is_none() {
            // The suspension is over, but one more failure within the window suspends the function again.
            let now = Instant::now();
            records.insert(key, Record { since: now, count: MOST - 1, rests_until: None });
        }
        left
    }

    /// Records a failure of the function.
    pub(crate) fn broke(&self, module: &Arc<str>, export: &Export) {
        let now = Instant::now();
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (Arc::clone(module), export.clone());
        let record = records.entry(key).or_insert(Record { since: now, count: 0, rests_until: None });
        if now.duration_since(record.since) > WINDOW {
            (record.since, record.count) = (now, 0);
        }
        record.count += 1;
        if record.count == MOST {
            record.rests_until = Some(now + REST);
            tracing::warn!(
                module = &**module,
                export = export.name(),
                seconds = REST.as_secs(),
                "keeps breaking and rests"
            );
        }
    }

    /// Records an answer of the function.
    pub(crate) fn answered(&self, module: &Arc<str>, export: &Export) {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !records.is_empty() {
            records.remove(&(Arc::clone(module), export.clone()));
        }
    }
}
