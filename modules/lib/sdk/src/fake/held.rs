//! What the fake host holds for a module: rows, blobs, jobs, schedules, notices and the clock.

use std::collections::BTreeMap;

use super::calendar::ToldNotice;
use super::edges::AtEdges;
use super::table::Table;
use super::vault::Accounts;
use crate::Kind;
use crate::bindings::wit::jobs::{Job, State};
use crate::bindings::wit::schedule;

/// 2026-09-28, 00:00 UTC.
const START: u64 = 1_790_553_600_000;

/// What a refused call gives back.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) tables: BTreeMap<String, Table>,
    pub(super) blobs: BTreeMap<String, Vec<u8>>,
    pub(super) jobs: Vec<Enqueued>,
    /// Jobs that were refunded, with their units; and what one unit costs, in thousandths of a credit.
    pub(super) refunds: Vec<(String, u64)>,
    pub(super) price: u64,
    pub(super) cache: BTreeMap<String, (Vec<u8>, u64)>,
    pub(super) steps: Vec<&'static str>,
    pub(super) trace: Vec<String>,
    pub(super) schedules: BTreeMap<String, schedule::Entry>,
    pub(super) once: BTreeMap<String, schedule::OnceEntry>,
    pub(super) work: BTreeMap<String, schedule::WorkEntry>,
    pub(super) notices: Vec<ToldNotice>,
    pub(super) accounts: Accounts,
    pub(super) edges: AtEdges,
    pub(super) now: u64,
    /// Milliseconds waited in all, and before the call that runs.
    pub(super) waited: u64,
    pub(super) began: u64,
    pub(super) chance: u64,
    pub(super) made: u64,
    /// The kind of the operation that runs, and whether it may start jobs; none between calls.
    pub(super) running: Option<(Kind, bool)>,
}

/// A job with what the worker needs of it.
#[derive(Clone)]
pub(super) struct Enqueued {
    pub(super) job: Job,
    pub(super) step: String,
    pub(super) payload: String,
    pub(super) checkpoint: Option<serde_json::Value>,
}

impl Default for Held {
    fn default() -> Self {
        Self {
            tables: BTreeMap::new(),
            blobs: BTreeMap::new(),
            jobs: Vec::new(),
            refunds: Vec::new(),
            price: 1_000,
            cache: BTreeMap::new(),
            steps: Vec::new(),
            trace: Vec::new(),
            schedules: BTreeMap::new(),
            once: BTreeMap::new(),
            work: BTreeMap::new(),
            notices: Vec::new(),
            accounts: Accounts::default(),
            edges: AtEdges::default(),
            now: START,
            waited: 0,
            began: 0,
            chance: 0x9e37_79b9_7f4a_7c15,
            made: 0,
            running: None,
        }
    }
}

impl Held {
    pub(super) fn has_blob(&self, key: &str) -> bool {
        self.blobs.contains_key(key)
    }

    /// A job that waits for the worker; its reference.
    pub(super) fn start(&mut self, step: &str, payload: &str) -> String {
        let reference = format!("job_{}", self.make_id());
        let (created, changed) = (self.now, self.now);
        let job = Job {
            reference: reference.clone(),
            state: State::Queued,
            progress: "{}".to_owned(),
            outcome: None,
            created,
            changed,
        };
        self.jobs.push(Enqueued { job, step: step.to_owned(), payload: payload.to_owned(), checkpoint: None });
        reference
    }

    pub(super) fn stop_a_read(&self, what: &str) {
        assert!(!matches!(self.running, Some((Kind::Read, _))), "a read was stopped when it wrote to {what}");
    }

    /// Sixteen digits that grow.
    pub(super) fn make_id(&mut self) -> String {
        self.made += 1;
        format!("{:016}", self.made)
    }
}
