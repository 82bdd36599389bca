//! All that a module declares: the content of its section `espalier:contracts@1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::Contract;

/// The name of the custom section.
pub const SECTION: &str = "espalier:contracts@1";

/// A module's declarations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The module's name.
    pub module: String,
    /// The WIT package it was built for.
    pub wit: String,
    /// Catalog operations, exported in `operations`.
    pub operations: Vec<Contract>,
    /// What the fixed routes show, exported in `routes`.
    #[serde(default)]
    pub routes: Vec<Contract>,
    /// Kinds of job, exported in `steps`.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Collections with their indexes.
    #[serde(default)]
    pub collections: Vec<Collection>,
    /// Raw data that a customer may have removed once it is old.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raw: Vec<Raw>,
    /// What of it outlives its code.
    #[serde(default, skip_serializing_if = "Shapes::is_empty")]
    pub shapes: Shapes,
}

/// What outlives a module's code, as JSON Schemas (draft 2020-12) of what the module can read: a later version has to read
/// it too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    /// Rows, by collection.
    #[serde(default)]
    pub records: BTreeMap<String, Value>,
    /// What a job is started with, by kind of job.
    #[serde(default)]
    pub payloads: BTreeMap<String, Value>,
    /// What a step of a job leaves to the next, by kind of job.
    #[serde(default)]
    pub checkpoints: BTreeMap<String, Value>,
}

impl Shapes {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.payloads.is_empty() && self.checkpoints.is_empty()
    }

    /// Each with the word for what it is a shape of.
    pub fn each(&self) -> [(&'static str, &BTreeMap<String, Value>); 3] {
        [("records", &self.records), ("payloads", &self.payloads), ("checkpoints", &self.checkpoints)]
    }
}

/// Raw data: what a module could do without once it has drawn its conclusions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    /// Unique in the module.
    pub name: String,
    /// What it is, for a person.
    pub words: String,
    /// The collection whose rows say how old it is.
    pub collection: String,
    /// Their top-level member with that moment: milliseconds since 1970 UTC; null or absent: not old.
    pub dated: String,
    /// Whether the rows themselves go.
    #[serde(default)]
    pub rows: bool,
    /// What the keys of the blobs that go begin with; `{id}` stands for the row's id.
    #[serde(default)]
    pub blobs: Vec<String>,
}

/// A kind of job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// As enqueued.
    pub name: String,
    /// The function's name in the interface `steps`.
    pub export: String,
}

/// A kind of record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// Unique in the module.
    pub name: String,
    /// What can be asked of it.
    #[serde(default)]
    pub indexes: Vec<Index>,
    /// The form of its records, from [`FIRST_FORM`]: a higher one has other members, and older records are brought into it.
    #[serde(default = "first_form", skip_serializing_if = "is_first_form")]
    pub form: u32,
}

/// The form of records that do not say theirs.
pub const FIRST_FORM: u32 = 1;

/// The member of a record that says its form, where it is not the first one.
pub const FORM: &str = "_form";

/// The function of the interface `upgrades` that brings records into the form which their collection declares.
pub const UPGRADE: &str = "records";

const fn first_form() -> u32 {
    FIRST_FORM
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
const fn is_first_form(form: &u32) -> bool {
    *form == FIRST_FORM
}

/// The form of a record.
pub fn form_of(record: &serde_json::Map<String, Value>) -> u32 {
    let form = record.get(FORM).and_then(Value::as_u64).and_then(|form| u32::try_from(form).ok());
    form.unwrap_or(FIRST_FORM)
}

/// A declared order of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// Unique in the collection.
    pub name: String,
    /// Top-level members of the record, at most 4; null and absent sort first.
    pub fields: Vec<String>,
}
