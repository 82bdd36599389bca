//! Revisions that are not in force any more, for jobs that began with them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use store::serving::Served;
use store::{Began, JobRow};

use super::Generation;
use crate::generation::Revisions;

/// Revisions that are held at a time; what is asked for again is loaded again.
const MOST: usize = 3;

/// Revisions by their bytes, the last one asked for at the end; none: this host cannot load it.
#[derive(Default)]
pub(crate) struct Older(Mutex<VecDeque<(Served, Option<Arc<Generation>>)>>);

impl Older {
    fn find(&self, served: &Served) -> Option<Option<Arc<Generation>>> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().find(|(it, _)| it == served).map(|(_, generation)| generation.clone())
    }

    fn hold(&self, served: Served, generation: Option<Arc<Generation>>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(it, _)| *it != served);
        held.push_back((served, generation));
        if held.len() > MOST {
            held.pop_front();
        }
    }
}

impl Revisions {
    /// Holds a revision that leaves force.
    pub(super) fn leaves_force(&self, generation: Arc<Generation>) {
        self.core.0.older.hold(generation.served(), Some(generation));
    }

    /// Whether a step back has put something else in the place of this revision: then its code does nothing more. What cannot
    /// be asked counts as taken out.
    async fn is_taken_out(&self, revision: &Served) -> bool {
        match (self.core.store().serving.went_back().await, self.core.store().serving.served_before().await) {
            (Ok(went_back), Ok(before)) => went_back && before.as_ref() == Some(revision),
            (Err(_), _) | (_, Err(_)) => true,
        }
    }

    /// The revision that a step of a job runs on: what it began with, where its module is another one by now, this host has
    /// the one of then and no step back has taken it out; otherwise what is in force.
    pub(crate) async fn generation_of(&self, job: &JobRow) -> Arc<Generation> {
        let current = self.core.catalog().current();
        let Some(Began { revision, component }) = &job.began else { return current };
        if current.module(&job.module).is_some_and(|it| *it.digest == **component) {
            return current;
        }
        if self.is_taken_out(revision).await {
            return current;
        }
        if let Some(held) = self.core.0.older.find(revision) {
            return held.unwrap_or(current);
        }
        let Some(loader) = self.core.0.loader.get().cloned() else { return current };
        let (sandbox, wanted) = (self.core.sandbox().clone(), revision.clone());
        let loaded = tokio::task::spawn_blocking(move || loader(&sandbox, &wanted)).await;
        let older = match loaded.unwrap_or_else(|error| Err(error.to_string())) {
            Ok(generation) if generation.is(revision) => Some(Arc::new(generation)),
            Ok(_) => None,
            Err(reason) => {
                tracing::warn!(revision = revision.date, reason, "jobs that began with it go on with what is in force");
                None
            }
        };
        self.core.0.older.hold(revision.clone(), older.clone());
        older.unwrap_or(current)
    }
}
