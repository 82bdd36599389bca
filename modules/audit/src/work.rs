//! The job of an audit, step by step.
//!
//! Three phases: pages are judged one by one and written to the compact index; links are counted, and those that lead
//! to something wrong are kept; then the rules that see the whole site are asked, and the result is stored.
//! Each step reads as much as its budget allows and hands the rest to the next.

mod finish;
mod links;
mod pages;
mod site;

use std::collections::{BTreeMap, BTreeSet};

use kit::crawled::StopReason;
use sdk::Progress;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::engine::{Choice, Hit, Tally};
use crate::index::Entry;
use crate::issue::suppress::Suppressed;
use crate::rule::SiteContext;
use crate::settings::Settings;
use crate::stored::{Audit, AuditState, Example, IssueUrl, LISTED, Part};
use crate::worth::{Spread, Worth};
use ::site::Run;

/// The most rows that one step writes; the host allows 20,000.
const ROWS: usize = 18_000;
/// A step that has run so long hands over, in milliseconds; the host allows 60,000.
const LONG: u64 = 20_000;
/// Bytes of one row of the compact index, about; the host allows 256 KiB.
const PART: usize = 64 << 10;
/// Pages shown as examples with each issue.
const EXAMPLES: usize = 3;

/// What the job is given.
#[value]
pub(crate) struct Work {
    /// The audit.
    pub(crate) audit: Id<Audit>,
}

/// The part of the work.
#[value]
#[derive(Default)]
pub(crate) enum Phase {
    /// Judging pages one by one.
    #[default]
    Pages,
    /// Reading what other sites answered.
    Externals,
    /// Counting links.
    Links,
    /// Judging the site as a whole.
    Site,
    /// Ended.
    Done,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    phase: Phase,
    cursor: Option<Cursor>,
    tally: Tally,
    pages: u32,
    links: u64,
    parts: u32,
    /// Internal links to each address, by its position in the index.
    inlinks: Vec<u32>,
    /// Of these, from pages with a link that may be followed.
    followed: Vec<u32>,
    /// Of these, from pages that may be indexed.
    found: Vec<u32>,
    /// Of these, from pages with a link whose text says something.
    named: Vec<u32>,
    /// Bad links kept so far.
    bad_links: u32,
    /// The page whose links were still coming when the step ended.
    open: Option<links::Open>,
    /// Position of the next site rule.
    rule: usize,
    examples: BTreeMap<String, Vec<Example>>,
    /// Findings that are suppressed, by rule.
    suppressed: BTreeMap<String, u32>,
    /// Where a rule found something before the links were counted.
    spread: BTreeMap<String, Spread>,
    /// The part of the website's worth that a rule has found at fault since.
    worth: BTreeMap<String, f64>,
    /// Whether the worth of pages counts their clicks.
    by_clicks: bool,
    /// Rules that found something at the home page.
    home: BTreeSet<String>,
}

impl Checkpoint {
    fn progress(&self) -> Progress {
        let (done, step) = match self.phase {
            Phase::Pages => (self.pages.into(), "judging pages"),
            Phase::Externals => (self.pages.into(), "reading answers of other sites"),
            Phase::Links => (self.links, "reading links"),
            Phase::Site => (self.pages.into(), "judging the site as a whole"),
            Phase::Done => (self.pages.into(), "done"),
        };
        Progress::new(done, (self.phase == Phase::Done).then_some(done), step)
    }
}

/// What the job ends with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Outcome {
    audit_ref: Id<Audit>,
    score: f64,
    issues: u32,
}

/// One step of an audit.
#[step]
pub(crate) fn run(cx: &Cx, work: Work, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let fresh = checkpoint.is_none();
    let mut state = checkpoint.unwrap_or_default();
    let mut audit = cx.records::<Audit>().get(&work.audit)?;
    if fresh {
        audit.it.state = AuditState::Running;
        audit = cx.records::<Audit>().save(audit)?;
    }
    let read = state.pages;
    let mut turn = Turn::new(cx, &audit);
    match state.phase {
        Phase::Pages => pages::judge(&mut turn, &mut state)?,
        Phase::Externals => pages::externals(&mut turn, &mut state)?,
        Phase::Links => links::count(&mut turn, &mut state)?,
        Phase::Site => site::judge(&mut turn, &mut state)?,
        Phase::Done => {}
    }
    let progress = state.progress();
    let units = u64::from(state.pages - read);
    if state.phase == Phase::Done {
        let choice = turn.choice;
        let outcome = finish::store(cx, audit, state, &choice)?;
        return Ok(Step::done(outcome, progress).units(units));
    }
    Ok(Step::next(state, progress).units(units))
}

