//! Jobs that edit many items: each is looked at in one step, and written in the next, so that no lost answer loses the way back.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, IsQueued, Next};
use wordpress::{Change, Item, Patch, What, Why};

use crate::diff::{Difference, differences};
use crate::target::{Target, Thing, reference};

/// Items of one step: each is asked for up to seven times, and a step may make 64 requests.
pub(crate) const ITEMS: usize = 7;
/// Diffs that a result shows.
const SHOWN: usize = 100;

/// The marker of references to batches.
pub(crate) enum Batch {}

/// A job that was queued.
#[value]
pub(crate) struct Started {
    pub(crate) job_ref: Id<Job>,
    /// What `cms.change.list` and `cms.change.rollback` know these changes by.
    pub(crate) batch_ref: Id<Batch>,
    /// Always `queued`; the job's result says what was changed.
    pub(crate) state: IsQueued,
    pub(crate) dry_run: bool,
    /// What to do next.
    pub(crate) next: Vec<Next>,
}

/// What was left alone.
#[value]
pub(crate) struct Skipped {
    /// An item or its address, as the job met it; a picture or a pair of the call.
    pub(crate) what: String,
    /// A word for programs, such as `item_not_found`.
    #[own]
    pub(crate) code: String,
    #[own]
    pub(crate) why: String,
}

/// An item that was changed.
#[value]
pub(crate) struct Edited {
    item_ref: Id<Thing>,
    url: String,
    /// Places that were changed in it.
    places: u64,
    diff: Vec<Difference>,
}

/// What a job ends with.
#[value]
#[derive(Default)]
pub(crate) struct Outcome {
    /// Items that were changed, or would be.
    pub(crate) items: u64,
    /// Places that were changed in them. Only these are charged.
    pub(crate) replacements: u64,
    pub(crate) skipped: Vec<Skipped>,
    /// At most 100.
    pub(crate) diffs: Vec<Edited>,
    pub(crate) dry_run: bool,
    pub(crate) batch_ref: String,
    pub(crate) degraded: Vec<Degraded>,
}

/// Items that wait, and those that were looked at.
#[value]
#[derive(Default)]
pub(crate) struct Queue {
    /// References of items, the next one last.
    pub(crate) waiting: Vec<String>,
    /// Changes that the step before has kept and that this one writes: the item, the record, the places.
    pub(crate) intended: Vec<(String, Id<Change>, u64)>,
    /// Items that were looked at: one can be found by its address and by its reference.
    seen: BTreeSet<String>,
    /// The number of the next change.
    pub(crate) seq: u64,
}

/// A change of an item, as a job makes it.
pub(crate) struct Edit {
    pub(crate) patch: Patch,
    /// Places that it changes.
    pub(crate) places: u64,
}

/// A job at its work.
pub(crate) struct Editing<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) target: &'a Target,
    pub(crate) operation: &'static str,
    pub(crate) what: What,
    pub(crate) batch: &'a str,
    pub(crate) dry_run: bool,
}

impl Editing<'_> {
    /// One turn: some items are looked at, or those of the turn before are written. Whether there is more to do.
    ///
    /// # Errors
    /// What passes by itself, so that the step is tried again.
    pub(crate) fn turn(
        &self,
        queue: &mut Queue,
        outcome: &mut Outcome,
        edit: impl Fn(&Item) -> Result<Option<Edit>>,
    ) -> Result<bool> {
        if queue.intended.is_empty() {
            for _ in 0..ITEMS {
                let Some(text) = queue.waiting.pop() else { break };
                if let Err(fault) = self.look(&text, queue, outcome, &edit) {
                    skip(outcome, &text, fault)?;
                }
            }
        } else {
            for (text, id, places) in std::mem::take(&mut queue.intended) {
                match self.write(&text, &id, places, &edit) {
                    Ok(edited) => count(outcome, edited),
                    Err(fault) => {
                        skip(outcome, &text, fault)?;
                        let changes = self.cx.records::<Change>();
                        changes.find(&id).map_or(Ok(()), |it| changes.remove(&it))?;
                    }
                }
            }
        }
        let goes_on = !queue.waiting.is_empty() || !queue.intended.is_empty();
        if !goes_on && outcome.items > SHOWN as u64 {
            outcome
                .degraded
                .push(Degraded::new("diffs", format!("the first {SHOWN} are shown; cms.change.list has all")));
        }
        Ok(goes_on)
    }

    fn why(&self, seq: u64, intent: Option<Id<Change>>) -> Why {
        Why { seq, intent, ..Why::call(self.target.site.id.as_str(), self.operation, self.what, self.batch) }
    }

    fn look(
        &self,
        text: &str,
        queue: &mut Queue,
        outcome: &mut Outcome,
        edit: &impl Fn(&Item) -> Result<Option<Edit>>,
    ) -> Result<()> {
        let item = self.target.item(self.cx, text, "/site_id")?;
        if !queue.seen.insert(item.at.to_string()) {
            return Ok(());
        }
        let Some(Edit { patch, places }) = edit(&item)? else { return Ok(()) };
        if patch.content.is_some() {
            wordpress::plain(&item)?;
        }
        if self.dry_run {
            let diff = crate::diff::planned(&item, &patch);
            count(outcome, Edited { item_ref: reference(&item), url: item.link.clone(), places, diff });
            return Ok(());
        }
        if let Some(id) = wordpress::intend(self.cx, &item, &patch, &self.why(queue.seq, None))? {
            queue.seq += 1;
            queue.intended.push((text.to_owned(), id, places));
        }
        Ok(())
    }

    fn write(
        &self,
        text: &str,
        id: &Id<Change>,
        places: u64,
        edit: &impl Fn(&Item) -> Result<Option<Edit>>,
    ) -> Result<Edited> {
        let item = self.target.item(self.cx, text, "/site_id")?;
        // A write whose answer was lost leaves nothing to be edited: its record is ended.
        let patch = edit(&item)?.map(|it| it.patch).unwrap_or_default();
        let seq = self.cx.records::<Change>().find(id).map_or(0, |it| it.seq);
        let written = wordpress::write(self.cx, &item, &patch, &self.why(seq, Some(id.clone())))?;
        let record = written.change.as_ref().and_then(|id| self.cx.records::<Change>().find(id));
        let diff = record.map(|it| differences(self.cx, &it.fields, None)).unwrap_or_default();
        Ok(Edited { item_ref: reference(&item), url: item.link, places, diff })
    }
}

fn count(outcome: &mut Outcome, edited: Edited) {
    outcome.items += 1;
    outcome.replacements += edited.places;
    if outcome.diffs.len() < SHOWN {
        outcome.diffs.push(edited);
    }
}

/// Counts what was left alone.
///
/// # Errors
/// What passes by itself.
pub(crate) fn skip(outcome: &mut Outcome, what: &str, fault: Fault) -> Result<()> {
    if fault.kind == sdk::boundary::Kind::Unavailable {
        return Err(fault);
    }
    outcome.skipped.push(Skipped { what: what.to_owned(), code: fault.code, why: fault.message });
    Ok(())
}
