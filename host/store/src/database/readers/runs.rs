//! Reads of runs: a share of the connections, fair over customers.
//!
//! The host's own questions (who calls, what was answered before, which job is due) keep connections that no run can
//! take, and no customer's runs can take those of all others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use model::id::CustomerId;
use sqlx::any::AnyRow;
use tokio::sync::{AcquireError, Semaphore};

use super::{MOST, PATIENCE, Question, Readers};
use crate::StoreError;
use crate::records::RecordsError;

/// Statements of runs at the same time.
const OF_RUNS: usize = MOST - 2;
/// Of these, statements of one customer.
const OF_ONE: usize = OF_RUNS / 2;
/// How long a statement may take. The run's own time bounds it too.
const LONGEST: Duration = Duration::from_secs(10);

/// Customers that the map holds before it forgets those who do not read any more.
const KNOWN: usize = 256;

/// The turns of all runs, and of each customer that reads at the moment.
pub(super) struct Runs {
    all: Semaphore,
    customers: Mutex<HashMap<CustomerId, Weak<Semaphore>>>,
}

impl Default for Runs {
    fn default() -> Self {
        Self { all: Semaphore::new(OF_RUNS), customers: Mutex::default() }
    }
}

impl Runs {
    fn customers(&self) -> MutexGuard<'_, HashMap<CustomerId, Weak<Semaphore>>> {
        self.customers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turns of one customer: the same for all that read at a time, and gone with the last of them.
    fn of(&self, customer: &CustomerId) -> Arc<Semaphore> {
        let mut customers = self.customers();
        if let Some(turns) = customers.get(customer).and_then(Weak::upgrade) {
            return turns;
        }
        if customers.len() >= KNOWN {
            customers.retain(|_, it| it.strong_count() > 0);
        }
        let turns = Arc::new(Semaphore::new(OF_ONE));
        customers.insert(customer.clone(), Arc::downgrade(&turns));
        turns
    }
}

/// The connections, as the runs of one customer may use them.
///
/// Who gets no turn in time is told that the database is busy, which is no fault of the module's.
#[derive(Clone, Copy)]
pub(crate) struct OfRuns<'a> {
    readers: &'a Readers,
    customer: &'a CustomerId,
}

impl Readers {
    /// The connections for the runs of a customer.
    pub(crate) fn of_runs<'a>(&'a self, customer: &'a CustomerId) -> OfRuns<'a> {
        OfRuns { readers: self, customer }
    }
}

impl OfRuns<'_> {
    /// All rows of an answer.
    pub(crate) async fn fetch_all(self, question: Question<'_>) -> Result<Vec<AnyRow>, RecordsError> {
        self.take_turn(self.readers.ask(LONGEST, async |connection| question.fetch_all(connection).await)).await
    }

    /// The row of an answer that has one at most.
    pub(crate) async fn fetch_optional(self, question: Question<'_>) -> Result<Option<AnyRow>, RecordsError> {
        self.take_turn(self.readers.ask(LONGEST, async |connection| question.fetch_optional(connection).await)).await
    }

    /// The row of an answer that always has one.
    pub(crate) async fn fetch_one(self, question: Question<'_>) -> Result<AnyRow, RecordsError> {
        self.take_turn(self.readers.ask(LONGEST, async |connection| question.fetch_one(connection).await)).await
    }

    /// The customer's own turn comes first, so that a burst waits there and not before the others.
    async fn take_turn<T>(self, asking: impl Future<Output = Result<T, StoreError>>) -> Result<T, RecordsError> {
        let own = self.readers.runs.of(self.customer);
        let turns = async {
            let mine = own.acquire().await?;
            Ok::<_, AcquireError>((mine, self.readers.runs.all.acquire().await?))
        };
        match tokio::time::timeout(PATIENCE, turns).await {
            Ok(Ok(_turns)) => Ok(asking.await?),
            Ok(Err(_)) | Err(_) => Err(RecordsError::Busy),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;

    use super::{KNOWN, OF_ONE, OF_RUNS, Runs};
    use crate::StoreError;
    use crate::fixture::fixture;
    use crate::records::RecordsError;

    async fn forever() -> Result<(), StoreError> {
        pending().await
    }

    #[tokio::test]
    async fn a_customer_whose_reads_take_long_leaves_turns_to_others_and_to_the_host() {
        let fixture = fixture().await;
        let readers = fixture.store.database.reader();
        let (greedy, quiet) = ("cus_greedy".into(), "cus_quiet".into());
        let mut slow: Vec<_> = (0..20).map(|_| Box::pin(readers.of_runs(&greedy).take_turn(forever()))).collect();
        for read in &mut slow {
            assert!(futures_util::poll!(read).is_pending());
        }
        assert_eq!(readers.runs.all.available_permits(), OF_RUNS - OF_ONE);
        let question = || sqlx::query::<sqlx::Any>("SELECT COUNT(*) FROM job");
        assert!(readers.of_runs(&quiet).fetch_one(question()).await.is_ok());
        assert!(readers.fetch_one(question()).await.is_ok());
        drop(slow);
        assert_eq!(readers.runs.all.available_permits(), OF_RUNS);
    }

    #[test]
    fn customers_share_no_turns_keep_theirs_while_they_read_and_are_forgotten_when_they_do_not() {
        let runs = Runs::default();
        let first = runs.of(&"cus_first".into());
        assert!(Arc::ptr_eq(&first, &runs.of(&"cus_first".into())));
        assert!(!Arc::ptr_eq(&first, &runs.of(&"cus_second".into())));
        for number in 0..10 * KNOWN {
            drop(runs.of(&format!("cus_{number}").into()));
        }
        assert!(runs.customers().len() <= KNOWN, "{} are known", runs.customers().len());
        assert!(Arc::ptr_eq(&first, &runs.of(&"cus_first".into())));
    }

    #[tokio::test]
    async fn who_gets_no_turn_in_time_is_told_that_the_database_is_busy() {
        let fixture = fixture().await;
        let readers = fixture.store.database.reader();
        let _all = readers.runs.all.acquire_many(u32::try_from(OF_RUNS).unwrap()).await.unwrap();
        let customer = "cus_late".into();
        let late = readers.of_runs(&customer).take_turn(forever()).await;
        assert!(matches!(late, Err(RecordsError::Busy)), "{late:?}");
    }
}
