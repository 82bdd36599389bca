//! What the portal shows a signed-in customer of their own: usage, activity, jobs; and the catalog, to anybody inside.

pub mod activity;
pub mod catalog;
pub mod invoices;
pub mod jobs;
pub mod movements;
mod tokens;
pub mod usage;
pub mod view;

use crate::Core;

/// What the portal shows of the catalog.
#[derive(Clone)]
pub struct Portal {
    pub(crate) core: Core,
}

impl Portal {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }
}
