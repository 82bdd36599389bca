//! The job of a scan: what one step does, from its checkpoint to the next.
//!
//! A task is ordered once for each pin and collected until it is done. Each order is journaled by the host before it is
//! sent: a step that is killed finds the answer there when it runs again. Where nobody knows whether the provider has
//! taken an order, its list of finished tasks tells by the tags, and only what is not there for long is ordered anew.

mod collect;
mod order;
mod state;

use sdk::Degraded;
use sdk::prelude::*;

use crate::stored::{Run, Stage, State};
use state::Work;

/// What the job is about.
#[value]
pub(crate) struct Payload {
    /// The scan.
    pub(crate) run: Id<Run>,
}

/// Where a scan stands between two steps. The pins themselves are in the collection `pins`.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Whether the pins are written.
    pub(crate) laid: bool,
    /// Rounds of looking after all ordered pins, in a row, that brought nothing.
    pub(crate) idle: u32,
    /// Pins that were looked after since one was found or the last round ended.
    #[serde(default)]
    pub(crate) looked: u32,
    /// Steps in a row in which the provider could not be asked.
    pub(crate) refused: u32,
}

/// What followers of the job see.
#[value]
pub(crate) struct Progress {
    /// Pins of all keywords.
    pub(crate) pins: u32,
    /// Finished pins.
    pub(crate) pins_done: u32,
    /// Pins without a result.
    pub(crate) failed_pins: u32,
}

/// The job's result.
#[value]
pub(crate) struct Outcome {
    /// The scan.
    pub(crate) run_ref: Id<Run>,
    /// How it ended.
    pub(crate) state: State,
    /// Finished pins.
    pub(crate) pins_done: u32,
    /// What is missing or went wrong.
    pub(crate) degraded: Vec<Degraded>,
}

/// Orders up to 1,000 pins, or collects up to 40.
#[step]
fn run(cx: &Cx, payload: Payload, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut work = Work::load(cx, &payload.run, checkpoint.unwrap_or_default())?;
    if !work.point.laid {
        work.lay()?;
    } else if work.is_stopped() {
        work.end(State::Cancelled);
    } else if work.has(Stage::Waiting) {
        work.order()?;
    } else if work.has(Stage::Posted) {
        work.collect()?;
    } else if work.has(Stage::Lost) {
        work.look_for_lost()?;
    } else {
        work.finish();
    }
    work.hand_over()
}
