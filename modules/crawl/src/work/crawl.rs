//! The state of one step: what it read, what it will write.

use std::collections::{HashMap, HashSet};

use kit::crawled::{Pace, RunRecord, RunState, StopReason, page_id};
use kit::rules::Ready;
use kit::url::Url;
use sdk::prelude::*;

use super::budget::Budget;
use super::robots::Rules;
use super::{Checkpoint, Kept, Phase, Progress, Waits};
use crate::stored::{External, Extracted, Frontier, Linked, Page, Resource, Row, Run, Stop};

/// One step at work.
pub(crate) struct Crawl<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) run: Stored<Run>,
    pub(crate) point: Checkpoint,
    pub(crate) budget: Budget,
    /// Scheme, host and port that the crawl began at.
    pub(crate) origin: Url,
    /// Work of this step in the unit of the price.
    pub(crate) units: u64,
    /// Milliseconds to wait before the next step, when the pace asks for more than this step has left.
    pub(crate) pause_ms: u32,
    pub(super) rules: HashMap<String, Rules>,
    /// Ids of addresses that need no second look in this step.
    pub(super) seen: HashSet<String>,
    pub(super) frontier: HashMap<String, Frontier>,
    pub(crate) pages: Vec<(Id<Page>, Page)>,
    pub(crate) rows: Vec<(Id<Row>, Row)>,
    pub(super) links: Vec<Linked>,
    pub(super) externals: HashMap<String, External>,
    pub(super) resources: HashMap<String, Resource>,
    pub(super) extracted: Vec<(Id<Extracted>, Extracted)>,
    pub(super) kept: Kept,
    pub(super) extraction: Option<Vec<Ready>>,
}

impl<'a> Crawl<'a> {
    /// Ends the job's work. What fetches parts again leaves how and when the crawl itself ended as it was.
    pub(super) fn end(&mut self, reason: StopReason) {
        let first = if self.point.again { self.run.0.stop_reason } else { None };
        if first.is_some() {
            if let Some(renewed) = &mut self.run.0.again {
                renewed.stopped = reason == StopReason::Stopped;
            }
        } else {
            self.run.0.finished_ms = Some(self.clock_ms());
        }
        let reason = first.unwrap_or(reason);
        self.run.0.state = if reason == StopReason::Stopped { RunState::Stopped } else { RunState::Finished };
        self.run.0.stop_reason = Some(reason);
    }

    /// Reads where the crawl stands.
    pub(crate) fn load(cx: &'a Cx, id: &Id<Run>, checkpoint: Option<Checkpoint>) -> Result<Self> {
        let mut run = cx.records::<Run>().get(id)?;
        let origin = Url::parse(&run.0.origin)
            .map_err(|_| Fault::refused("origin_unreadable", "the website's origin is not an address"))?;
        let point = checkpoint.unwrap_or_else(|| Checkpoint {
            phase: Phase::Robots,
            seq: 0,
            order: 0,
            sitemaps: Vec::new(),
            files: 0,
            last_ms: 0,
            too_deep: false,
            too_many: false,
            aside: None,
            challenged: 0,
            rests: 0,
            ended: None,
            again: false,
            chosen: 0,
            cursor: None,
        });
        if run.0.state == RunState::Queued {
            run.0.state = RunState::Running;
            run.0.started_ms = run.0.started_ms.or(Some(cx.now().millis()));
            run.0.pace = Pace::start(run.0.settings.rate_millirps, None);
        }
        Ok(Self {
            cx,
            run,
            point,
            budget: Budget::new(),
            origin,
            units: 0,
            pause_ms: 0,
            rules: HashMap::new(),
            seen: HashSet::new(),
            frontier: HashMap::new(),
            pages: Vec::new(),
            rows: Vec::new(),
            links: Vec::new(),
            externals: HashMap::new(),
            resources: HashMap::new(),
            extracted: Vec::new(),
            kept: Kept::default(),
            extraction: None,
        })
    }

    /// Whether the customer asked to end it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.cx.records::<Stop>().find(&self.run.id.cast()).is_some_and(|stop| !stop.run.is_empty())
    }

    /// The run's reference.
    pub(crate) fn reference(&self) -> String {
        self.run.id.as_str().to_owned()
    }

    /// The id of an address in this run.
    pub(crate) fn id(&self, url: &str) -> String {
        page_id(self.run.id.as_str(), url)
    }

    /// Milliseconds since 1970 UTC, moving while the step runs.
    pub(crate) fn clock_ms(&self) -> u64 {
        self.cx.now().millis() + self.cx.elapsed()
    }

    /// Writes addresses, so that the next question to the frontier sees them.
    pub(crate) fn flush_frontier(&mut self) -> Result<()> {
        if self.frontier.is_empty() {
            return Ok(());
        }
        let mut waiting: Vec<(Id<Frontier>, Frontier)> =
            self.frontier.drain().map(|(id, it)| (Id::new(id), it)).collect();
        // In order of discovery, so that a replayed step writes the same bytes.
        waiting.sort_by(|a, b| (a.1.rank, &a.1.url).cmp(&(b.1.rank, &b.1.url)));
        self.budget.call();
        self.cx.records::<Frontier>().put_many_as(waiting.iter().map(|(id, it)| (id, it)))?;
        Ok(())
    }

    /// Writes everything; gives the run as it now stands.
    pub(crate) fn commit(mut self) -> Result<(RunRecord, Progress)> {
        self.flush_frontier()?;
        let records = self.cx.records::<Page>();
        if !self.pages.is_empty() {
            records.put_many_as(self.pages.iter().map(|(id, it)| (id, it)))?;
            self.cx.records::<Row>().put_many_as(self.rows.iter().map(|(id, it)| (id, it)))?;
        }
        if !self.links.is_empty() {
            self.cx.records::<Linked>().put_many(&self.links)?;
        }
        if !self.externals.is_empty() {
            let mut externals: Vec<(Id<External>, External)> =
                self.externals.drain().map(|(id, it)| (Id::new(id), it)).collect();
            externals.sort_by(|a, b| a.1.0.url.cmp(&b.1.0.url));
            self.cx.records::<External>().put_many_as(externals.iter().map(|(id, it)| (id, it)))?;
        }
        self.flush_resources()?;
        if !self.extracted.is_empty() {
            self.cx.records::<Extracted>().put_many_as(self.extracted.iter().map(|(id, it)| (id, it)))?;
        }
        self.flush_kept()?;
        let run = self.cx.records::<Run>().save(self.run)?.into_inner().0;
        let progress = Progress {
            phase: self.point.phase,
            fetched: run.totals.fetched,
            blocked: run.totals.blocked,
            delay_ms: run.pace.delay_ms,
            waits_for: (self.pause_ms > 0).then_some(match run.pace {
                Pace { pause_ms: 1.., .. } => Waits::RetryAfter,
                _ if self.point.rests > 0 => Waits::Host,
                _ => Waits::Delay,
            }),
        };
        Ok((run, progress))
    }
}
