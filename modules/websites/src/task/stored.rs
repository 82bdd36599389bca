//! What is kept of a work item: the item itself, small enough to be listed, and beside it the frozen finding.

use sdk::prelude::*;

use super::state::State;
use crate::stored::{Audit, Website};

/// The most pages of one work item.
pub(crate) const MOST_URLS: usize = 500;
/// Changes kept; of older ones only the first is, and how many went.
const MOST_CHANGES: usize = 50;
/// Characters kept of a value in the history.
const SHOWN: usize = 200;

/// A work item.
#[record(
    collection = "tasks",
    index(site_id),
    index(site_id, state),
    index(site_id, assignee),
    index(site_id, assignee, state)
)]
pub(crate) struct Task {
    /// The website.
    pub(crate) site_id: Id<Website>,
    /// What is to be done.
    pub(crate) title: String,
    /// Where it stands.
    pub(crate) state: State,
    /// Who does it; empty for nobody.
    pub(crate) assignee: String,
    /// When it is to be done.
    pub(crate) due: Option<Day>,
    /// More about it.
    pub(crate) note: Option<String>,
    /// Pages that it is about.
    pub(crate) urls: u32,
    /// The finding it comes from.
    pub(crate) source: Option<Source>,
    /// Whether `websites.task.verify` can tell that it is done.
    pub(crate) verifiable: bool,
    /// The last look of `websites.task.verify`.
    pub(crate) last_verification: Option<LastVerification>,
    /// How often it was said to be done: what was verified before counts no more.
    #[serde(default)]
    pub(crate) round: u32,
    /// What changed, in order; at most 50 changes.
    pub(crate) history: Vec<Change>,
    /// Changes after the first that are no longer kept.
    #[serde(default)]
    pub(crate) history_dropped: u32,
    /// When it was made.
    pub(crate) created_at: Moment,
    /// When it was changed last.
    pub(crate) updated_at: Moment,
}

/// The finding behind a work item.
#[value]
pub(crate) struct Source {
    /// As it was given.
    pub(crate) source_ref: Id<Source>,
    /// The audit; null for a step of a plan that no audit stands behind.
    pub(crate) audit_ref: Option<Id<Audit>>,
    /// The rule.
    pub(crate) rule: String,
    /// Pages at fault when it was frozen.
    pub(crate) affected: u32,
}

/// What the last look at the pages came to.
#[value]
pub(crate) struct LastVerification {
    /// When.
    pub(crate) at: Moment,
    /// Pages without the fault, in this round.
    pub(crate) passed: u32,
    /// Pages with the fault, in this round.
    pub(crate) failed: u32,
    /// Pages not looked at yet, in this round.
    pub(crate) remaining: u32,
}

/// One change.
#[value]
pub(crate) struct Change {
    /// When.
    pub(crate) at: Moment,
    /// The member that changed.
    pub(crate) what: String,
    /// Its value before; empty for none, at most 200 characters.
    pub(crate) from: String,
    /// Its value after; empty for none, at most 200 characters.
    pub(crate) to: String,
}

impl Task {
    /// Moves it to another state.
    pub(crate) fn go(&mut self, to: State, now: Moment) {
        self.remember(now, "state", self.state.word(), to.word());
        if to == State::Done {
            self.round += 1;
        }
        self.state = to;
        self.updated_at = now;
    }

    /// Appends to the history.
    pub(crate) fn remember(&mut self, at: Moment, what: &str, from: &str, to: &str) {
        let shown = |text: &str| kit::text::collapse_to(text, SHOWN);
        self.history.push(Change { at, what: what.to_owned(), from: shown(from), to: shown(to) });
        if self.history.len() > MOST_CHANGES {
            // The first says how it began.
            self.history.remove(1);
            self.history_dropped += 1;
        }
    }
}

/// What was frozen with a work item, under the work item's id.
#[record(collection = "task_findings", thing = "task", reference = "task_ref", index(site_id))]
pub(crate) struct Finding {
    /// The website.
    pub(crate) site_id: Id<Website>,
    /// The number at which the rule spoke, where it has one.
    pub(crate) threshold: Option<u32>,
    /// The pages, at most 500.
    pub(crate) pages: Vec<At>,
    /// The round of the work item that `after` of the pages is of.
    #[serde(default)]
    pub(crate) round: u32,
}

/// One page of a work item.
#[value]
pub(crate) struct At {
    /// The page, normalised.
    pub(crate) url: String,
    /// The evidence when it was frozen.
    pub(crate) before: Option<Evidence>,
    /// What the last look found.
    pub(crate) after: Option<After>,
}

/// What a look at a page found.
#[value]
pub(crate) struct After {
    /// When.
    pub(crate) at: Moment,
    /// Whether the fault is gone.
    pub(crate) passed: bool,
    /// The fault, or what stands there instead.
    pub(crate) evidence: Evidence,
}

/// The proof of a finding, as audits write it.
#[value]
pub(crate) struct Evidence {
    /// Where it was seen: an element, a header, or a part of the address.
    pub(crate) element: String,
    /// The exact value found there; empty when the element is missing. At most 300 characters.
    pub(crate) value: String,
    /// What would have satisfied the rule.
    pub(crate) expected: Option<String>,
    /// How many such elements the page has, when more than one.
    pub(crate) count: Option<u32>,
}
