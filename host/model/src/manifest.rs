//! All that a module declares: the content of its section `espalier:contracts@1`.

use serde::{Deserialize, Serialize};

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
