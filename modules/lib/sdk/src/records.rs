//! Typed collections: the rows of one customer, by id and by declared index.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::wit::records::{RecordsError, Row};
use crate::forms::{self, Before};
use crate::host::Host;
use crate::value::Id;
use crate::{Cx, Fault, Query, Result, Stored};

/// An index that a collection declares: only these can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    /// The fields joined by `_`.
    pub name: &'static str,
    /// Members of the record that hold JSON scalars, in this order.
    pub fields: &'static [&'static str],
}

/// A type that can be read from a collection, of this module or (`#[foreign]`) of another.
pub trait Readable: Serialize + DeserializeOwned {
    /// `authors`, or `crawl.pages` for another module's.
    const COLLECTION: &'static str;
    /// What one is called; a missing one is `<thing>_not_found`.
    const THING: &'static str;
    /// The name of its id in arguments and results, such as `author_ref`.
    const REFERENCE: &'static str;
    /// What can be asked.
    const INDEXES: &'static [Index];
    /// Whether its module may not be there, or not be readable by this one: then it has no rows.
    const MAY_BE_MISSING: bool = false;

    /// The version of its rows, from 1: `#[record(version = 2, upgrade = …)]`.
    const VERSION: u32 = forms::FIRST;

    /// A row of an earlier version, in this one.
    ///
    /// # Errors
    /// `not_upgraded` when it cannot be brought into it.
    fn upgrade(before: Before) -> Result<Self> {
        before.read()
    }

    /// A row, from the JSON that it was written as. A type that looks at little of most rows keeps the text instead.
    ///
    /// # Errors
    /// It was written as something else.
    fn read(body: String) -> serde_json::Result<Self> {
        serde_json::from_str(&body)
    }
}

/// A type whose rows this module owns.
pub trait Record: Readable + JsonSchema {}

/// One collection. Made by `Cx::records`.
pub struct Records<'a, T> {
    pub(crate) cx: &'a Cx,
    pub(crate) of: PhantomData<fn() -> T>,
}

impl<'a, T: Readable> Records<'a, T> {
    /// The row with this id; 404 `<thing>_not_found` without one.
    pub fn get(&self, id: &Id<T>) -> Result<Stored<T>> {
        self.find(id).ok_or_else(|| missing::<T>(id.as_str()))
    }

    /// The row with this id, if there is one.
    pub fn find(&self, id: &Id<T>) -> Option<Stored<T>> {
        Some(Stored::read(self.cx.host.get(T::COLLECTION, id.as_str()).unwrap_or_else(or_none::<T, _>)?))
    }

    /// All rows, in the order of insertion.
    pub fn all(&self) -> Query<'a, T> {
        Query::new(self.cx, None)
    }

    /// Rows by a declared index: the fields' names joined by `_`.
    pub fn by(&self, index: &'static str) -> Query<'a, T> {
        Query::new(self.cx, Some(index))
    }
}

