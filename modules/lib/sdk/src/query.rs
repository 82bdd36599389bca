//! Asking a collection: equality on leading fields, a range on the next, an order, a keyset page.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::bindings::wit::records as wit;
use crate::host::Host;
use crate::records::{mistake, or_none};
use crate::{Cx, Readable, Result, Stored, entry, invalid_cursor};

/// The most rows in one page of the host.
const LIMIT: u32 = 1_000;

/// Where a page ended. Opaque; given back as the argument `cursor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(pub(crate) String);

impl Cursor {
    /// A cursor of the module's own making, for lists that no index orders.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for Cursor {
    fn schema_name() -> Cow<'static, str> {
        "Cursor".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 1_024, "own": true })
    }
}

/// One page of a list; a `#[page]` struct is made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Present when there is more.
    pub next: Option<Cursor>,
}

impl<T> Page<T> {
    /// The same page of something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(change).collect(), next: self.next }
    }
}

/// A question to one collection, built word by word.
#[must_use]
pub struct Query<'a, T> {
    cx: &'a Cx,
    query: wit::Query,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Readable> Query<'a, T> {
    pub(crate) fn new(cx: &'a Cx, index: Option<&'static str>) -> Self {
        let query = wit::Query {
            index: index.map(str::to_owned),
            equals: Vec::new(),
            at_least: None,
            below: None,
            descending: false,
            after: None,
            limit: LIMIT,
        };
        Self { cx, query, of: PhantomData }
    }

    /// The next field of the index is this; said once for each leading field.
    pub fn equals(mut self, value: impl Serialize) -> Self {
        self.query.equals.push(entry::written(&value));
        self
    }

    /// The field after those that are equal is at least this.
    pub fn at_least(mut self, value: impl Serialize) -> Self {
        self.query.at_least = Some(entry::written(&value));
        self
    }

    /// The field after those that are equal is below this.
    pub fn below(mut self, value: impl Serialize) -> Self {
        self.query.below = Some(entry::written(&value));
        self
    }

    /// Last first.
    pub fn descending(mut self) -> Self {
        self.query.descending = true;
        self
    }

    /// One page of at most `limit` rows (1 to 1,000), after the cursor of an earlier one; 422 at `/cursor` when it is not ours.
    pub fn page(mut self, limit: impl Into<u64>, cursor: Option<Cursor>) -> Result<Page<Stored<T>>> {
        self.query.limit = u32::try_from(limit.into()).unwrap_or(LIMIT).clamp(1, LIMIT);
        let given = cursor.is_some();
        self.query.after = cursor.map(|it| it.0);
        match self.cx.host.find(T::COLLECTION, &self.query) {
            Ok(page) => {
                Ok(Page { items: page.rows.into_iter().map(Stored::read).collect(), next: page.next.map(Cursor) })
            }
            Err(wit::RecordsError::Malformed(_)) if given => Err(invalid_cursor()),
            Err(wit::RecordsError::Undeclared(_)) if T::MAY_BE_MISSING => Ok(Page { items: Vec::new(), next: None }),
            Err(error) => mistake::<T, _>(error),
        }
    }

    /// The first row, if there is one.
    pub fn first(mut self) -> Option<Stored<T>> {
        self.query.limit = 1;
        let rows = self.cx.host.find(T::COLLECTION, &self.query).map(|page| page.rows);
        rows.unwrap_or_else(or_none::<T, _>).into_iter().next().map(Stored::read)
    }

    /// How many rows there are.
    pub fn count(self) -> u64 {
        self.cx.host.count(T::COLLECTION, &self.query).unwrap_or_else(or_none::<T, _>)
    }

    /// Every row, read in packed chunks of 1,000 as the iterator advances.
    pub fn scan(self) -> Scan<'a, T> {
        Scan { query: Some(self), rows: VecDeque::new() }
    }
}

impl<T: crate::Record> Query<'_, T> {
    /// Removes every row that the equal fields select; how many. Ranges do not apply.
    pub fn remove(self) -> u64 {
        let index = self.query.index.as_deref().unwrap_or_default();
        self.cx.host.remove_where(T::COLLECTION, index, &self.query.equals).unwrap_or_else(mistake::<T, _>)
    }
}

/// The rows of a query, a chunk at a time.
pub struct Scan<'a, T> {
    /// Absent once the last chunk was read.
    query: Option<Query<'a, T>>,
    rows: VecDeque<Stored<T>>,
}

impl<T: Readable> Iterator for Scan<'_, T> {
    type Item = Stored<T>;

    fn next(&mut self) -> Option<Stored<T>> {
        while self.rows.is_empty() {
            let mut query = self.query.take()?;
            let chunk = query.cx.host.scan(T::COLLECTION, &query.query).map(|chunk| (chunk.rows, chunk.next));
            let (rows, next) = chunk.unwrap_or_else(or_none::<T, _>);
            let lines = rows.split(|it| *it == b'\n').filter(|it| !it.is_empty());
            self.rows.extend(lines.map(|line| Stored::read(unpack::<T>(line))));
            if next.is_some() {
                query.query.after = next;
                self.query = Some(query);
            }
        }
        self.rows.pop_front()
    }
}

/// Reads `id, tab, version, tab, body`.
fn unpack<T: Readable>(line: &[u8]) -> wit::Row {
    let text = String::from_utf8_lossy(line);
    let mut parts = text.splitn(3, '\t');
    let (id, version, body) = (parts.next(), parts.next().and_then(|it| it.parse().ok()), parts.next());
    match (id, version, body) {
        (Some(id), Some(version), Some(body)) => wit::Row { id: id.to_owned(), version, body: body.to_owned() },
        _ => panic!("{}: a packed row is not id, version and body", T::COLLECTION),
    }
}
