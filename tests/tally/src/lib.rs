//! A module of the tests whose job takes its time: it counts, a step at a time, and says which code has counted.

use sdk::prelude::*;
use sdk::{IsQueued, Job};

sdk::module! {
    operations: [count],
    steps: [work as work],
}

/// What the job says of the code that ran it. A test that needs a later version of this module puts other letters, as
/// many, in the place of these.
const CODE: &str = "the code that it began with";

#[args]
struct Count {
    /// Steps of the job.
    steps: Option<u32>,
}

#[value]
struct Started {
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
}

/// Counts in a job.
#[operation(
    job,
    queued(step = "work"),
    scope = "assets:write",
    cost = job(unit = "steps", every = 1, most = 100),
    phrasings = ["count slowly"],
    examples = [{}]
)]
fn count(cx: &Cx, args: Count) -> Result<Started> {
    let job_ref = cx.jobs().enqueue("work", &Payload { steps: args.steps.unwrap_or(2) })?;
    Ok(Started { job_ref, state: IsQueued::Queued })
}

#[value]
struct Payload {
    steps: u32,
}

#[value]
struct Counted {
    count: u32,
    /// Which code has counted, a step each.
    by: Vec<String>,
}

#[step]
fn work(_: &Cx, payload: Payload, checkpoint: Option<Counted>) -> Result<Step<Counted, Counted, Counted>> {
    let mut counted = checkpoint.unwrap_or(Counted { count: 0, by: Vec::new() });
    counted.count += 1;
    counted.by.push(CODE.to_owned());
    let progress = Counted { count: counted.count, by: Vec::new() };
    Ok(if counted.count >= payload.steps {
        Step::done(counted, progress)
    } else {
        Step::next(counted, progress).after(2_000)
    }
    .units(1))
}