impl<T: Record> Records<'_, T> {
    /// Adds a row under an id that the host makes.
    pub fn insert(&self, it: T) -> Result<Stored<T>> {
        let row =
            self.cx.host.insert(T::COLLECTION, None, &forms::written(&it)).map_err(|error| refusal::<T>(error, ""))?;
        Ok(Stored { id: Id::new(row.id), version: row.version, it })
    }

    /// Adds a row under an id of the module's choice; 409 `<thing>_exists` when it is taken.
    pub fn insert_as(&self, id: Id<T>, it: T) -> Result<Stored<T>> {
        let body = forms::written(&it);
        match self.cx.host.insert(T::COLLECTION, Some(id.as_str()), &body) {
            Ok(row) => Ok(Stored { id, version: row.version, it }),
            Err(RecordsError::Conflict) => Err(Fault::conflict(
                &format!("{}_exists", T::THING),
                format!("there is already a {} with this reference", words::<T>()),
            )),
            Err(error) => Err(refusal::<T>(error, id.as_str())),
        }
    }

    /// Reads a row, changes it, writes it back; 404 without one, 409 `changed_meanwhile` when another call was faster.
    pub fn update(&self, id: &Id<T>, change: impl FnOnce(&mut T)) -> Result<Stored<T>> {
        let mut stored = self.get(id)?;
        change(&mut stored.it);
        self.save(stored)
    }

    /// Writes back a row that was read; 409 `changed_meanwhile` when another call was faster.
    pub fn save(&self, stored: Stored<T>) -> Result<Stored<T>> {
        let Stored { id, version, it } = stored;
        let row = self.cx.host.update(T::COLLECTION, id.as_str(), version, &forms::written(&it));
        let row = row.map_err(|error| refusal::<T>(error, id.as_str()))?;
        Ok(Stored { id, version: row.version, it })
    }

    /// Removes a row that was read; 409 `changed_meanwhile` when another call was faster.
    pub fn remove(&self, stored: &Stored<T>) -> Result<()> {
        self.cx
            .host
            .remove(T::COLLECTION, stored.id.as_str(), stored.version)
            .map_err(|error| refusal::<T>(error, stored.id.as_str()))
    }

    /// Inserts many at once under ids that the host makes; how many.
    pub fn put_many<'t>(&self, rows: impl IntoIterator<Item = &'t T>) -> Result<u32>
    where
        T: 't,
    {
        self.pack(rows.into_iter().map(|it| ("", it)))
    }

    /// Inserts or replaces many at once under the module's own ids; how many.
    pub fn put_many_as<'t>(&self, rows: impl IntoIterator<Item = (&'t Id<T>, &'t T)>) -> Result<u32>
    where
        T: 't,
    {
        self.pack(rows.into_iter().map(|(id, it)| (id.as_str(), it)))
    }

    fn pack<'t>(&self, rows: impl Iterator<Item = (&'t str, &'t T)>) -> Result<u32>
    where
        T: 't,
    {
        let mut packed = Vec::new();
        for (id, it) in rows {
            packed.extend_from_slice(id.as_bytes());
            packed.push(b'\t');
            packed.extend_from_slice(forms::written(it).as_bytes());
            packed.push(b'\n');
        }
        self.cx.host.put_many(T::COLLECTION, &packed).map_err(|error| refusal::<T>(error, ""))
    }
}

impl<T: Readable> Stored<T> {
    /// A row as the type it was written from. One that is not is a module that changed its records
    /// without keeping the old ones readable: a trap, never a refusal that looks like the caller's fault.
    pub(crate) fn read(row: Row) -> Self {
        let Row { id, version, body } = row;
        match forms::read(body) {
            Ok(it) => Self { id: Id::new(id), version, it },
            Err(fault) => panic!("{}", fault.message),
        }
    }
}

/// What the host says of a write that the caller can act on.
fn refusal<T: Readable>(error: RecordsError, id: &str) -> Fault {
    match error {
        RecordsError::Conflict => Fault::conflict(
            "changed_meanwhile",
            format!("the {} was changed by another call; read it again", words::<T>()),
        ),
        RecordsError::Missing => missing::<T>(id),
        RecordsError::Undeclared(_) | RecordsError::Malformed(_) => mistake::<T, _>(error),
    }
}

/// Nothing, of a collection that may be missing; otherwise as [`mistake`].
pub(crate) fn or_none<T: Readable, R: Default>(error: RecordsError) -> R {
    match error {
        RecordsError::Undeclared(_) if T::MAY_BE_MISSING => R::default(),
        error => mistake::<T, _>(error),
    }
}

/// What the host says of a mistake of the module's author: a trap.
pub(crate) fn mistake<T: Readable, R>(error: RecordsError) -> R {
    panic!("{}: {error:?}", T::COLLECTION)
}

fn missing<T: Readable>(id: &str) -> Fault {
    Fault::not_found(&format!("{}_not_found", T::THING), format!("there is no {} {id:.64}", words::<T>()))
}

fn words<T: Readable>() -> String {
    T::THING.replace('_', " ")
}
