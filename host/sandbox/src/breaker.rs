//! A function that keeps breaking rests for a while, and that one alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::invocation::Export;

/// Endings of one function in a row, with no answer between, that make it rest.
const MOST: u32 = 5;
/// Within this time.
const WINDOW: Duration = Duration::from_secs(60);
/// How long it rests.
const REST: Duration = Duration::from_secs(30);

type Key = (Arc<str>, Export);

/// Who broke lately.
#[derive(Default)]
pub(crate) struct Breaker(Mutex<HashMap<Key, Record>>);

struct Record {
    since: Instant,
    count: u32,
    rests_until: Option<Instant>,
}

impl Breaker {
    /// How long the function still rests, if it does.
    pub(crate) fn resting(&self, module: &Arc<str>, export: &Export) -> Option<Duration> {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if records.is_empty() {
            return None;
        }
        let key = (Arc::clone(module), export.clone());
        let until = records.get(&key)?.rests_until?;
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        if left.is_none() {
            // Rested: one more break within the window makes it rest again.
            let now = Instant::now();
            records.insert(key, Record { since: now, count: MOST - 1, rests_until: None });
        }
        left
    }

    /// Notes that the function broke.
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

    /// Notes that the function answered.
    pub(crate) fn answered(&self, module: &Arc<str>, export: &Export) {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !records.is_empty() {
            records.remove(&(Arc::clone(module), export.clone()));
        }
    }
}
