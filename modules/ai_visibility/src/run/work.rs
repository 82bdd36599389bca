//! The job of a run: what one step does, from its checkpoint to the next.
//!
//! Questions are asked in rounds over all prompts, so that a run that ends early is balanced. Each question has a place in the run; what
//! is stored under a place is never asked again. Every question is journaled by the host before it is sent, so that a step
//! that is killed finds the answer there when it runs again.

mod ask;
mod budget;
mod collect;
mod end;
mod keep;
pub(crate) mod product;
pub(crate) mod tally;

use sdk::prelude::*;
use sdk::serde_json;
use sdk::{Degraded, Progress};

use crate::brand::{Brand, BrandSet};
use crate::stored::{EndedBy, Question, Run, State, questions_key};

/// Bytes of the questions of a run.
const MAX_QUESTIONS: u32 = 8 << 20;

/// What the job is about.
#[value]
pub(crate) struct Payload {
    pub(crate) run: Id<Run>,
}

/// What a step does.
#[value]
#[derive(Default)]
pub(crate) enum Phase {
    /// Looks for earlier runs whose answers are to be read anew.
    #[default]
    Begin,
    /// Reads answers of earlier runs anew.
    Again,
    /// Asks and collects.
    Ask,
    /// Counts what was answered.
    Tally,
}

/// A question that a provider is at work on.
#[value]
pub(crate) struct Waiting {
    /// Its place in the order of asking.
    turn: u64,
    /// The provider's id.
    id: String,
    since_ms: u64,
    looked_ms: u64,
}

/// A question that is to be asked again.
#[value]
pub(crate) struct Again {
    turn: u64,
    tries: u32,
    not_before_ms: u64,
}

/// Where a run stands between two steps.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    phase: Phase,
    /// Earlier runs to be read anew, and the place in the first of them.
    old: Vec<String>,
    place: u32,
    /// The next question that was never asked.
    next: u64,
    waiting: Vec<Waiting>,
    again: Vec<Again>,
    /// By connection: why it takes no more questions.
    dead: Vec<Option<String>>,
    /// By connection: it has no `/responses`, or no search there.
    chats: Vec<bool>,
    /// What the last answers cost, and their tokens.
    costs: Vec<u64>,
    tokens: Vec<u64>,
    /// Spent and taken so far.
    spent_micros: u64,
    spent_tokens: u64,
    /// Steps in a row in which nothing could be sent.
    idle: u32,
    ended_by: Option<EndedBy>,
}

/// The result of a run.
#[value]
pub(crate) struct Outcome {
    run_ref: Id<Run>,
    state: State,
    /// Stored answers.
    answers: u64,
    /// Questions without an answer.
    failed: u64,
    tokens: super::Tokens,
    ended_by: EndedBy,
    /// The share of answers that name the website's brand.
    mention_rate: Option<f64>,
    degraded: Vec<Degraded>,
}

/// One step at work.
struct Work<'a> {
    cx: &'a Cx,
    run: Stored<Run>,
    questions: Vec<Question>,
    set_version: u32,
    brands: Vec<Brand>,
    point: Checkpoint,
    pause_ms: u32,
}

/// Reads anew, asks, collects or counts.
#[step]
pub(crate) fn answers(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut work = Work::load(cx, &payload.run, checkpoint.unwrap_or_default())?;
    match work.point.phase {
        Phase::Begin => work.begin()?,
        Phase::Again => work.read_again()?,
        Phase::Ask => work.ask()?,
        Phase::Tally => {
            if work.count()? {
                return work.finish();
            }
        }
    }
    work.hand_over()
}

impl<'a> Work<'a> {
    fn load(cx: &'a Cx, id: &Id<Run>, mut point: Checkpoint) -> Result<Self> {
        let mut run = cx.records::<Run>().get(id)?;
        run.state = State::Running;
        let written = cx.blobs().read(&questions_key(id.as_str()), 0, MAX_QUESTIONS).unwrap_or_default();
        let questions: Vec<Question> = serde_json::from_slice(&written).unwrap_or_default();
        let set = cx.records::<BrandSet>().find(&Id::new(run.site_id.clone()));
        let (set_version, brands) = set.map(|it| (it.set_version, it.into_inner().brands)).unwrap_or_default();
        let connections = run.asked.len();
        point.dead.resize(connections, None);
        point.chats.resize(connections, false);
        Ok(Self { cx, run, questions, set_version, brands, point, pause_ms: 0 })
    }

    fn hand_over(self) -> Result<Step<Checkpoint, Progress, Outcome>> {
        let (done, total) = (self.run.answers() + self.run.failed(), self.run.total());
        let step = match self.point.phase {
            Phase::Begin | Phase::Again => "reading earlier answers anew",
            Phase::Ask => "asking",
            Phase::Tally => "counting",
        };
        self.cx.records::<Run>().save(self.run)?;
        Ok(Step::next(self.point, Progress::new(done, total, step)).after(self.pause_ms).units(done))
    }

    /// The prompt, connection and sample of a turn: rounds over all prompts, model by model.
    fn of_turn(&self, turn: u64) -> (usize, usize, u32) {
        let connections = self.run.asked.len().max(1) as u64;
        let round = (self.questions.len().max(1) as u64) * connections;
        let (sample, rest) = (turn / round, turn % round);
        let at = |it: u64| usize::try_from(it).unwrap_or(0);
        (at(rest / connections), at(rest % connections), u32::try_from(sample).unwrap_or(0))
    }

    /// The place of a turn in the run: by prompt, then connection, then sample.
    fn place(&self, turn: u64) -> u32 {
        let (prompt, connection, sample) = self.of_turn(turn);
        let place =
            (prompt * self.run.asked.len() + connection) as u64 * u64::from(self.run.samples) + u64::from(sample);
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// Counts a question that will have no answer.
    fn fail(&mut self, turn: u64, code: &str) {
        let (_, connection, _) = self.of_turn(turn);
        if let Some(came) = self.run.it.came.get_mut(connection) {
            came.failed += 1;
            *came.failures.entry(code.to_owned()).or_default() += 1;
        }
    }

    /// Waits at least so long before the next step.
    fn pause(&mut self, milliseconds: u64) {
        let bounded = u32::try_from(milliseconds).unwrap_or(u32::MAX).min(600_000);
        self.pause_ms = self.pause_ms.max(bounded);
    }

    fn tell(&mut self, what: &str, why: String) {
        if self.run.degraded.iter().all(|it| it.why != why) {
            self.run.it.degraded.push(Degraded::new(what, why));
        }
    }
}
