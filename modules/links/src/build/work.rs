//! The job that builds a graph, step by step: pages, links, authority, hubs, numbers, replacements.

mod broken;
mod links;
mod pages;
mod rank;

use std::collections::BTreeMap;

use sdk::Progress;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::stored::{Graph, GraphState};

/// A step that has run so long hands over, in milliseconds; the host allows 60,000.
const LONG: u64 = 20_000;

/// What the job is given.
#[value]
pub(crate) struct Work {
    /// The graph.
    pub(crate) graph: Id<Graph>,
}

/// The part of the work.
#[value]
#[derive(Default)]
pub(crate) enum Phase {
    /// Reading addresses.
    #[default]
    Pages,
    /// Reading links.
    Links,
    /// Computing authority.
    Rank,
    /// Computing hubs.
    Hubs,
    /// Counting.
    Numbers,
    /// Looking for what took the place of pages that are gone.
    Broken,
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
    pages: u32,
    links: u64,
    /// Pages by the language that they declare.
    languages: BTreeMap<String, u32>,
    /// Rounds that the authority took.
    rounds: u32,
    settled: bool,
    hub_rounds: u32,
    /// Broken targets whose replacement was looked for.
    replaced: u32,
}

impl Checkpoint {
    /// Pages read while pages are read, links read while links are; the later parts count no units.
    fn progress(&self) -> Progress {
        let (done, step) = match self.phase {
            Phase::Pages => (self.pages.into(), "reading pages"),
            Phase::Links => (self.links, "reading links"),
            Phase::Rank => (self.rounds.into(), "computing authority"),
            Phase::Hubs => (self.hub_rounds.into(), "computing hubs"),
            Phase::Numbers => (self.pages.into(), "counting"),
            Phase::Broken => (self.replaced.into(), "looking for replacements of broken targets"),
            Phase::Done => (self.pages.into(), "done"),
        };
        Progress::new(done, (self.phase == Phase::Done).then_some(done), step)
    }
}

/// What the job ends with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Outcome {
    run_ref: String,
    /// Pages that stand for themselves.
    nodes: u32,
    /// Pairs of pages that are linked.
    edges: u32,
    /// Rounds that PageRank took.
    iterations: u32,
}

/// One step of building a graph.
#[step]
pub(crate) fn step(cx: &Cx, work: Work, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let mut graph = cx.records::<Graph>().get(&work.graph)?;
    let read = state.pages;
    match state.phase {
        Phase::Pages => pages::read(cx, &mut graph, &mut state)?,
        Phase::Links => links::read(cx, &mut graph, &mut state)?,
        Phase::Rank => rank::authority(cx, &mut graph, &mut state)?,
        Phase::Hubs => rank::hubs(cx, &graph, &mut state)?,
        Phase::Numbers => rank::numbers(cx, &mut graph, &mut state)?,
        Phase::Broken => broken::replace(cx, &graph, &mut state)?,
        Phase::Done => {}
    }
    if state.phase == Phase::Done {
        graph.it.state = GraphState::Ready;
        graph.it.finished_ms = Some(cx.now().millis());
        graph.it.score = graph.it.leaks.as_ref().map(crate::leak::Leaks::score);
    }
    let graph = cx.records::<Graph>().save(graph)?;
    let progress = state.progress();
    let units = u64::from(state.pages - read);
    if state.phase != Phase::Done {
        return Ok(Step::next(state, progress).units(units));
    }
    let summary = graph.it.summary.unwrap_or_default();
    let outcome = Outcome {
        run_ref: graph.it.run_ref,
        nodes: summary.pages,
        edges: summary.edges,
        iterations: summary.iterations,
    };
    Ok(Step::done(outcome, progress).units(units))
}
