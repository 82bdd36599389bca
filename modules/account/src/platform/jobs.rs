//! The answers to `jobs`, `job` and `cancel-job`.

use sdk::serde_json::{Map, Value};
use serde::Deserialize;

/// A page of jobs, the newest first.
#[derive(Debug, Deserialize)]
pub(crate) struct Jobs {
    /// The jobs.
    pub(crate) jobs: Vec<Job>,
    /// Where the page ended.
    pub(crate) next: Option<String>,
}

/// Work that goes on after the answer, of any module.
#[derive(Debug, Deserialize)]
pub(crate) struct Job {
    /// For `job` and `cancel-job`.
    pub(crate) job_ref: String,
    /// The operation that started it.
    pub(crate) operation_id: String,
    /// Whose steps it takes.
    pub(crate) module: String,
    /// The website that it is for.
    pub(crate) site_id: Option<String>,
    /// `queued`, `running`, `succeeded`, `failed` or `cancelled`.
    pub(crate) state: String,
    /// The last progress that a step reported.
    #[serde(default)]
    pub(crate) progress: Map<String, Value>,
    /// The result of one that succeeded, the fault of one that failed.
    pub(crate) outcome: Option<Map<String, Value>>,
    /// Work done, in the unit of the operation's cost.
    pub(crate) units: u64,
    /// Charged so far.
    pub(crate) points: i64,
    /// Charged so far, in thousandths of a credit.
    pub(crate) credits_milli: i64,
    /// Set aside for the rest.
    pub(crate) points_held: i64,
    /// Set aside for the rest, in thousandths of a credit.
    pub(crate) credits_held_milli: i64,
    /// When it was asked for.
    pub(crate) created_at: u64,
    /// When its state or progress last changed.
    pub(crate) changed_at: u64,
    /// By whom.
    pub(crate) client_name: Option<String>,
    /// The read that returns what it made.
    pub(crate) result_operation: Option<String>,
    /// What that read takes; none where the service does not know it.
    #[serde(default)]
    pub(crate) result_arguments: Option<Map<String, Value>>,
}
