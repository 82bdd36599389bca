//! `jobs` and `jobs-write`: background work that continues after the response.

use store::MOST_STARTED;

use crate::bindings::{jobs, jobs_write};
use crate::state::State;
use crate::stop::{Denial, LimitKind, Stop};

const MOST_PAYLOAD: usize = 256 * 1024;

impl jobs::Host for State {
    async fn get(&mut self, reference: String) -> wasmtime::Result<Option<jobs::Job>> {
        self.enter()?;
        let job = self.span.bound(self.workspace.job(&reference)).await;
        Ok(self.known(job)?.ok().flatten().map(shown))
    }
}

impl jobs_write::Host for State {
    async fn enqueue(&mut self, step: String, payload: String) -> wasmtime::Result<Result<String, String>> {
        self.enter_changing()?;
        if !self.rights.queued {
            return Err(self.end(Stop::Denied(Denial::Enqueue)));
        }
        if !self.module.manifest.steps.iter().any(|declared| declared.name == step) {
            return Ok(Err(format!("the module declares no step {step}")));
        }
        if payload.len() > MOST_PAYLOAD || !payload.trim_start().starts_with('{') {
            return Ok(Err("a payload is a JSON object of at most 256 KiB".to_owned()));
        }
        self.used.jobs += 1;
        if self.used.jobs > MOST_STARTED {
            return Err(self.end(Stop::Limit(LimitKind::Jobs)));
        }
        let job = self.span.bound(self.workspace.enqueue(&step, payload)).await;
        Ok(self.known(job)?.map(|id| id.as_str().to_owned()).map_err(|error| error.to_string()))
    }
}

fn shown(job: store::JobView) -> jobs::Job {
    jobs::Job {
        reference: job.reference.as_str().to_owned(),
        state: match job.state {
            store::JobState::Queued => jobs::State::Queued,
            store::JobState::Running => jobs::State::Running,
            store::JobState::Succeeded => jobs::State::Succeeded,
            store::JobState::Failed => jobs::State::Failed,
            store::JobState::Cancelled => jobs::State::Cancelled,
        },
        progress: job.progress,
        outcome: job.outcome,
        created: u64::try_from(job.created.0).unwrap_or(0),
        changed: u64::try_from(job.changed.0).unwrap_or(0),
    }
}
