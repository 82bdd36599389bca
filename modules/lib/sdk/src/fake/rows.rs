//! The rows that a test stores and looks for.

use super::Fake;
use crate::value::Id;
use crate::{Readable, Stored};

impl Fake {
    /// Adds a row of this module, or of another module's collection, under an id that the host makes.
    #[must_use]
    pub fn with<T: Readable>(self, it: T) -> Self {
        self.put(it);
        self
    }

    /// Adds a row under an id.
    #[must_use]
    pub fn with_as<T: Readable>(self, id: &str, it: T) -> Self {
        self.put_as(id, it);
        self
    }

    /// Adds a row and gives it back.
    pub fn put<T: Readable>(&self, it: T) -> Stored<T> {
        self.cx.host.set_up::<T>(None, it)
    }

    /// Adds a row under an id and gives it back.
    pub fn put_as<T: Readable>(&self, id: &str, it: T) -> Stored<T> {
        self.cx.host.set_up::<T>(Some(id), it)
    }

    /// Adds a row of one of this module's collections as an earlier version wrote it.
    pub fn stored(&self, collection: &str, id: &str, row: &serde_json::Value) {
        self.cx.host.store(collection, id, row);
    }

    /// Takes a row away, as another module would one of its own.
    pub fn forget<T: Readable>(&self, id: &Id<T>) {
        let mut state = self.cx.host.state.borrow_mut();
        let table = state.tables.get_mut(T::COLLECTION).unwrap_or_else(|| panic!("nothing is in {}", T::COLLECTION));
        table.forget(id.as_str());
    }

    /// Every stored row of a kind, in the order of insertion.
    pub fn rows<T: Readable>(&self) -> Vec<Stored<T>> {
        self.cx.records::<T>().all().scan().collect()
    }

    /// Whether a row of this id is stored.
    pub fn has<T: Readable>(&self, id: &Id<T>) -> bool {
        self.cx.records::<T>().find(id).is_some()
    }
}
