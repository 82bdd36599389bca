//! A large crawl by columns: one blob has one field of some thousand pages, so that a list asks about a field
//! without reading the sixty others of every page.
//!
//! Pages stand on shelves, in the order of fetching; a column is a JSON array with a value, or `null`, for each page of
//! its shelf. A field that no page of a shelf has is not written.

use std::collections::BTreeMap;

use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fields::{FIELDS, Field};

/// A crawl of fewer pages has no columns: one call looks through all of its rows.
pub(crate) const FEWEST: u64 = 2_500;
/// The field that every page has: its place in the order of fetching.
pub(crate) const ALWAYS: &str = "seq";
/// Pages of one shelf.
const MOST_PAGES: u32 = 5_000;
/// Bytes of one column after which its shelf is full even so.
const MOST_BYTES: usize = 512 << 10;

/// The shelves of a crawl.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shelves {
    /// The pages of each.
    pub(crate) pages: Vec<u32>,
    /// Whether every page stands on one, with what its row says.
    pub(crate) whole: bool,
    /// How many pages have which value, of the fields that an index answers: counting them anew takes longer than finding
    /// the first.
    #[serde(default)]
    counts: BTreeMap<String, BTreeMap<String, u64>>,
}

/// The fields of which the pages with each value are counted.
const COUNTED: [&str; 3] = ["status", "depth", "indexability"];

impl Shelves {
    /// Notes what a page has.
    pub(crate) fn count(&mut self, row: &Map<String, Value>) {
        for field in COUNTED {
            if let Some(value) = row.get(field) {
                *self.counts.entry(field.to_owned()).or_default().entry(value.to_string()).or_default() += 1;
            }
        }
    }

    /// How many pages have this value of a counted field.
    pub(crate) fn counted(&self, field: &str, value: &Value) -> Option<u64> {
        let values = self.counts.get(field)?;
        Some(values.get(&value.to_string()).copied().unwrap_or(0))
    }

    /// Those of a crawl, if they say what its rows say.
    pub(crate) fn whole(cx: &Cx, run: &str) -> Option<Self> {
        Self::read(cx, run).filter(|shelves| shelves.whole)
    }

    /// Those of a crawl, as far as they are filled.
    pub(crate) fn read(cx: &Cx, run: &str) -> Option<Self> {
        let bytes = cx.blobs().read(&Self::blob(run), 0, 1 << 20).filter(|bytes| !bytes.is_empty())?;
        Some(serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("shelves do not read: {error}")))
    }

    /// Keeps what they are now.
    pub(crate) fn write(&self, cx: &Cx, run: &str) -> Result<()> {
        cx.blobs().write(&Self::blob(run), sdk::json!(self).to_string().as_bytes())
    }

    /// The blob that says what they are.
    pub(crate) fn blob(run: &str) -> String {
        format!("columns/{run}")
    }
}

/// The blob of a column.
pub(crate) fn blob(run: &str, shelf: usize, field: &str) -> String {
    format!("columns/{run}/{shelf}/{field}")
}

/// The blobs of all columns that a shelf may have; a shelf is there as long as the last of them is.
pub(crate) fn blobs(run: &str, shelf: usize) -> impl Iterator<Item = String> {
    let others = FIELDS.iter().map(|field| field.name).filter(|name| *name != ALWAYS);
    others.chain([ALWAYS]).map(move |name| blob(run, shelf, name))
}

/// Whether there is such a shelf, whole or not.
pub(crate) fn is_there(cx: &Cx, run: &str, shelf: usize) -> bool {
    cx.blobs().read(&blob(run, shelf, ALWAYS), 0, 1).is_some_and(|bytes| !bytes.is_empty())
}

/// The values of one field of a shelf, a page each.
pub(crate) struct Column {
    /// What was read for it.
    pub(crate) bytes: usize,
    values: Vec<Value>,
}

impl Column {
    /// Reads one.
    pub(crate) fn read(cx: &Cx, run: &str, shelf: usize, field: &str) -> Self {
        let bytes = cx.blobs().read(&blob(run, shelf, field), 0, 8 << 20).unwrap_or_default();
        let values = match bytes.as_slice() {
            [] => Vec::new(),
            bytes => serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("a column does not read: {error}")),
        };
        Self { bytes: bytes.len(), values }
    }

    /// The value of a page; none when it has none.
    pub(crate) fn value(&self, page: usize) -> Option<&Value> {
        self.values.get(page).filter(|value| !value.is_null())
    }
}

/// A shelf that is being filled.
pub(crate) struct Shelf {
    pages: u32,
    columns: Vec<Filling>,
}

struct Filling {
    field: &'static Field,
    text: Vec<u8>,
    any: bool,
}

impl Shelf {
    /// With nothing on it.
    pub(crate) fn new() -> Self {
        let columns = FIELDS.iter().map(|field| Filling { field, text: vec![b'['], any: false });
        Self { pages: 0, columns: columns.collect() }
    }

    /// Puts a page after the others.
    pub(crate) fn push(&mut self, row: &Map<String, Value>) {
        for column in &mut self.columns {
            if self.pages > 0 {
                column.text.push(b',');
            }
            let value = row.get(column.field.name);
            column.any |= value.is_some();
            // Writing JSON into memory cannot fail.
            let _ = serde_json::to_writer(&mut column.text, &value);
        }
        self.pages += 1;
    }

    /// How many pages stand on it.
    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    /// Whether the next page belongs on another one.
    pub(crate) fn is_full(&self) -> bool {
        self.pages >= MOST_PAGES || self.columns.iter().any(|column| column.text.len() >= MOST_BYTES)
    }

    /// Its columns: the field's name and the bytes.
    pub(crate) fn finish(self) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
        self.columns.into_iter().filter(|column| column.any).map(|mut column| {
            column.text.push(b']');
            (column.field.name, column.text)
        })
    }
}
