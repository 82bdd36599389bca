//! The memory that all runs hold together: the guests' linear memories and what the host keeps for them. Growth beyond
//! the bound ends the run that asks for it, and nothing else.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use model::id::CustomerId;

/// Customers whose shares are tracked before unused ones are dropped.
const MOST_TRACKED: usize = 4_096;

/// The bytes that may be held, in all and by one customer.
pub(crate) struct MemoryBudget {
    all: Arc<Share>,
    customers: Mutex<HashMap<CustomerId, Arc<Share>>>,
    most_per_customer: usize,
}

/// Bytes held, and how many may be.
#[derive(Debug)]
struct Share {
    held: AtomicUsize,
    most: usize,
}

/// There is no room for that much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// The bytes that one run holds, released on drop.
#[derive(Debug, Default)]
pub(crate) struct Held {
    shares: Option<[Arc<Share>; 2]>,
    bytes: usize,
}

impl MemoryBudget {
    /// One customer may hold half of it, so that another's runs always find room.
    pub(crate) fn new(most: usize) -> Self {
        let all = Arc::new(Share { held: AtomicUsize::new(0), most });
        Self { all, customers: Mutex::default(), most_per_customer: most / 2 }
    }

    /// A run of this customer, which holds nothing yet.
    pub(crate) fn open(&self, customer: &CustomerId) -> Held {
        let mut customers = self.customers.lock().unwrap_or_else(PoisonError::into_inner);
        if customers.len() >= MOST_TRACKED && !customers.contains_key(customer) {
            customers.retain(|_, share| Arc::strong_count(share) > 1);
        }
        let own = customers
            .entry(customer.clone())
            .or_insert_with(|| Arc::new(Share { held: AtomicUsize::new(0), most: self.most_per_customer }));
        Held { shares: Some([Arc::clone(own), Arc::clone(&self.all)]), bytes: 0 }
    }

    /// The bytes held by all runs.
    pub(crate) fn held(&self) -> usize {
        self.all.held.load(Ordering::Relaxed)
    }
}

impl Share {
    fn take(&self, bytes: usize) -> Result<(), Full> {
        let fits = |held: usize| held.checked_add(bytes).filter(|held| *held <= self.most);
        self.held.try_update(Ordering::Relaxed, Ordering::Relaxed, fits).map(drop).map_err(|_| Full)
    }

    fn give(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Held {
    /// Holds this many bytes in all; fewer than before changes nothing. A run without a budget, such as a replay, holds
    /// as much as it wants.
    pub(crate) fn raise_to(&mut self, bytes: usize) -> Result<(), Full> {
        let (Some([own, all]), Some(more)) = (&self.shares, bytes.checked_sub(self.bytes)) else { return Ok(()) };
        own.take(more)?;
        if let Err(full) = all.take(more) {
            own.give(more);
            return Err(full);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        for share in self.shares.iter().flatten() {
            share.give(self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_customer_holds_half_at_most_and_gives_it_back_in_the_end() {
        let budget = MemoryBudget::new(100);
        let (ada, bob) = (CustomerId::from("cus_ada"), CustomerId::from("cus_bob"));
        let (mut first, mut second, mut other) = (budget.open(&ada), budget.open(&ada), budget.open(&bob));
        assert_eq!(first.raise_to(30), Ok(()));
        assert_eq!(first.raise_to(20), Ok(()), "less than before is no change");
        assert_eq!(second.raise_to(21), Err(Full));
        assert_eq!(second.raise_to(20), Ok(()));
        assert_eq!(other.raise_to(50), Ok(()));
        assert_eq!(budget.held(), 100);
        drop(first);
        assert_eq!(budget.held(), 70);
        assert_eq!(second.raise_to(50), Ok(()));
        drop((second, other));
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn what_was_refused_is_not_held() {
        let budget = MemoryBudget::new(100);
        let names = ["cus_1", "cus_2", "cus_3"];
        let mut runs: Vec<Held> = names.iter().map(|name| budget.open(&CustomerId::from(*name))).collect();
        assert_eq!((runs[0].raise_to(50), runs[1].raise_to(40)), (Ok(()), Ok(())));
        assert_eq!(runs[2].raise_to(11), Err(Full));
        assert_eq!(budget.held(), 90);
        assert_eq!(runs[2].raise_to(10), Ok(()));
    }

    #[test]
    fn a_run_without_a_budget_is_not_bound() {
        assert_eq!(Held::default().raise_to(usize::MAX), Ok(()));
    }
}
