//! Which operations compute for long, and the priority of the threads that run them.
//!
//! A short call is answered on the thread that received it. A long one would delay every other call on that thread until its
//! first yield, so an operation whose last run was long starts on the guests' own threads. These have a lower priority than
//! the host's threads: with all cores taken by one customer's computations, another's short call runs at once.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use crate::export::Export;
use crate::perform::TURN;

/// How much lower the priority of guest threads is. Under load they get about a tenth of the processor time that the host's
/// threads want, and all of what these leave.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The operations and routes whose last run computed for longer than one turn.
#[derive(Default)]
pub(crate) struct LongRuns(Mutex<HashSet<Export>>);

impl LongRuns {
    /// Whether the last run of an export was long.
    pub(crate) fn expects(&self, export: &Export) -> bool {
        self.lock().contains(export)
    }

    /// Remembers how much fuel a run took.
    pub(crate) fn learn(&self, export: &Export, fuel: u64) {
        let mut long = self.lock();
        match (fuel > TURN, long.contains(export)) {
            (true, false) => _ = long.insert(export.clone()),
            (false, true) => _ = long.remove(export),
            _ => {}
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<Export>> {
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
    fn an_operation_is_expected_to_be_long_as_long_as_its_last_run_was() {
        let (long, export) = (LongRuns::default(), Export::Operation("notes.list".to_owned()));
        assert!(!long.expects(&export));
        long.learn(&export, TURN + 1);
        assert!(long.expects(&export));
        assert!(!long.expects(&Export::Route("notes.list".to_owned())));
        long.learn(&export, TURN);
        assert!(!long.expects(&export));
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
