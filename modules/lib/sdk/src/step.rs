//! Jobs as steps: each runs in a fresh instance and hands a checkpoint to the next.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::boundary::Answer;
use crate::contract::Run;
use crate::{Cx, Result, entry, schema};

/// How a step ends: with a checkpoint to go on from, or with the job's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<C, P, D> {
    turn: Turn<C, D>,
    progress: P,
    wait_ms: u32,
    hands_over: bool,
    units: u64,
}

#[derive(Debug, Clone, PartialEq)]
enum Turn<C, D> {
    Next(C),
    Done(D),
}

impl<C, P, D> Step<C, P, D> {
    /// Goes on from `checkpoint` in another step.
    pub fn next(checkpoint: C, progress: P) -> Self {
        Self { turn: Turn::Next(checkpoint), progress, wait_ms: 0, hands_over: false, units: 0 }
    }

    /// The job has ended with `result`.
    pub fn done(result: D, progress: P) -> Self {
        Self { turn: Turn::Done(result), progress, wait_ms: 0, hands_over: false, units: 0 }
    }

    /// The next step begins no sooner than this many milliseconds from now.
    #[must_use]
    pub fn after(mut self, milliseconds: u32) -> Self {
        self.wait_ms = milliseconds;
        self
    }

    /// The job ends and another one that this step starts goes on in its place: what is left of the credits held for
    /// this one goes on being held for that one. Without this the rest goes back.
    #[must_use]
    pub fn handing_over(mut self) -> Self {
        self.hands_over = true;
        self
    }

    /// The work of this one step, in the unit that the cost of the job's operation names.
    #[must_use]
    pub fn units(mut self, units: u64) -> Self {
        self.units = units;
        self
    }
}

impl<C: Serialize, P: Serialize, D: Serialize> Step<C, P, D> {
    pub(crate) fn into_answer(self) -> Answer {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Written<C, P, D> {
            Next { next: C, progress: P, wait_ms: u32 },
            Done { done: D, progress: P, hands_over: bool },
        }
        let (progress, wait_ms, hands_over) = (self.progress, self.wait_ms, self.hands_over);
        let written = match self.turn {
            Turn::Next(next) => Written::Next { next, progress, wait_ms },
            Turn::Done(done) => Written::Done { done, progress, hands_over },
        };
        Answer { data: entry::written(&written), units: self.units }
    }
}

/// A step as `module!` lists it.
pub struct JobStep {
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "a component's exports call their handlers directly")
    )]
    pub(crate) run: Run,
    pub(crate) payload: fn() -> Value,
    pub(crate) checkpoint: fn() -> Value,
}

impl JobStep {
    /// The step that `handler` is.
    pub fn new<A, C, P, D>(handler: impl Fn(&Cx, A, Option<C>) -> Result<Step<C, P, D>> + 'static) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        C: Serialize + DeserializeOwned + JsonSchema,
        P: Serialize,
        D: Serialize,
    {
        let run: Run = Box::new(move |cx, arguments| entry::step(cx, arguments, &handler));
        Self { run, payload: schema::stored::<A>, checkpoint: schema::stored::<C> }
    }
}