/// What one step works with.
struct Turn<'a> {
    cx: &'a Cx,
    audit: &'a Id<Audit>,
    site_id: Id<::site::Site>,
    run: &'a str,
    max_pages: u32,
    choice: Choice,
    suppressed: Suppressed,
    site: SiteContext,
    /// What pages are worth, once that is known.
    worth: Option<Worth>,
    rows: usize,
}

impl<'a> Turn<'a> {
    fn new(cx: &'a Cx, audit: &'a Stored<Audit>) -> Self {
        let settings = Settings::of(cx, &Id::new(audit.site_id.as_str()));
        Self {
            cx,
            audit: &audit.id,
            site_id: Id::new(audit.site_id.as_str()),
            run: &audit.run_ref,
            max_pages: audit.max_pages,
            choice: settings.choice(|_| true).only(&audit.rules),
            suppressed: Suppressed::of(cx, &audit.site_id),
            site: SiteContext { origin: audit.origin.clone(), limits: settings.limits() },
            worth: None,
            rows: 0,
        }
    }

    /// Whether there is room for so many more rows, and time.
    fn has_room(&self, rows: usize) -> bool {
        self.rows + rows <= ROWS && self.cx.elapsed() < LONG
    }

    /// Counts findings and stores them.
    fn keep(&mut self, state: &mut Checkpoint, hits: &[Hit]) -> Result<()> {
        let mut rows = Vec::new();
        for hit in hits {
            let id = hit.rule.id;
            let hidden = self.suppressed.hides(id, &hit.url);
            let listed = state.tally.affected(&hit.rule) + state.suppressed.get(id).copied().unwrap_or(0);
            if hidden {
                *state.suppressed.entry(id.to_owned()).or_default() += 1;
            } else {
                state.tally.found([hit]);
                self.weigh(state, hit);
                let examples = state.examples.entry(id.to_owned()).or_default();
                if examples.len() < EXAMPLES {
                    examples.push(Example { url: hit.url.clone(), evidence: hit.evidence.clone() });
                }
            }
            if listed < LISTED {
                rows.push(IssueUrl {
                    audit: self.audit.as_str().to_owned(),
                    rule: id.to_owned(),
                    url: hit.url.clone(),
                    evidence: hit.evidence.clone(),
                    suppressed: hidden,
                });
            }
        }
        self.rows += rows.len();
        self.cx.records::<IssueUrl>().put_many(&rows)?;
        Ok(())
    }

    /// Notes what is at stake: the worth of the page where that is known by now, else which page it is.
    fn weigh(&self, state: &mut Checkpoint, hit: &Hit) {
        let id = hit.rule.id;
        if hit.url.strip_prefix(self.site.origin.as_str()).is_some_and(|path| matches!(path, "" | "/")) {
            state.home.insert(id.to_owned());
        }
        match (hit.at, &self.worth) {
            (Some(at), _) => state.spread.entry(id.to_owned()).or_default().add(at),
            (None, Some(worth)) => *state.worth.entry(id.to_owned()).or_default() += worth.share(&hit.url),
            (None, None) => {}
        }
    }

    /// Writes a piece of the compact index, in as many rows as its size asks for.
    fn add_part(&mut self, state: &mut Checkpoint, entries: Vec<Entry>) -> Result<()> {
        let (mut part, mut size) = (Vec::new(), 0);
        for entry in entries {
            let weight = entry.weight();
            if size + weight > PART && !part.is_empty() {
                self.write_part(state, std::mem::take(&mut part))?;
                size = 0;
            }
            size += weight;
            part.push(entry);
        }
        if part.is_empty() { Ok(()) } else { self.write_part(state, part) }
    }

    fn write_part(&mut self, state: &mut Checkpoint, entries: Vec<Entry>) -> Result<()> {
        let audit = self.audit.as_str().to_owned();
        self.cx.records::<Part>().insert(Part { audit, number: state.parts, entries })?;
        state.parts += 1;
        self.rows += 1;
        Ok(())
    }

    /// The whole compact index.
    fn entries(&self) -> Vec<Entry> {
        let parts = self.cx.records::<Part>().by("audit_number").equals(self.audit);
        parts.scan().flat_map(|part| part.into_inner().entries).collect()
    }

    /// Whether the crawl reached the end of the site, so that what it did not find is not there.
    fn is_complete(&self) -> bool {
        let run = self.cx.records::<Run>().find(&Id::new(self.run));
        run.is_some_and(|run| {
            run.0.stop_reason == Some(StopReason::Completed)
                && run.0.totals.fetched + run.0.totals.blocked <= u64::from(self.max_pages)
        })
    }
}

#[cfg(test)]
mod tests;
