//! Who runs next: a fair queue for all and a fair queue for each customer, so that neither a full pool nor one
//! customer's flood becomes anybody's error of the allocator.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use model::id::CustomerId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;

/// Places of the whole machine and of each customer.
pub(crate) struct Admission {
    all: Arc<Queue>,
    customers: Mutex<HashMap<CustomerId, Arc<Queue>>>,
    places_per_customer: usize,
    waiting_per_customer: usize,
}

struct Queue {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
}

/// Nobody else may wait.
#[derive(Debug)]
pub(crate) struct Full;

/// A place to run; free again when it is dropped.
pub(crate) struct Place {
    _all: OwnedSemaphorePermit,
    _customer: OwnedSemaphorePermit,
}

impl Admission {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            all: Arc::new(Queue::new(config.concurrent, config.queue)),
            customers: Mutex::default(),
            places_per_customer: config.concurrent_per_customer.max(1),
            waiting_per_customer: config.queue_per_customer,
        }
    }

    /// A place for this customer, at once or after waiting in turn. The customer's own queue comes first, so that
    /// who floods waits there and holds no place of others.
    pub(crate) async fn enter(&self, customer: &CustomerId) -> Result<Place, Full> {
        let own = self.own(customer);
        let place = own.enter().await?;
        Ok(Place { _customer: place, _all: self.all.enter().await? })
    }

    fn own(&self, customer: &CustomerId) -> Arc<Queue> {
        let mut customers = self.customers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = customers.get(customer) {
            return Arc::clone(queue);
        }
        // A queue that only the table holds and whose places are all free belongs to nobody who runs or waits.
        if customers.len() >= 4_096 {
            let free = self.places_per_customer;
            customers.retain(|_, queue| Arc::strong_count(queue) > 1 || queue.places.available_permits() < free);
        }
        let queue = Arc::new(Queue::new(self.places_per_customer, self.waiting_per_customer));
        customers.insert(customer.clone(), Arc::clone(&queue));
        queue
    }
}

impl Queue {
    fn new(places: usize, most_waiting: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(places.max(1))), waiting: AtomicUsize::new(0), most_waiting }
    }

    async fn enter(&self) -> Result<OwnedSemaphorePermit, Full> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(place);
        }
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= self.most_waiting {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return Err(Full);
        }
        let _turn = Turn(&self.waiting);
        Arc::clone(&self.places).acquire_owned().await.map_err(|_| Full)
    }
}

/// One who waits; counted off also when the waiting is given up.
struct Turn<'a>(&'a AtomicUsize);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests;
