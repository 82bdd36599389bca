//! The step that checks: all monitors of an interval that are due, or one at once.

mod figures;
mod files;
mod keep;
mod look;
mod names;
mod page;
pub(crate) mod text;

use std::collections::BTreeMap;

use sdk::Progress;
use sdk::prelude::*;
use site::Site;

pub(crate) use figures::change;

use crate::alert::fire;
use crate::event::stored::{Event, EventKind};
use crate::monitor::rounds;
use crate::monitor::stored::{Every, Monitor};

/// Monitors of one step, which are fetched together, and bytes that they may have to read: what the lock's fuel and memory
/// are for, however heavy the pages.
const TOGETHER: usize = 16;
const MAX_BYTES: u32 = 8 << 20;
/// How long is waited before a failing check is repeated.
const AGAIN: u32 = 20_000;

/// What the job checks.
#[value]
pub(crate) struct Payload {
    /// All of an interval.
    every: Option<Every>,
    /// One.
    monitor: Option<Id<Monitor>>,
}

impl Payload {
    /// All monitors of an interval.
    pub(crate) const fn of_round(every: Every) -> Self {
        Self { every: Some(every), monitor: None }
    }

    /// One monitor.
    pub(crate) const fn of_one(monitor: Id<Monitor>) -> Self {
        Self { every: None, monitor: Some(monitor) }
    }
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Where the list of monitors goes on.
    after: Option<String>,
    checked: u64,
    skipped: u64,
    events: u64,
}

/// How a check has ended.
#[value]
pub(crate) enum Verdict {
    Ok,
    Failing,
    /// Its host kept it away, or what it is about is not stored: nothing is known.
    Skipped,
}

/// What a check came to.
#[value]
pub(crate) struct Outcome {
    verdict: Verdict,
    /// Why it fails, or was skipped.
    #[own]
    reason: Option<String>,
    status: u16,
    /// Milliseconds to the whole answer.
    ms: u32,
    /// An event that it made.
    event_ref: Option<Id<Event>>,
    kind: Option<EventKind>,
}

/// What the job ends with.
#[value]
pub(crate) struct Checked {
    checked: u64,
    /// Checks that said nothing, which cost nothing.
    skipped: u64,
    events: u64,
    /// Of the check of one monitor.
    outcome: Option<Outcome>,
}

/// Checks some monitors.
#[step]
pub(crate) fn check(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Checked>> {
    let mut state = checkpoint.unwrap_or_default();
    let records = cx.records::<Monitor>();
    let (due, next) = match (&payload.monitor, payload.every) {
        (Some(one), _) => (vec![records.get(one)?], None),
        (None, every) => {
            let cursor = state.after.take().map(sdk::Cursor::new);
            let due = |most: usize| {
                let of_round = records.by("every_paused_created_ms").equals(every.unwrap_or_default()).equals(false);
                of_round.page(most as u64, cursor.clone())
            };
            let mut page = due(TOGETHER)?;
            let fits = fitting(&page.items);
            if fits < page.items.len() {
                page = due(fits)?;
            }
            (page.items, page.next)
        }
    };
    let due = of_websites(cx, due)?;
    let mut looked = look::all(cx, &due);
    // A failure that is gone after a moment is none. One that goes on is known, and nobody waits for it again.
    let failing: Vec<usize> =
        (0..due.len()).filter(|at| due[*at].failing == 0 && looked[*at].is_to_be_repeated()).collect();
    if !failing.is_empty() {
        cx.wait(AGAIN);
        let again: Vec<Stored<Monitor>> = failing.iter().map(|at| due[*at].clone()).collect();
        for (at, second) in failing.into_iter().zip(look::all(cx, &again)) {
            looked[at] = second;
        }
    }
    let requests: u64 = looked.iter().map(|it| it.requests).sum();
    let (mut outcome, mut made, before) = (None, Vec::new(), state.checked);
    for (monitor, looked) in due.into_iter().zip(looked) {
        let (told, events) = keep::keep(cx, monitor, looked)?;
        match told.verdict {
            Verdict::Skipped => state.skipped += 1,
            Verdict::Ok | Verdict::Failing => state.checked += 1,
        }
        made.extend(events);
        outcome = Some(told);
    }
    state.events += made.len() as u64;
    fire::on_events(cx, &made)?;
    let one = payload.monitor.is_some();
    let (checked, skipped, events) = (state.checked, state.skipped, state.events);
    // A round is charged by its checks; a call by its requests.
    let units = if one { requests } else { checked - before };
    let progress = Progress::new(checked + skipped, None, "checking");
    if let Some(next) = next {
        state.after = Some(next.as_str().to_owned());
        return Ok(Step::next(state, progress).units(units));
    }
    let result = Checked { checked, skipped, events, outcome: outcome.filter(|_| one) };
    Ok(Step::done(result, progress).units(units))
}

/// How many of these monitors one step takes: the first always.
fn fitting(due: &[Stored<Monitor>]) -> usize {
    let mut bytes = 0;
    let beyond = due.iter().position(|it| {
        bytes += look::max_bytes(it);
        bytes > MAX_BYTES
    });
    beyond.map_or(due.len(), |it| it.max(1))
}

/// The monitors whose website is still there; those of one that was deleted rest from now on.
fn of_websites(cx: &Cx, due: Vec<Stored<Monitor>>) -> Result<Vec<Stored<Monitor>>> {
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let (mut there, mut gone) = (Vec::new(), Vec::new());
    for it in due {
        let is_there = *known
            .entry(it.site_id.clone())
            .or_insert_with_key(|id| cx.records::<Site>().find(&Id::new(id.clone())).is_some());
        if is_there { there.push(it) } else { gone.push(it) }
    }
    for mut it in gone {
        let every = it.every;
        it.paused = true;
        it.skipped = Some("website_deleted".to_owned());
        cx.records::<Monitor>().save(it)?;
        rounds::settle(cx, every)?;
    }
    Ok(there)
}

#[cfg(test)]
mod tests;
