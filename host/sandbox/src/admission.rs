//! Admission of runs: one fair queue for the host and one per customer. A full pool or one customer's burst therefore
//! never surfaces as an allocator error of another run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use model::id::CustomerId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;

/// Run slots of the host and of each customer.
pub(crate) struct Admission {
    all: Arc<Queue>,
    customers: Mutex<HashMap<CustomerId, Arc<Queue>>>,
    places_per_customer: usize,
    waiting_per_customer: usize,
    computing_per_customer: usize,
}

struct Queue {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    /// Runs that compute; the others of the queue wait for the outside.
    computing: Arc<Semaphore>,
}

/// The queue is full.
#[derive(Debug)]
pub(crate) struct Full;

/// A run slot, released on drop.
pub(crate) struct Place {
    /// The customer's slots to compute in.
    pub(crate) computing: Arc<Semaphore>,
    _all: OwnedSemaphorePermit,
    _customer: OwnedSemaphorePermit,
}

impl Admission {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            all: Arc::new(Queue::new(config.concurrent, config.queue, config.threads)),
            customers: Mutex::default(),
            places_per_customer: config.concurrent_per_customer.max(1),
            waiting_per_customer: config.queue_per_customer,
            computing_per_customer: config.threads,
        }
    }

    /// Acquires a run slot, waiting if none is free. The customer's own queue comes first, so a customer with a burst
    /// of calls waits there without occupying the shared slots.
    pub(crate) async fn enter(&self, customer: &CustomerId) -> Result<Place, Full> {
        let own = self.own(customer);
        let place = own.enter().await?;
        let computing = Arc::clone(&own.computing);
        Ok(Place { computing, _customer: place, _all: self.all.enter().await? })
    }

    fn own(&self, customer: &CustomerId) -> Arc<Queue> {
        let mut customers = self.customers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = customers.get(customer) {
            return Arc::clone(queue);
        }
        // A queue that only this map references and whose slots are all free has no running or waiting call.
        if customers.len() >= 4_096 {
            let free = self.places_per_customer;
            customers.retain(|_, queue| Arc::strong_count(queue) > 1 || queue.places.available_permits() < free);
        }
        let queue =
            Arc::new(Queue::new(self.places_per_customer, self.waiting_per_customer, self.computing_per_customer));
        customers.insert(customer.clone(), Arc::clone(&queue));
        queue
    }
}

impl Queue {
    fn new(places: usize, most_waiting: usize, computing: usize) -> Self {
        let (places, computing) = (Semaphore::new(places.max(1)), Semaphore::new(computing.max(1)));
        let (places, computing) = (Arc::new(places), Arc::new(computing));
        Self { places, waiting: AtomicUsize::new(0), most_waiting, computing }
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

/// A waiting caller. Drop decrements the counter, also when the wait is cancelled.
struct Turn<'a>(&'a AtomicUsize);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests;
