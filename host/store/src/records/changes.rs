//! Collected changes, ready to be committed: nothing here needs to be looked up any more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::clock::Moment;
use model::id::JobId;

use crate::calls::noted::Noted;
use crate::connections::change::ConnectionChange;
use crate::edges::change::EdgeChange;
use crate::identity::notices::Notice;
use crate::jobs::schedules::ScheduleChange;
use crate::money::account::AccountChange;
use crate::money::refunds::Refund;
use crate::serving::Served;

/// What one run wants to leave behind.
#[derive(Debug, Default)]
pub struct Changes {
    pub(crate) module: String,
    pub(crate) records: Vec<RecordChange>,
    /// The number of the indexes in which the records have their keys.
    pub(crate) indexes: i64,
    /// What is to be kept under a key; none: nothing.
    pub(crate) blobs: BTreeMap<String, Option<Content>>,
    pub(crate) cached: BTreeMap<String, (Arc<[u8]>, Moment)>,
    pub(crate) jobs: Vec<NewJob>,
    pub(crate) connections: Vec<ConnectionChange>,
    pub(crate) edges: Vec<EdgeChange>,
    pub(crate) account: Vec<AccountChange>,
    pub(crate) schedules: Vec<ScheduleChange>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) noted: Vec<Noted>,
    /// Whether what is left of the credits held for a job that ends goes to the first job started here.
    pub(crate) hands_over: bool,
}

impl Changes {
    /// What a read of the host itself notes.
    pub fn noting(noted: Noted) -> Self {
        Self { noted: vec![noted], ..Self::default() }
    }

    /// A round of scheduled work of a module: one job.
    pub fn round(module: &str, job: JobId, step: &str, payload: String, now: Moment) -> Self {
        let job = NewJob {
            id: job,
            step: step.to_owned(),
            payload,
            created_at: now,
            result_arguments: None,
            began_with: None,
            background: true,
        };
        Self { module: module.to_owned(), jobs: vec![job], ..Self::default() }
    }

    /// Whether it is nothing but a round of scheduled work.
    pub(crate) fn is_round(&self) -> bool {
        self.jobs.iter().any(|job| job.background)
    }

    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        let kept = self.records.is_empty() && self.blobs.is_empty() && self.cached.is_empty();
        kept && self.jobs.is_empty()
            && self.connections.is_empty()
            && self.edges.is_empty()
            && self.account.is_empty()
            && self.schedules.is_empty()
            && self.refunds.is_empty()
            && self.notices.is_empty()
            && self.noted.is_empty()
    }

    /// Keeps what is left of the credits held for the job that ends with this, for the first job that starts with it.
    pub fn hand_over(&mut self) {
        self.hands_over = true;
    }

    /// Says with which arguments the result of the work is read that was started.
    pub fn name_result(&mut self, arguments: &str) {
        self.jobs.iter_mut().for_each(|job| job.result_arguments = Some(arguments.to_owned()));
    }

    /// What is to be committed, counted: rows by their collection, the rest by what it is. Names and numbers, never what
    /// stands in a row.
    pub fn counted(&self) -> BTreeMap<String, usize> {
        let mut counted = BTreeMap::new();
        for record in &self.records {
            let what = if record.becomes.is_some() { "written" } else { "removed" };
            *counted.entry(format!("{what} {}", record.collection)).or_default() += 1;
        }
        let removed = self.blobs.values().filter(|it| it.is_none()).count();
        for (what, count) in [
            ("blobs", self.blobs.len() - removed),
            ("removed blobs", removed),
            ("cached", self.cached.len()),
            ("jobs", self.jobs.len()),
            ("connections", self.connections.len()),
            ("edges", self.edges.len()),
            ("account", self.account.len()),
            ("schedules", self.schedules.len()),
            ("refunds", self.refunds.len()),
            ("notices", self.notices.len()),
            ("noted", self.noted.len()),
        ] {
            if count > 0 {
                counted.insert(what.to_owned(), count);
            }
        }
        counted
    }

    /// Says what the work that is started here begins with.
    pub fn begin_with(&mut self, began: &Began) {
        let written = began.written();
        self.jobs.iter_mut().for_each(|job| job.began_with = Some(written.clone()));
    }

    /// Whether work was started.
    pub fn starts_work(&self) -> bool {
        !self.jobs.is_empty()
    }
}

/// One record as it is to be.
#[derive(Debug)]
pub(crate) struct RecordChange {
    pub(crate) collection: Arc<str>,
    pub(crate) id: String,
    /// The version that must be stored now; none: the id must be free.
    pub(crate) expects: Option<u64>,
    /// What is to be stored; none: nothing.
    pub(crate) becomes: Option<(u64, Arc<str>)>,
    /// Index keys to take away, with their places.
    pub(crate) unindex: Vec<(Arc<str>, String)>,
    /// Index keys to add, with their places.
    pub(crate) index: Vec<(Arc<str>, String)>,
    /// Whether the database may know keys of what is stored that cannot be computed from it: they go.
    pub(crate) was_older: bool,
    /// The forms of records that indexes are over in which what is to be stored has no keys yet.
    pub(crate) unkeyed: BTreeSet<u32>,
}

/// Bytes of a blob, compressed.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) hash: String,
    pub(crate) size: u64,
    pub(crate) deflated: Vec<u8>,
}

/// A job to be started.
#[derive(Clone, Debug)]
pub(crate) struct NewJob {
    pub(crate) id: JobId,
    pub(crate) step: String,
    pub(crate) payload: String,
    pub(crate) created_at: Moment,
    /// What the operation that reads its result takes: a JSON object.
    pub(crate) result_arguments: Option<String>,
    /// What it begins with, as [`Began`] is written.
    pub(crate) began_with: Option<String>,
    /// Whether a schedule begins it every few minutes.
    pub(crate) background: bool,
}

/// What a job began with: its later steps run on the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Began {
    /// The revision that was in force.
    pub revision: Served,
    /// `sha256:` and the hex digest of its module's component.
    pub component: String,
}

impl Began {
    fn written(&self) -> String {
        let digest = self.revision.digest.as_deref().unwrap_or("-");
        format!("{} {digest} {}", self.revision.date, self.component)
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (date, digest, component) = (words.next()?, words.next()?, words.next()?);
        let digest = (digest != "-").then(|| digest.to_owned());
        Some(Self { revision: Served { date: date.to_owned(), digest }, component: component.to_owned() })
    }
}
