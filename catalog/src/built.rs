//! What a component says of itself, read without running anything.

use std::collections::BTreeSet;

use model::manifest::Manifest;

/// A component's own account.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// `sha256:` and the hex of the whole component's bytes.
    pub component: String,
    /// Names of the host interfaces it imports, without package and version: `records-write`.
    /// Types-only interfaces are no power and are left out.
    pub imports: BTreeSet<String>,
    /// Its functions by interface: what its type offers.
    pub exports: Exports,
    /// Its contracts.
    pub manifest: Manifest,
}

/// The names of a component's exported functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exports {
    /// In `operations`.
    pub operations: BTreeSet<String>,
    /// In `routes`.
    pub routes: BTreeSet<String>,
    /// In `steps`.
    pub steps: BTreeSet<String>,
    /// In `upgrades`.
    pub upgrades: BTreeSet<String>,
    /// Anything else, which no module may have.
    pub others: BTreeSet<String>,
}
