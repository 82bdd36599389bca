//! Records of one customer and one module: what may be asked, what was changed, and how that can fail.

mod beside;
mod bounds;
pub(crate) mod changes;
pub(crate) mod cursor;
mod find;
pub mod holdings;
pub(crate) mod identify;
pub(crate) mod indexes;
pub(crate) mod key;
mod links;
mod overlay;
mod restore;
mod schedules;
mod schema;
mod stash;
mod stored;
mod uploads;
mod workspace;

use std::sync::Arc;

use serde_json::Value;

pub use changes::{Began, Changes};
pub use links::{HitPage, Redirect};
pub use restore::{NotRestored, Restored};
pub use schema::ModuleSchema;
pub use stash::{BLOB_BYTES, CACHE_BYTES, CACHE_SECONDS};
pub(crate) use stash::{deflate, inflate};
pub(crate) use stored::RowKey;
pub use uploads::{OpenError, UploadState, UploadView, WantedUpload};
pub use workspace::Workspace;

use crate::StoreError;

/// Rows of one page at most.
pub const PAGE: u32 = 1_000;

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// Counts up from 1.
    pub version: u64,
    /// A JSON object.
    pub body: Arc<str>,
}

/// Which rows, in which order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// A declared index; none: the order of ids.
    pub index: Option<String>,
    /// What the leading fields equal.
    pub equals: Vec<Value>,
    /// The next field is at least this; without an index, the id is.
    pub at_least: Option<Value>,
    /// The next field is below this; without an index, the id is.
    pub below: Option<Value>,
    /// Backwards.
    pub descending: bool,
    /// The `next` of an earlier page of the same query.
    pub after: Option<String>,
    /// At most [`PAGE`]; 0 means that many.
    pub limit: u32,
}

/// Rows, and where they go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// In the order that was asked for.
    pub rows: Vec<Row>,
    /// Present when there is more.
    pub next: Option<String>,
}

/// Why a record could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The collection or index is not declared, or not granted.
    #[error("not declared: {0}")]
    Undeclared(String),
    /// A value, a cursor or a body is not what it must be.
    #[error("malformed: {0}")]
    Malformed(String),
    /// The version is not the stored one any more, or the id is taken.
    #[error("the version is not the stored one any more, or the id is taken")]
    Conflict,
    /// There is no such record.
    #[error("there is no such record")]
    Missing,
    /// The customer has as many open jobs as one may have.
    #[error("too many jobs are open")]
    TooManyJobs,
    /// Too many reads wait for a turn. Nothing is wrong with this one.
    #[error("too many reads wait already")]
    Busy,
    /// The index does not have the keys of older records yet.
    #[error("the index does not have the keys of older records yet")]
    Preparing,
    /// More was selected than the run may read.
    #[error("more was selected than may be read")]
    TooMuchRead,
    /// More rows were selected than the run may change.
    #[error("more rows were selected than may be changed")]
    TooMuchWritten,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for RecordsError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What a workspace has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows given to the guest.
    pub rows_read: u64,
    /// Bytes of them, with blobs and cached data.
    pub bytes_read: u64,
    /// Rows put, changed or removed.
    pub rows_written: u64,
    /// Bytes of them, with blobs and cached data.
    pub bytes_written: u64,
}
