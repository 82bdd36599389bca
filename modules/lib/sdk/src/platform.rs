//! What the service knows and does for its customer: for the module `account` alone.

use serde::de::DeserializeOwned;

use crate::host::Host;
use crate::{Cx, Fault, Result};

/// Which lines of the trail.
pub use crate::bindings::wit::platform::ActivityFilter;
/// A call that is to be priced.
pub use crate::bindings::wit::platform::Estimate;
/// What spending is broken down by.
pub use crate::bindings::wit::platform::Grouping;
/// Which invoices.
pub use crate::bindings::wit::platform::InvoiceFilter;
/// Which jobs.
pub use crate::bindings::wit::platform::JobFilter;
/// Which lines of the ledger.
pub use crate::bindings::wit::platform::LedgerFilter;
/// One page of a list.
pub use crate::bindings::wit::platform::Paging;
/// A change of the plan.
pub use crate::bindings::wit::platform::PlanChange;
/// What may be asked; `wit/platform.md` has the answers.
pub use crate::bindings::wit::platform::Question as PlatformQuestion;
/// Raw data that is older than a moment.
pub use crate::bindings::wit::platform::RawData;
/// From a moment on and before another one.
pub use crate::bindings::wit::platform::Span;
/// Spending in some days.
pub use crate::bindings::wit::platform::Spending;
/// A page of what a module has stored.
pub use crate::bindings::wit::platform::Stored as StoredRows;
/// What may be done; `wit/platform.md` has the answers.
pub use crate::bindings::wit::platform_write::Action as PlatformAction;
/// A cap on spending.
pub use crate::bindings::wit::platform_write::Budget as PlatformBudget;
/// An order of credits.
pub use crate::bindings::wit::platform_write::Order as PlatformOrder;

/// The platform. Made by `Cx::platform`.
pub struct Platform<'a> {
    pub(crate) cx: &'a Cx,
}

impl Platform<'_> {
    /// Asks, and reads the answer as `T`.
    ///
    /// # Errors
    /// The host's refusal, to be passed on or turned into one of the module's own.
    pub fn ask<T: DeserializeOwned>(&self, question: &PlatformQuestion) -> Result<T> {
        read(&self.cx.host.ask(question)?)
    }

    /// Does something for the customer, committed with the call, and reads the answer as `T`.
    ///
    /// # Errors
    /// As [`Platform::ask`].
    pub fn act<T: DeserializeOwned>(&self, action: &PlatformAction) -> Result<T> {
        read(&self.cx.host.act(action)?)
    }
}

fn read<T: DeserializeOwned>(document: &str) -> Result<T> {
    serde_json::from_str(document)
        .map_err(|_| Fault::unavailable("platform_unreadable", "the service answered in a way this module cannot read"))
}
