//! One customer's calls that wait for slots of one host: a few take slots ahead, the others wait for these.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use model::id::CustomerId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::Failure;

/// Calls of one customer that hold slots of one host at once.
const AHEAD: usize = 4;
/// Queues before unused ones are dropped.
const MOST_QUEUES: usize = 4_096;

/// The queues, by customer and host.
#[derive(Default)]
pub(super) struct Queues(Mutex<HashMap<(CustomerId, String), Arc<Semaphore>>>);

impl Queues {
    /// Waits until few enough calls of the customer hold slots of the host.
    ///
    /// # Errors
    /// `Paced` when that is later than `until`.
    pub(super) async fn enter(
        &self,
        customer: &CustomerId,
        host: &str,
        until: Instant,
    ) -> Result<OwnedSemaphorePermit, Failure> {
        let queue = self.queue(customer, host);
        let late = || Failure::Paced(until.saturating_duration_since(Instant::now()));
        let entered = tokio::time::timeout_at(until, queue.acquire_owned()).await;
        entered.ok().and_then(Result::ok).ok_or_else(late)
    }

    fn queue(&self, customer: &CustomerId, host: &str) -> Arc<Semaphore> {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if queues.len() >= MOST_QUEUES {
            queues.retain(|_, queue| Arc::strong_count(queue) > 1);
        }
        let key = (customer.clone(), host.to_owned());
        Arc::clone(queues.entry(key).or_insert_with(|| Arc::new(Semaphore::new(AHEAD))))
    }
}
