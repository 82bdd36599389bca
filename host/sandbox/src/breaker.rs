//! Circuit breaker per function and customer: suspends a function that keeps trapping for the customer whose calls trap,
//! and for everybody only when the calls of several customers trap.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use model::id::CustomerId;
use tokio::time::Instant;

use crate::export::Export;

/// Traps of one customer without an answer in between, within [`WINDOW`], after which the function is suspended for
/// that customer.
const MOST: u32 = 5;
/// Customers whose calls trap within [`WINDOW`], without an answer to anybody in between, after which the function is
/// suspended for everybody.
const SEVERAL: usize = 3;
const WINDOW: Duration = Duration::from_secs(60);
/// How long a function stays suspended.
const REST: Duration = Duration::from_secs(30);
/// Customers that are remembered per function; while so many are, traps of further ones do not count.
const REMEMBERED: usize = 1_024;

type Key = (Arc<str>, Export);

/// The recent traps of each function.
#[derive(Default)]
pub(crate) struct Breaker(Mutex<HashMap<Key, Function>>);

/// The recent traps of one function.
#[derive(Default)]
struct Function {
    customers: HashMap<CustomerId, Record>,
    /// Until when it is suspended for everybody.
    rests_until: Option<Instant>,
}

/// The recent traps of one customer's calls of one function.
struct Record {
    since: Instant,
    /// The last trap that counts towards the suspension for everybody.
    counts: Option<Instant>,
    count: u32,
    rests_until: Option<Instant>,
}

impl Record {
    fn counts_at(&self, now: Instant) -> bool {
        self.counts.is_some_and(|at| now.duration_since(at) <= WINDOW)
    }

    fn is_over(&self, now: Instant) -> bool {
        !self.counts_at(now) && self.rests_until.is_none_or(|until| until <= now)
    }
}

fn left(until: Instant, now: Instant) -> Option<Duration> {
    until.checked_duration_since(now).filter(|left| !left.is_zero())
}

fn tell(module: &str, export: &Export, what: &str) {
    tracing::warn!(module, export = export.name(), seconds = REST.as_secs(), "{what}");
}

impl Breaker {
    /// The remaining suspension of the function for this customer, if it is suspended.
    pub(crate) fn resting(
        &self,
        customer: &CustomerId,
        module: &Arc<str>,
        export: &Export,
        now: Instant,
    ) -> Option<Duration> {
        let mut functions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if functions.is_empty() {
            return None;
        }
        let function = functions.get_mut(&(Arc::clone(module), export.clone()))?;
        if let Some(left) = function.rests_until.and_then(|until| left(until, now)) {
            return Some(left);
        }
        function.rests_until = None;
        let record = function.customers.get_mut(customer)?;
        let until = record.rests_until?;
        let left = left(until, now);
        if left.is_none() {
            // The suspension is over, but one more trap within the window suspends the function again.
            *record = Record { since: now, counts: record.counts, count: MOST - 1, rests_until: None };
        }
        left
    }

    /// Records a trap in a customer's call of the function.
    pub(crate) fn broke(&self, customer: &CustomerId, module: &Arc<str>, export: &Export, now: Instant) {
        let mut functions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let function = functions.entry((Arc::clone(module), export.clone())).or_default();
        if function.customers.len() >= REMEMBERED {
            function.customers.retain(|_, record| !record.is_over(now));
        }
        if function.customers.len() < REMEMBERED || function.customers.contains_key(customer) {
            let fresh = Record { since: now, counts: None, count: 0, rests_until: None };
            let record = function.customers.entry(customer.clone()).or_insert(fresh);
            if now.duration_since(record.since) > WINDOW {
                (record.since, record.count) = (now, 0);
            }
            record.count += 1;
            record.counts = Some(now);
            if record.count == MOST {
                record.rests_until = Some(now + REST);
                tell(module, export, "keeps trapping for one customer and rests for that one");
            }
        }
        let trapping = function.customers.values().filter(|record| record.counts_at(now)).count();
        if function.rests_until.is_none() && trapping >= SEVERAL {
            function.rests_until = Some(now + REST);
            // Whoever trapped counts anew after it: no single customer prolongs it.
            for record in function.customers.values_mut() {
                record.counts = None;
            }
            tell(module, export, "keeps trapping for several customers and rests for everybody");
        }
    }

    /// Records an answer of the function to a customer.
    pub(crate) fn answered(&self, customer: &CustomerId, module: &Arc<str>, export: &Export) {
        let mut functions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if functions.is_empty() {
            return;
        }
        let key = (Arc::clone(module), export.clone());
        let Some(function) = functions.get_mut(&key) else { return };
        function.customers.remove(customer);
        // It works for somebody, so what others see is not the function's general state.
        for record in function.customers.values_mut() {
            record.counts = None;
        }
        if function.customers.is_empty() && function.rests_until.is_none() {
            functions.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests;
