//! The job of an import: one part in each step.

use std::collections::BTreeMap;

use sdk::Progress;
use sdk::prelude::*;
use search::{Cut, Period, Reached, SearchType};
use site::Site;

use super::plan::{Part, parts};
use super::{appearances, counts, rows, totals};
use crate::stored::Sync;

/// How often a question is asked before its days count as a gap.
pub(super) const MAX_TRIES: u8 = 5;
/// Milliseconds to wait when Google's quota is used up, and after the fourth time in a row.
const QUOTA_WAIT: [u32; 2] = [900_000, 3_600_000];
/// Gaps that are listed; all are counted.
const MAX_GAPS: usize = 500;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) kind: SearchType,
    pub(super) reached: Reached,
    pub(super) from: Day,
    pub(super) to: Day,
    /// The cuts, by their names.
    pub(super) cuts: Vec<String>,
    pub(super) fresh: bool,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// The part that is next.
    pub(super) at: usize,
    /// The days of this part that are left; null when it has not begun.
    pub(super) left: Option<Vec<Day>>,
    /// How often a day of this part, or the part itself, was asked for in vain.
    pub(super) tries: BTreeMap<String, u8>,
    /// How often in a row the quota was used up.
    pub(super) waits: u32,
    pub(super) rows: u64,
    pub(super) days: u32,
    pub(super) requests: u32,
    pub(super) waited_seconds: u64,
    pub(super) odd_rows: u64,
    pub(super) gaps: Vec<Day>,
    pub(super) capped: Vec<Day>,
}

/// How a step left its part.
pub(super) enum Left {
    /// It is complete.
    Nothing,
    /// Some of it is left.
    Some,
    /// Some of it is left, and Google's quota is used up.
    OverQuota,
    /// Some of it is left, because Google did not answer.
    Unanswered,
}

/// The result of an import.
#[value]
pub(crate) struct Imported {
    /// Days that have figures now.
    days: u32,
    /// Rows that Google returned.
    rows: u64,
    /// Days that Google did not answer for; import them again.
    gaps: Vec<Day>,
    /// Days on which Google returned as many rows as it ever does, so that others are missing.
    capped_days: Vec<Day>,
    /// Questions asked.
    requests: u32,
    /// Seconds spent waiting for Google's quota.
    waited_seconds: u64,
    /// Rows that cannot be right, such as more clicks than impressions; they are kept as Google reports them.
    odd_rows: u64,
}

/// Imports one part.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Imported>> {
    let period = Period { first: payload.from, last: payload.to };
    let cuts: Vec<Cut> =
        Cut::ALL.into_iter().filter(|cut| payload.cuts.iter().any(|name| name == cut.name())).collect();
    let parts = parts(period, &cuts);
    let mut state = checkpoint.unwrap_or_default();
    let Some(part) = parts.get(state.at).copied() else {
        return finish(cx, &payload, state, parts.len());
    };
    let before = state.rows;
    let left = match part {
        Part::Totals(days) => totals::import(cx, &payload, days, &mut state)?,
        Part::Cut(month, Cut::Appearances) => appearances::import(cx, &payload, month, period, &mut state)?,
        Part::Cut(month, cut) => rows::import(cx, &payload, (month, cut), period, &mut state)?,
        Part::Counts(month) => {
            counts::keep(cx, &payload, month)?;
            Left::Nothing
        }
    };
    let units = state.rows - before;
    let (mut wait, mut words) = (0, part.words());
    match left {
        Left::Nothing => {
            state.at += 1;
            (state.left, state.waits) = (None, 0);
            state.tries.clear();
        }
        Left::Some => state.waits = 0,
        Left::Unanswered => wait = 10_000,
        Left::OverQuota => {
            wait = QUOTA_WAIT[usize::from(state.waits >= 4)];
            state.waits += 1;
            state.waited_seconds += u64::from(wait / 1_000);
            words = "waiting for Google's quota".to_owned();
        }
    }
    let progress = Progress::new(state.at as u64, parts.len() as u64, words);
    Ok(Step::next(state, progress).after(wait).units(units))
}

/// Remembers what was imported.
fn finish(
    cx: &Cx,
    payload: &Payload,
    mut state: Checkpoint,
    parts: usize,
) -> Result<Step<Checkpoint, Progress, Imported>> {
    state.gaps.sort();
    state.gaps.dedup();
    state.capped.sort();
    state.capped.dedup();
    let totals = cx.records::<crate::stored::Totals>();
    let first = totals.by("site_id_kind_date").equals(&payload.site_id).equals(payload.kind.name()).first();
    let last_final = payload.to.min(crate::google::today(cx).plus(-2));
    let now = cx.now().millis();
    let id = Sync::id(payload.site_id.as_str(), payload.kind);
    cx.records::<Sync>().update(&id, |sync| {
        sync.first = first.as_ref().and_then(|it| it.0.day());
        sync.last = Some(sync.last.map_or(last_final, |last| last.max(last_final)));
        sync.synced_ms = Some(now);
        sync.odd_rows += state.odd_rows;
        // A day of this import is a gap only if it is one again.
        sync.gaps.retain(|day| *day < payload.from || *day > payload.to);
        sync.gaps.extend(&state.gaps);
        sync.gaps.sort();
        sync.gaps.truncate(MAX_GAPS);
    })?;
    let imported = Imported {
        days: state.days,
        rows: state.rows,
        gaps: state.gaps,
        capped_days: state.capped,
        requests: state.requests,
        waited_seconds: state.waited_seconds,
        odd_rows: state.odd_rows,
    };
    let progress = Progress::new(parts as u64, parts as u64, "done");
    Ok(Step::done(imported, progress))
}
