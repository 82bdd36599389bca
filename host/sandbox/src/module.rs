//! A component that was compared with its lock and made ready to run.

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

use crate::invocation::Export;
use crate::stage::Stage;

/// The grant of an inert WASI.
pub(crate) const INERT: &str = "wasi-inert";

/// A loaded module. Calls in flight keep it alive after its catalog generation has gone.
pub struct Module {
    /// Its name, the first segment of its operations' ids.
    pub name: Arc<str>,
    /// `sha256:` and the hex of the component's bytes.
    pub digest: Arc<str>,
    /// Its declarations, without what the lock withholds.
    pub manifest: Manifest,
    /// Its lock.
    pub lock: Lock,
    /// Its collections and those it may read of other modules.
    pub schema: Arc<ModuleSchema>,
    /// The hash of every native price it states: the version that quotes are bound to.
    pub(crate) price_version: String,
    pub(crate) pre: InstancePre<Stage>,
    pub(crate) targets: HashMap<Export, Target>,
}

/// One function, found once.
pub(crate) struct Target {
    pub(crate) index: ComponentExportIndex,
    /// What its lock grants it; none for a step, which has what the operation has that started its job.
    pub(crate) granted: Option<Arc<Granted>>,
    pub(crate) limits: Limits,
}

/// The entry of an operation or a route in the lock.
#[derive(Debug)]
pub(crate) struct Granted {
    /// Where it stands: `operations."authors.list"`.
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
    /// The limits of one of its functions: the design's table with the lock's differences.
    pub fn limits(&self, export: &Export) -> Option<Limits> {
        self.targets.get(export).map(|target| target.limits.clone())
    }

    /// Whether it has this function.
    pub fn offers(&self, export: &Export) -> bool {
        self.targets.contains_key(export)
    }

    /// Whether it was granted the inert WASI of other toolchains.
    pub(crate) fn is_inert(&self) -> bool {
        self.lock.grants.contains(INERT)
    }

    /// What the lock grants a function: its own entry, or for a step that of the operation which started its job.
    pub(crate) fn granted(&self, export: &Export, started_by: Option<String>) -> Option<Arc<Granted>> {
        match export {
            Export::Operation(_) | Export::Route(_) => self.targets.get(export)?.granted.clone(),
            Export::Step(_) => self.targets.get(&Export::Operation(started_by?))?.granted.clone(),
        }
    }

    /// The hash of a contract, `sha256:` and hex, as its lock has it and the component was compared with.
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
