//! The service as a guest sees it that was granted `platform`: one trait, which the service implements for one customer.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use model::clock::Moment;
use store::account::AccountChange;
use store::{Row, StoreError};

use model::manifest::Collection;

pub use crate::bindings::platform::{
    ActivityFilter, Estimate, Grouping, InvoiceFilter, JobFilter, LedgerFilter, Paging, PlanChange, Question, RawData,
    Span, Spending, Stored,
};
pub use crate::bindings::platform_write::{Action, Budget, Order};
pub use crate::bindings::types::{Fault as PlatformFault, Kind as PlatformFaultKind};

/// What the service knows of one customer, and does for them.
pub trait Platform: Send + Sync + Debug {
    /// Answers a question with a document of `wit/platform.md`.
    fn ask(&self, question: Question, now: Moment) -> BoxFuture<'_, Result<Known, Untold>>;

    /// Says what an action comes to, and what has to be committed for it.
    fn act(&self, action: Action, now: Moment) -> BoxFuture<'_, Result<Deed, Untold>>;
}

/// An answer.
#[derive(Debug)]
pub struct Known {
    /// A JSON object.
    pub document: String,
    /// Rows that were read for it.
    pub rows: u64,
}

/// What an action comes to.
#[derive(Debug)]
pub struct Deed {
    /// A JSON object.
    pub document: String,
    /// Committed with the call.
    pub changes: Vec<AccountChange>,
    /// Rows that go, with their module and collection.
    pub purged: Vec<(String, Collection, Row)>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Untold {
    /// A refusal that the guest may pass on.
    Fault(PlatformFault),
    /// The database.
    Store(StoreError),
}

impl From<StoreError> for Untold {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
