//! What the writer still knows from its last commits: balances and ends of trails, so that it need not read them.
//!
//! It is true as long as nobody else has written: another process shows in the database's generation, another kind
//! of statement forgets everything. Where nobody can tell, nothing is known.

use std::collections::HashMap;

use model::id::CustomerId;

use crate::database::writer::Tx;
use crate::money::book::Purse;
use crate::trail::Head;

/// Customers that are remembered at most.
const MANY: usize = 10_000;

/// Balances and ends of trails, by customer.
#[derive(Default)]
pub(crate) struct Known {
    generation: Option<i64>,
    purses: HashMap<CustomerId, Purse>,
    heads: HashMap<CustomerId, Head>,
}

impl Known {
    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes out what is known of these customers. What does not come back with [`Known::learn`] is forgotten.
    pub(super) fn take(
        tx: &mut Tx,
        customers: &[CustomerId],
    ) -> (HashMap<CustomerId, Purse>, HashMap<CustomerId, Head>) {
        let generation = tx.generation;
        let known = &mut tx.known;
        if generation.is_none() || generation != known.generation || known.purses.len().max(known.heads.len()) > MANY {
            known.forget();
            known.generation = generation;
        }
        let purses = customers.iter().filter_map(|customer| known.purses.remove_entry(customer)).collect();
        let heads = customers.iter().filter_map(|customer| known.heads.remove_entry(customer)).collect();
        (purses, heads)
    }

    /// Remembers what has just been written.
    pub(super) fn learn(&mut self, purses: HashMap<CustomerId, Purse>, heads: HashMap<CustomerId, Head>) {
        if self.generation.is_some() {
            self.purses.extend(purses);
            self.heads.extend(heads);
        }
    }
}
