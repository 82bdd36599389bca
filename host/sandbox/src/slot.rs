//! A slot to compute in: long work shares few of them, and gives its slot back while it waits for the outside.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The right of one run to compute beside others. Dropping it gives the slot back.
#[derive(Clone, Debug)]
pub struct Slot {
    of: Arc<Semaphore>,
    held: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl Slot {
    /// Takes a slot, waiting in the order of arrival if none is free.
    pub async fn take(of: Arc<Semaphore>) -> Self {
        let slot = Self { of, held: Arc::default() };
        slot.retake().await;
        slot
    }

    /// Waits for something outside without a slot, and takes one again for what follows.
    pub(crate) async fn aside<T>(&self, waiting: impl Future<Output = T>) -> T {
        drop(self.lock().take());
        let value = waiting.await;
        self.retake().await;
        value
    }

    async fn retake(&self) {
        // The semaphore is never closed; without a permit the run would go on all the same.
        let permit = Arc::clone(&self.of).acquire_owned().await.ok();
        *self.lock() = permit;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `slot`.

    use super::*;

    #[tokio::test]
    async fn who_waits_for_the_outside_leaves_the_slot_to_others_and_has_one_again_afterwards() {
        let slots = Arc::new(Semaphore::new(1));
        let slot = Slot::take(Arc::clone(&slots)).await;
        assert_eq!(slots.available_permits(), 0);
        let free = slot.aside(async { slots.available_permits() }).await;
        assert_eq!((free, slots.available_permits()), (1, 0));
        drop(slot);
        assert_eq!(slots.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_wait_that_is_given_up_holds_no_slot() {
        let slots = Arc::new(Semaphore::new(1));
        let slot = Slot::take(Arc::clone(&slots)).await;
        let waiting = slot.aside(std::future::pending::<()>());
        assert!(tokio::time::timeout(std::time::Duration::from_millis(1), waiting).await.is_err());
        assert_eq!(slots.available_permits(), 1);
    }
}
