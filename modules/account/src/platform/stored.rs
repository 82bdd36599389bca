//! The answers to `held`, `rows`, `blobs`, `raw-data` and `purge`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use serde::Deserialize;

/// Which data there is.
#[derive(Debug, Deserialize)]
pub(crate) struct Held {
    /// Rows, by collection.
    pub(crate) collections: Vec<Collection>,
    /// Larger bytes, by module.
    pub(crate) blobs: Vec<Blobs>,
    /// Modules with data that the grant of the call does not reach.
    #[serde(default)]
    pub(crate) withheld: Vec<Withheld>,
}

/// Data of a module that are left out.
#[derive(Debug, Deserialize)]
pub(crate) struct Withheld {
    /// Whose.
    pub(crate) module: String,
    /// Scopes that the grant lacks for them.
    pub(crate) scopes: Vec<String>,
}

/// A collection of a module.
#[derive(Debug, Deserialize)]
pub(crate) struct Collection {
    /// Whose.
    pub(crate) module: String,
    /// Its name within the module.
    pub(crate) collection: String,
    /// How many rows it has.
    pub(crate) rows: u64,
}

/// The blobs of a module.
#[derive(Debug, Deserialize)]
pub(crate) struct Blobs {
    /// Whose.
    pub(crate) module: String,
    /// How many.
    pub(crate) blobs: u64,
}

/// A page of a collection.
#[derive(Debug, Deserialize)]
pub(crate) struct RowPage {
    /// The rows.
    pub(crate) rows: Vec<Row>,
    /// Where the page ended.
    pub(crate) next: Option<String>,
}

/// A row as it is stored.
#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    /// Its id.
    pub(crate) id: String,
    /// Its version.
    pub(crate) version: u64,
    /// The record.
    pub(crate) body: Map<String, Value>,
}

/// A page of a module's blobs.
#[derive(Debug, Deserialize)]
pub(crate) struct BlobPage {
    /// The blobs.
    pub(crate) blobs: Vec<Blob>,
    /// Where the page ended.
    pub(crate) next: Option<String>,
}

/// A blob.
#[derive(Debug, Deserialize)]
pub(crate) struct Blob {
    /// Its key within the module.
    pub(crate) key: String,
    /// How many bytes it has.
    pub(crate) bytes: u64,
    /// Its bytes (RFC 4648, section 4).
    pub(crate) base64: String,
}

/// What a purge takes, or took.
#[derive(Debug, Deserialize)]
pub(crate) struct Raw {
    /// By name.
    pub(crate) counts: BTreeMap<String, Counted>,
    /// Whether there is more than one call takes.
    pub(crate) more: bool,
}

/// How much of a kind of raw data.
#[value]
#[derive(Copy)]
pub(crate) struct Counted {
    /// Rows.
    pub(crate) rows: u64,
    /// Larger bytes, in pieces.
    pub(crate) blobs: u64,
}
