//! What a module exports, and the answer of a run of it.

use model::manifest::UPGRADE;
use serde::{Deserialize, Serialize};

/// An exported function of a module, as the catalog names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Export {
    /// An operation, by its id: `authors.list`.
    Operation(String),
    /// A fixed route, by its id: `websites.list`.
    Route(String),
    /// One step of a job, by its name as enqueued.
    Step(String),
    /// Brings older records into the form of their collection.
    Upgrade,
}

impl Export {
    /// The id or name.
    pub fn name(&self) -> &str {
        match self {
            Export::Operation(name) | Export::Route(name) | Export::Step(name) => name,
            Export::Upgrade => UPGRADE,
        }
    }
}

/// The answer of a successful run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A JSON object as the guest wrote it: within the size and depth limits, but not yet validated against its schema.
    pub data: String,
    /// The units of work, as the guest reports them.
    pub units: u64,
}
