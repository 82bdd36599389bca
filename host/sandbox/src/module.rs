//! A component that matches its lock file and is ready to run.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use catalog::lock::{Entry, Lock};
use model::contract::Contract;
use model::limits::Limits;
use model::manifest::Manifest;
use store::ModuleSchema;
use wasmtime::Engine;
use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

use crate::export::Export;
use crate::load::{LoadError, typed};
use crate::stage::Stage;
use crate::tier::Tier;

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
    pub(crate) code: RwLock<Arc<Code>>,
    pub(crate) targets: HashMap<Export, Target>,
}

/// The machine code of a module, linked, with its functions looked up once, so that calls need no lookup by name.
pub(crate) struct Code {
    pub(crate) engine: Engine,
    /// What made it, as a transcript records it.
    pub(crate) made_by: String,
    pub(crate) pre: InstancePre<Stage>,
    indexes: HashMap<Export, ComponentExportIndex>,
}

impl Code {
    /// Links a component and looks its functions up.
    pub(crate) fn new(
        tier: &Tier,
        component: &Component,
        lock: &Lock,
        targets: &HashMap<Export, Target>,
    ) -> Result<Self, LoadError> {
        let pre = tier
            .link(component, lock.grants.contains(INERT))
            .map_err(|cause| LoadError::Engine { module: lock.module.clone(), cause: format!("{cause:#}") })?;
        let found = targets.iter().map(|(export, target)| {
            let index = typed(component, &pre, &lock.module, (&target.interface, &target.function))?;
            Ok((export.clone(), index))
        });
        let indexes = found.collect::<Result<_, LoadError>>()?;
        Ok(Self { engine: tier.engine.clone(), made_by: tier.name.clone(), indexes, pre })
    }

    /// Where a function is.
    pub(crate) fn index(&self, export: &Export) -> Option<&ComponentExportIndex> {
        self.indexes.get(export)
    }
}

/// An exported function.
pub(crate) struct Target {
    /// The interface with package and version, as the component exports it.
    pub(crate) interface: String,
    pub(crate) function: String,
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

    /// The machine code that a run which begins now uses to its end.
    pub(crate) fn code(&self) -> Arc<Code> {
        Arc::clone(&self.code.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Other machine code of the same component, for runs that begin from now on.
    pub(crate) fn recompiled(&self, tier: &Tier, component: &Component) -> wasmtime::Result<()> {
        let code = Code::new(tier, component, &self.lock, &self.targets)?;
        *self.code.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(code);
        Ok(())
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
            Export::Upgrade => None,
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
            Export::Step(_) | Export::Upgrade => return None,
        };
        contracts.iter().find(|contract| contract.id == *id)
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("name", &self.name).field("digest", &self.digest).finish_non_exhaustive()
    }
}
