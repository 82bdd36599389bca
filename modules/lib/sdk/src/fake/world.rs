//! The state of the fake host.

use std::cell::{Cell, RefCell, RefMut};

use super::held::Held;
use super::names::Names;
use super::platform::Service;
use super::post::Post;
use super::providers::Providers;
use super::recipients::Asked;
use super::table::Table;
use super::web::Web;
use crate::bindings::wit::records::RecordsError;
use crate::value::{Id, Moment};
use crate::{Module, Readable, Stored, forms};

/// The fake host's state.
#[derive(Default)]
pub(crate) struct World {
    pub(super) state: RefCell<Held>,
    pub(super) web: RefCell<Web>,
    pub(super) names: RefCell<Names>,
    pub(super) providers: RefCell<Providers>,
    pub(super) post: RefCell<Post>,
    pub(super) asked: RefCell<Asked>,
    pub(super) service: RefCell<Service>,
    /// What the running operation may ask of providers; none: whatever it likes.
    pub(super) outside: Cell<Option<&'static [&'static str]>>,
}

impl World {
    pub(super) fn declare(&self, module: &Module) {
        let mut state = self.state.borrow_mut();
        for it in &module.collections {
            state
                .tables
                .insert(it.name.to_owned(), Table::new(it.indexes, (it.version > forms::FIRST).then_some(it.row)));
        }
        state.steps = module.steps.iter().map(|it| it.name).collect();
    }

    pub(super) fn set_up<T: Readable>(&self, id: Option<&str>, it: T) -> Stored<T> {
        let mut state = self.state.borrow_mut();
        if T::COLLECTION.contains('.') {
            state
                .tables
                .entry(T::COLLECTION.to_owned())
                .or_insert_with(|| Table::new(T::INDEXES, (T::VERSION > forms::FIRST).then_some(forms::row::<T>)));
        }
        let id = id.map_or_else(|| state.make_id(), str::to_owned);
        let table = state
            .tables
            .get_mut(T::COLLECTION)
            .unwrap_or_else(|| panic!("module! lists no collection {}", T::COLLECTION));
        let row =
            table.insert(&id, &forms::written(&it)).unwrap_or_else(|error| panic!("{}: {error:?}", T::COLLECTION));
        Stored { id: Id::new(row.id), version: row.version, it }
    }

    pub(super) fn store(&self, collection: &str, id: &str, row: &serde_json::Value) {
        let mut state = self.state.borrow_mut();
        let table = state.tables.get_mut(collection);
        let table = table.unwrap_or_else(|| panic!("module! lists no collection {collection}"));
        table.insert(id, &row.to_string()).unwrap_or_else(|error| panic!("{collection}: {error:?}"));
    }

    /// What is held, for a change that a read may not make.
    pub(super) fn changing(&self, what: &str) -> RefMut<'_, Held> {
        let state = self.state.borrow_mut();
        state.stop_a_read(what);
        state
    }

    pub(super) fn set_now(&self, now: Moment) {
        self.state.borrow_mut().now = now.millis();
    }

    pub(super) fn trace(&self) -> Vec<String> {
        self.state.borrow().trace.clone()
    }

    pub(super) fn read<R>(
        &self,
        collection: &str,
        read: impl FnOnce(&Table) -> Result<R, RecordsError>,
    ) -> Result<R, RecordsError> {
        match self.state.borrow().tables.get(collection) {
            Some(table) => read(table),
            // A foreign collection that the test did not fill is an empty one.
            None if collection.contains('.') => read(&Table::foreign()),
            None => Err(RecordsError::Undeclared(collection.to_owned())),
        }
    }

    pub(super) fn write<R>(
        &self,
        collection: &str,
        write: impl FnOnce(&mut Table) -> Result<R, RecordsError>,
    ) -> Result<R, RecordsError> {
        let mut state = self.state.borrow_mut();
        state.stop_a_read(collection);
        assert!(!collection.contains('.'), "{collection} is another module's, and may only be read");
        write(state.tables.get_mut(collection).ok_or_else(|| RecordsError::Undeclared(collection.to_owned()))?)
    }
}
