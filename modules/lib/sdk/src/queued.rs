//! The answer of every operation that starts a job: the job, the record it works on, and `queued`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::value::Id;
use crate::{Cx, Job, JobState, Readable, Record, Reply, Result};

/// A record that remembers the job that works on it.
///
/// `#[record]` implements it for a struct with the field `job_ref: Option<Id<Job>>`.
pub trait Tracked: Record {
    /// Remembers the job.
    fn track(&mut self, job: Id<Job>);
}

/// A queued job and the record that it works on. Written as `{job_ref, <thing>_ref, state: "queued"}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Queued<T> {
    /// The job.
    pub job: Id<Job>,
    /// The record.
    pub id: Id<T>,
}

impl Cx {
    /// Inserts a record, enqueues the step that works on it, and answers with both references.
    ///
    /// The record, its job reference and the job are committed with the call, or not at all.
    ///
    /// # Errors
    /// As `Records::insert` and `Jobs::enqueue`.
    pub fn start<T: Tracked, P: Serialize>(
        &self,
        step: &str,
        record: T,
        payload: impl FnOnce(Id<T>) -> P,
    ) -> Result<Queued<T>> {
        let mut stored = self.records::<T>().insert(record)?;
        let job = self.jobs().enqueue(step, &payload(stored.id.clone()))?;
        stored.track(job.clone());
        let stored = self.records::<T>().save(stored)?;
        Ok(Queued { job, id: stored.id })
    }
}

/// The state of a job that has just been queued, for answers that have members of their own beside `job_ref`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum IsQueued {
    /// Always `queued`.
    #[default]
    #[serde(rename = "queued")]
    Queued,
}

impl<T: Readable> Serialize for Queued<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("job_ref", &self.job)?;
        map.serialize_entry(T::REFERENCE, &self.id)?;
        map.serialize_entry("state", &JobState::Queued)?;
        map.end()
    }
}

impl<T: Readable> JsonSchema for Queued<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Queued_{}", T::REFERENCE).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let described = |schema: Schema, text: &str| {
            let mut schema = schema;
            schema.insert("description".into(), text.into());
            schema
        };
        let job = described(generator.subschema_for::<Id<Job>>(), "The job; account.job.get follows it.");
        let record = described(generator.subschema_for::<Id<T>>(), "The record that the job works on.");
        json_schema!({
            "type": "object",
            "properties": {
                "job_ref": job,
                T::REFERENCE: record,
                "state": { "type": "string", "const": "queued", "description": "Always `queued`." },
            },
            "required": ["job_ref", T::REFERENCE, "state"],
        })
    }
}

impl<T: Readable> Reply for Queued<T> {
    type Data = Self;

    fn into_parts(self) -> (Self, u64) {
        (self, 0)
    }
}

#[cfg(test)]
mod tests;
