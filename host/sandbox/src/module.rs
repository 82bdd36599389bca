//! A component that matches its lock file and is ready to run.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use catalog::lock::{Entry, Lock};
use model::contract::Contract;
use model::limits::Limits;
use model::manifest::Manifest;
use store::ModuleSchema;
use wasmtime::component::{ComponentExportIndex, InstancePre};

use crate::export::Export;
use crate::stage::Stage;

/// The grant of an inert WASI.
pub(crate) const INERT: &str = "wasi-inert";

/// A loaded module. Calls in flight keep it alive after its catalog generation is replaced.
pub struct Module {
    /// The name, which is the first segment of its operations' ids.
    pub name: Arc<str>,
    /// `sha256:` and the hex digest of the component's bytes.
    pub digest: Arc<str>,
    /// The declarations, without what the lock file withholds.
    pub manifest: Manifest,
    /// The lock file.
    pub lock: Lock,
    /// Its own collections, and those of other modules that it may read.
    pub schema: Arc<ModuleSchema>,
    /// The hash of all its native prices: the version that quotes are bound to.
    pub(crate) price_version: String,
    pub(crate) pre: InstancePre<Stage>,
    pub(crate) targets: HashMap<Export, Target>,
}

/// An exported function, looked up once.
pub(crate) struct Target {
    pub(crate) index: ComponentExportIndex,
    /// The grants of its lock entry. `None` for a step, which uses those of the operation that started its job.
    pub(crate) granted: Option<Arc<Granted>>,
    pub(crate) limits: Limits,
}

/// The entry of an operation or a route in the lock file.
#[derive(Debug)]
pub(crate) struct Granted {
    /// The table of the entry: `operations."authors.list"`.
    pub(crate) table: String,
    pub(crate) entry: Entry,
}

impl Deref for Granted {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.entry
    }
}

impl Module {
    /// The limits of a function: the defaults of its kind with the overrides of the lock file.
    pub fn limits(&self, export: &Export) -> Option<Limits> {
        self.targets.get(export).map(|target| target.limits.clone())
    }

    /// Whether the module has this function.
    pub fn offers(&self, export: &Export) -> bool {
        self.targets.contains_key(export)
    }

    /// Whether the module has the grant of the inert WASI.
    pub(crate) fn is_inert(&self) -> bool {
        self.lock.grants.contains(INERT)
    }

    /// The grants of a function: those of its own entry, or for a step those of the operation that started its job.
    pub(crate) fn granted(&self, export: &Export, started_by: Option<String>) -> Option<Arc<Granted>> {
        match export {
            Export::Operation(_) | Export::Route(_) => self.targets.get(export)?.granted.clone(),
            Export::Step(_) => self.targets.get(&Export::Operation(started_by?))?.granted.clone(),
        }
    }

    /// The hash of a contract, `sha256:` and hex, as in the lock file. Loading has compared it with the component.
    pub fn contract_hash(&self, export: &Export) -> Option<&str> {
        self.targets.get(export)?.granted.as_ref().map(|granted| granted.contract.as_str())
    }

    /// The contract of an operation or a route.
    pub fn contract(&self, export: &Export) -> Option<&Contract> {
        let (contracts, id) = match export {
            Export::Operation(id) => (&self.manifest.operations, id),
            Export::Route(id) => (&self.manifest.routes, id),
            Export::Step(_) => return None,
        };
        contracts.iter().find(|contract| contract.id == *id)
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("name", &self.name).field("digest", &self.digest).finish_non_exhaustive()
    }
}
