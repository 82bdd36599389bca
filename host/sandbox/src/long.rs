//! Which operations compute for long, and the priority of the threads that run them.
//!
//! A short call is answered on the thread that received it. A long one would delay every other call on that thread until its
//! first yield, so an operation whose last run was long starts on the guests' own threads. These have a lower priority than
//! the host's threads: with all cores taken by one customer's computations, another's short call runs at once.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use model::id::CustomerId;

use crate::export::Export;
use crate::perform::TURN;

/// How much lower the priority of guest threads is. Under load they get about a tenth of the processor time that the host's
/// threads want, and all of what these leave.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Entries that are remembered; beyond it all are forgotten, and each is learned again by one run.
const MAX_ENTRIES: usize = 8_192;

/// The exports whose last run for a customer computed for longer than one turn. By customer, because another's long runs must
/// not send a short call behind them.
#[derive(Default)]
pub(crate) struct LongRuns(Mutex<HashSet<(CustomerId, Export)>>);

impl LongRuns {
    /// Whether the last run of an export for a customer was long.
    pub(crate) fn expects(&self, customer: &CustomerId, export: &Export) -> bool {
        self.lock().contains(&(customer.clone(), export.clone()))
    }

    /// Remembers how much fuel a run took.
    pub(crate) fn learn(&self, customer: &CustomerId, export: &Export, fuel: u64) {
        let mut long = self.lock();
        let entry = (customer.clone(), export.clone());
        if fuel <= TURN {
            long.remove(&entry);
            return;
        }
        if long.len() >= MAX_ENTRIES {
            long.clear();
        }
        long.insert(entry);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<(CustomerId, Export)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lowers the priority of the calling thread, where threads have their own. It is a preference: a refusal changes nothing.
pub(crate) fn lower_priority() {
    // On Linux `nice` concerns the thread; elsewhere it would slow the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_expected_to_be_long_for_who_ran_it_long_and_until_it_was_short() {
        let (long, export) = (LongRuns::default(), Export::Operation("notes.list".to_owned()));
        let (ada, bob) = (CustomerId::from("cus_ada"), CustomerId::from("cus_bob"));
        assert!(!long.expects(&ada, &export));
        long.learn(&ada, &export, TURN + 1);
        assert!(long.expects(&ada, &export));
        assert!(!long.expects(&bob, &export), "another customer's runs say nothing of his");
        assert!(!long.expects(&ada, &Export::Route("notes.list".to_owned())));
        long.learn(&ada, &export, TURN);
        assert!(!long.expects(&ada, &export));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let (long, ada) = (LongRuns::default(), CustomerId::from("cus_ada"));
        for at in 0..=MAX_ENTRIES {
            long.learn(&ada, &Export::Operation(format!("notes.{at}")), TURN + 1);
        }
        assert_eq!(long.lock().len(), 1);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_priority_of_one_thread_is_lowered_and_that_of_others_stays() {
        let priority = || rustix::process::getpriority_process(None).expect("it is known");
        let before = priority();
        let lowered = std::thread::spawn(move || {
            lower_priority();
            rustix::process::getpriority_process(None).expect("it is known")
        });
        assert_eq!(lowered.join().expect("it ends"), (before + NICENESS).min(19));
        assert_eq!(priority(), before);
    }
}
