//! What an import remembers from step to step. It is too large for a checkpoint, and kept in a blob beside it.

use std::collections::BTreeMap;

use sdk::prelude::*;
use search::Month;
use serde::{Deserialize, Serialize};
use visits::Entry;

use super::stream::{Broken, Stream};
use super::tally::Hour;
use crate::stored::{RejectedLine, Rejections, Run};

/// The largest blob that is read back.
const MAX_BLOB: u32 = 8 << 20;

/// Where an import stands.
#[derive(Serialize, Deserialize)]
pub(crate) struct State {
    /// Bytes of the file that were read.
    pub(crate) offset: u64,
    pub(crate) stream: Stream,
    /// The fields that a header named last.
    pub(crate) header: Option<String>,
    pub(crate) parsed: u64,
    pub(crate) rejections: Rejections,
    pub(crate) rejected: Vec<RejectedLine>,
    /// Lines that were rejected among the first 10,000, once so many were read.
    pub(crate) tried: Option<u64>,
    pub(crate) others: u64,
    pub(crate) private: u64,
    pub(crate) broken: Option<Broken>,
    /// Whether reading has ended, and whether that was the end of the file.
    pub(crate) ended: bool,
    pub(crate) whole: bool,
    pub(crate) hours: BTreeMap<u32, Hour>,
    pub(crate) runs: Vec<Run>,
    pub(crate) claims: u32,
    /// The months to merge, as numbers of their first days; the first is the one at work.
    pub(crate) months: Vec<i32>,
    pub(crate) merge: Merge,
    /// The hours of each month that were taken, by the first day of the month.
    pub(crate) taken: Vec<(i32, [u32; 31])>,
    pub(crate) counted: u64,
    pub(crate) skipped: u64,
}

/// Where a merge stands.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Merge {
    pub(crate) from: Vec<u8>,
    pub(crate) packs: Vec<Entry>,
    pub(crate) days: u32,
}

impl State {
    pub(crate) fn new() -> Self {
        Self {
            offset: 0,
            stream: Stream::new(),
            header: None,
            parsed: 0,
            rejections: Rejections::default(),
            rejected: Vec::new(),
            tried: None,
            others: 0,
            private: 0,
            broken: None,
            ended: false,
            whole: false,
            hours: BTreeMap::new(),
            runs: Vec::new(),
            claims: 0,
            months: Vec::new(),
            merge: Merge::default(),
            taken: Vec::new(),
            counted: 0,
            skipped: 0,
        }
    }

    /// As it was kept.
    ///
    /// # Errors
    /// 503 `state_unreadable`.
    pub(crate) fn read(cx: &Cx, import: &str) -> Result<Self> {
        let bytes = cx.blobs().read(&key(import), 0, MAX_BLOB).unwrap_or_default();
        serde_json::from_slice(&bytes).map_err(|_| {
            Fault::unavailable("state_unreadable", "what this import kept cannot be read; import the file again")
        })
    }

    pub(crate) fn keep(&self, cx: &Cx, import: &str) -> Result<()> {
        cx.blobs().write(&key(import), &serde_json::to_vec(self).unwrap_or_default())
    }

    /// Empties what was kept.
    pub(crate) fn forget(cx: &Cx, import: &str) -> Result<()> {
        cx.blobs().remove(&key(import))
    }

    /// Lines that were read.
    pub(crate) fn lines(&self) -> u64 {
        self.stream.lines
    }
}

fn key(import: &str) -> String {
    format!("runs/{import}/state")
}

/// The month of a first day.
pub(crate) fn month(first: i32) -> Month {
    Month::of(Day::from_epoch(first))
}
