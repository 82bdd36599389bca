//! The fake worker: steps of queued jobs, one after the other, each all or nothing.

use serde_json::{Value, json};

use crate::bindings::wit::jobs::State;
use crate::{Cx, Module};

/// A job that never ends is a test that never does.
const MOST: u32 = 10_000;

/// Runs every job to its end.
pub(super) fn work(cx: &Cx, module: &Module) -> u32 {
    let mut steps = 0;
    while work_one_step(cx, module) {
        steps += 1;
        assert!(steps < MOST, "a job took {MOST} steps and is not at its end");
    }
    steps
}

/// Runs one step of the first job that is not at its end.
pub(super) fn work_one_step(cx: &Cx, module: &Module) -> bool {
    let next = cx.host.state.borrow().jobs.iter().position(|it| matches!(it.job.state, State::Queued | State::Running));
    let Some(at) = next else { return false };
    let job = cx.host.state.borrow().jobs[at].clone();
    let step = module
        .steps
        .iter()
        .find(|it| it.name == job.step)
        .expect("enqueue refuses steps that the module does not list");
    let payload: Value = serde_json::from_str(&job.payload).expect("the sdk wrote the payload");
    let turn = json!({ "payload": payload, "checkpoint": job.checkpoint, "attempt": 1 });
    let before = cx.host.begin(crate::Kind::Job, true);
    let outcome = (step.it.run)(cx, &turn.to_string());
    cx.host.end();
    let waited = cx.host.waited();
    if outcome.is_err() {
        cx.host.restore(before);
    }
    let mut state = cx.host.state.borrow_mut();
    state.now += waited;
    let now = state.now;
    let job = &mut state.jobs[at];
    job.job.changed = now;
    match outcome {
        Err(fault) => {
            job.job.state = State::Failed;
            job.job.outcome = Some(json!({ "code": fault.code, "message": fault.message }).to_string());
        }
        Ok(answer) => {
            let turn: Value = serde_json::from_str(&answer.data).expect("the sdk wrote the answer");
            job.job.progress = turn["progress"].to_string();
            if let Some(done) = turn.get("done") {
                job.job.state = State::Succeeded;
                job.job.outcome = Some(done.to_string());
            } else {
                job.job.state = State::Running;
                job.checkpoint = Some(turn["next"].clone());
                let wait = turn["wait_ms"].as_u64().unwrap_or_default();
                state.now += wait;
            }
        }
    }
    true
}
