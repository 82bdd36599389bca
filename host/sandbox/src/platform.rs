//! The service as seen by a guest with the grant `platform`: one trait, which the service implements per customer.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use model::clock::Moment;
use store::money::account::AccountChange;
use store::{Row, StoreError};

use model::manifest::Collection;

pub use crate::bindings::platform::{
    ActivityFilter, Estimate, Grouping, InvoiceFilter, JobFilter, LedgerFilter, Paging, PlanChange, Question, RawData,
    Span, Spending, Stored,
};
pub use crate::bindings::platform_write::{Action, Budget, Order};
pub use crate::bindings::types::{Fault as PlatformFault, Kind as PlatformFaultKind};

/// The account data and actions of one customer.
pub trait Platform: Send + Sync + Debug {
    /// Answers a question with a document of `wit/platform.md`.
    fn ask(&self, question: Question, now: Moment) -> BoxFuture<'_, Result<Known, Untold>>;

    /// Prepares an action: its document, and the changes to commit with the call.
    fn act(&self, action: Action, now: Moment) -> BoxFuture<'_, Result<Deed, Untold>>;
}

/// The answer to a question.
#[derive(Debug)]
pub struct Known {
    /// A JSON object.
    pub document: String,
    /// The number of rows read.
    pub rows: u64,
}

/// The result of an action.
#[derive(Debug)]
pub struct Deed {
    /// A JSON object.
    pub document: String,
    /// Changes to commit with the call.
    pub changes: Vec<AccountChange>,
    /// Rows to delete, with their module and collection.
    pub purged: Vec<(String, Collection, Row)>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Untold {
    /// A refusal that the guest may pass on.
    Fault(PlatformFault),
    /// The database failed.
    Store(StoreError),
}

impl From<StoreError> for Untold {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
