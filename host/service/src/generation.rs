//! The catalog in force: an immutable generation of operations, swapped whole.

mod coming;
mod defence;
mod follow;
mod older;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use jsonschema::Validator;
use model::canonical;
use model::contract::{Contract, Kind};
use model::limits::Limits;
use model::manifest::Collection;
use model::refusal::{About, Refusal};
use rayon::prelude::*;
use sandbox::{Export, Module, Sandbox, Upgrader};
use store::serving::Served;
use store::{Began, Upgrades};

pub use coming::Coming;
pub use follow::Loader;
pub(crate) use older::Older;

use crate::Core;
use crate::capabilities::search::Index;

/// Follows the revision in force, and holds the older ones that work goes on with.
#[derive(Clone)]
pub struct Revisions {
    pub(crate) core: Core,
}

impl Revisions {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }
}

/// One operation or route that can run.
pub struct Operation {
    /// What its module declares and the lock repeats.
    pub contract: Arc<Contract>,
    /// `sha256:` of the canonical contract, so that a client can see it change.
    pub digest: Arc<str>,
    /// Bounds of one run.
    pub limits: Limits,
    /// Which members of its results hold text that this service did not write.
    pub(crate) untrusted: Option<Arc<str>>,
    pub(crate) module: Arc<Module>,
    pub(crate) export: Export,
    pub(crate) arguments: Validator,
    pub(crate) result: Validator,
}

impl Operation {
    /// Whether it can ask the outside: then its points are reserved before it runs.
    pub(crate) fn reaches_outside(&self) -> bool {
        self.contract
            .needs
            .iter()
            .any(|need| matches!(need.as_str(), "web" | "dns" | "tls") || need.starts_with("connection:"))
    }

    /// Whether it can change something outside: then its key is claimed durably before it runs, and what it sends is
    /// written down before it is sent.
    pub(crate) fn changes_outside(&self) -> bool {
        let sends = |need: &String| need == "mail" || need.starts_with("connection:");
        self.contract.kind.mutates() && self.contract.needs.iter().any(sends)
    }

    /// Whether the heavy limit counts it.
    pub(crate) fn heavy(&self) -> bool {
        self.reaches_outside() || self.contract.kind == Kind::Job || self.defends()
    }

    /// Whether it is by which a customer defends itself: free, and never refused for want of points or by a budget.
    pub(crate) fn defends(&self) -> bool {
        defence::defends(&self.contract.id)
    }
}

/// A revision as it is served. A call holds on to the generation it began with.
pub struct Generation {
    /// The revision's date: `meta.api_version`.
    pub api_version: Arc<str>,
    /// The hash over all locks of the revision, `sha256:` and hex: which catalog this is, to the byte.
    pub digest: Arc<str>,
    operations: BTreeMap<String, Arc<Operation>>,
    routes: BTreeMap<String, Arc<Operation>>,
    modules: BTreeMap<String, Arc<Module>>,
    /// Modules of the revision that were not built when it was loaded, and what is known of them since.
    awaited: (BTreeSet<String>, Coming),
    /// Made beside everything else, since no run of an operation needs it: a host answers calls before it is there.
    search: Arc<OnceLock<Index>>,
}

impl sandbox::Offer for Generation {
    fn serves(&self, operation: &str) -> bool {
        self.operation(operation).is_some()
    }
}

impl std::fmt::Debug for Generation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Generation").field("api_version", &self.api_version).finish_non_exhaustive()
    }
}

/// Why a set of modules is not a catalog.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Two modules declare one id.
    #[error("operation {0} is declared twice")]
    Twice(String),
    /// A schema of a contract does not compile.
    #[error("{operation}: the {part} schema is not a JSON Schema: {reason}")]
    Schema {
        /// Which contract.
        operation: String,
        /// `arguments` or `result`.
        part: &'static str,
        /// What the validator says.
        reason: String,
    },
}

impl Generation {
    /// Makes a generation of loaded modules.
    ///
    /// # Errors
    /// When two contracts have one id or a schema does not compile: the whole generation is refused.
    pub fn new(api_version: &str, digest: &str, modules: Vec<Arc<Module>>) -> Result<Self, CatalogError> {
        Self::of(api_version, digest, modules, None)
    }

    /// What `before` made ready of a module that is in both is taken over: schemas are slow to compile.
    fn of(
        api_version: &str,
        digest: &str,
        modules: Vec<Arc<Module>>,
        before: Option<&Self>,
    ) -> Result<Self, CatalogError> {
        let mut operations = BTreeMap::new();
        let mut routes = BTreeMap::new();
        for module in &modules {
            let of_operation: fn(String) -> Export = Export::Operation;
            for (contracts, export, into) in [
                (&module.manifest.operations, of_operation, &mut operations),
                (&module.manifest.routes, Export::Route, &mut routes),
            ] {
                let ready = |contract: &Contract| {
                    let export = export(contract.id.clone());
                    match before.and_then(|it| it.made_ready(&export, module)) {
                        Some(operation) => Ok(operation),
                        None => prepare(contract, export, module).map(Arc::new),
                    }
                };
                // Of several faults the first is told, whichever was found first.
                let ready: Vec<Result<Arc<Operation>, CatalogError>> = contracts.par_iter().map(ready).collect();
                for operation in ready {
                    let operation = operation?;
                    let id = operation.contract.id.clone();
                    if into.insert(id.clone(), operation).is_some() {
                        return Err(CatalogError::Twice(id));
                    }
                }
            }
        }
        let modules: BTreeMap<String, Arc<Module>> =
            modules.into_iter().map(|module| (module.name.to_string(), module)).collect();
        let search = begun(operations.values().map(|operation| operation.contract.clone()).collect());
        let awaited = before.map(|it| it.awaited.clone()).unwrap_or_default();
        Ok(Self {
            api_version: api_version.into(),
            digest: digest.into(),
            operations,
            routes,
            modules,
            awaited,
            search,
        })
    }

    /// The same, which waits for these modules of its revision: what they will serve is not unknown.
    #[must_use]
    pub fn awaiting(mut self, modules: BTreeSet<String>, coming: Coming) -> Self {
        self.awaited = (modules, coming);
        self
    }

    /// Modules of the revision that are still being built.
    pub fn coming(&self) -> Vec<&str> {
        let (awaited, coming) = &self.awaited;
        let coming = awaited.iter().filter(|name| !self.modules.contains_key(*name) && coming.is_building(name));
        coming.map(String::as_str).collect()
    }

    /// Why an operation cannot be called: there is none of this id, with the nearest that there are, or its module is not
    /// built.
    pub(crate) fn not_served(&self, id: &str) -> Refusal {
        let (awaited, coming) = &self.awaited;
        let module = id.split('.').next().filter(|it| awaited.contains(*it) && !self.modules.contains_key(*it));
        let unknown = || Refusal::operation_not_found().about(About::Nearest(self.search().nearest(id)));
        module.and_then(|it| coming.refusal(it)).unwrap_or_else(unknown)
    }

    /// The same with this module in the place of the one of its name, or beside the others: while it is being written.
    ///
    /// # Errors
    /// As [`Generation::new`].
    pub fn with(&self, digest: &str, module: Arc<Module>) -> Result<Self, CatalogError> {
        let mut modules = self.modules.clone();
        modules.insert(module.name.to_string(), module);
        Self::of(&self.api_version, digest, modules.into_values().collect(), Some(self))
    }

    fn made_ready(&self, export: &Export, module: &Arc<Module>) -> Option<Arc<Operation>> {
        let operation = match export {
            Export::Operation(id) => self.operations.get(id),
            Export::Route(id) => self.routes.get(id),
            Export::Step(_) | Export::Upgrade => None,
        };
        operation.filter(|it| Arc::ptr_eq(&it.module, module)).cloned()
    }

    /// Every operation by the words of its contract; who asks before that is there waits for it.
    pub(crate) fn search(&self) -> &Index {
        self.search.wait()
    }

    /// A catalog operation.
    pub fn operation(&self, id: &str) -> Option<&Arc<Operation>> {
        self.operations.get(id)
    }

    /// What a fixed route shows.
    pub fn route(&self, id: &str) -> Option<&Arc<Operation>> {
        self.routes.get(id)
    }

    /// Every operation, by id.
    pub fn operations(&self) -> impl Iterator<Item = &Arc<Operation>> {
        self.operations.values()
    }

    /// Every module, in the order of their names.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &Arc<Module>> {
        self.modules.values()
    }

    /// Whether it is this revision, of these bytes where they are known.
    pub(crate) fn is(&self, served: &Served) -> bool {
        *self.api_version == *served.date && served.digest.as_deref().is_none_or(|digest| *self.digest == *digest)
    }

    /// Its date and its bytes.
    pub(crate) fn served(&self) -> Served {
        Served { date: self.api_version.to_string(), digest: Some(self.digest.to_string()) }
    }

    /// What a job of a module begins with now.
    pub(crate) fn began(&self, module: &Module) -> Began {
        Began { revision: self.served(), component: module.digest.to_string() }
    }

    /// What its modules keep: each collection with its full name.
    pub fn stored(&self) -> Vec<(String, Collection)> {
        let of = |module: &Arc<Module>| {
            let named = |it: &Collection| (format!("{}.{}", module.name, it.name), it.clone());
            module.manifest.collections.iter().map(named).collect::<Vec<_>>()
        };
        self.modules.values().flat_map(of).collect()
    }

    /// Brings older records into the forms that its modules have.
    pub fn upgrades(&self, sandbox: &Sandbox) -> Arc<dyn Upgrades> {
        Arc::new(Upgrader::new(sandbox, self.modules.values()))
    }

    /// A module by name.
    pub(crate) fn module(&self, name: &str) -> Option<&Arc<Module>> {
        self.modules.get(name)
    }
}

/// An index that is being made, once, on the threads that compute: nobody who waits for it holds one of them up.
fn begun(contracts: Vec<Arc<Contract>>) -> Arc<OnceLock<Index>> {
    let index = Arc::new(OnceLock::new());
    let making = index.clone();
    rayon::spawn(move || drop(making.set(Index::new(contracts.into_iter()))));
    index
}

fn prepare(contract: &Contract, export: Export, module: &Arc<Module>) -> Result<Operation, CatalogError> {
    let compile = |part, schema| {
        jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(schema)
            .map_err(|error| CatalogError::Schema { operation: contract.id.clone(), part, reason: error.to_string() })
    };
    Ok(Operation {
        // To make it once more takes longer than all else here.
        digest: module.contract_hash(&export).map_or_else(|| canonical::digest(contract), str::to_owned).into(),
        limits: module.limits(&export).unwrap_or_else(|| Limits::of(contract.kind)),
        export,
        module: module.clone(),
        arguments: compile("arguments", &contract.arguments)?,
        result: compile("result", &contract.result)?,
        untrusted: model::untrusted::untrusted(&contract.result),
        contract: Arc::new(defence::priced(contract)),
    })
}

/// The generation in force. Swapping is atomic: a reader has the old one or the new one.
pub struct Catalog(RwLock<Arc<Generation>>);

impl Catalog {
    /// Starts with this generation.
    pub fn new(generation: Generation) -> Self {
        Self(RwLock::new(Arc::new(generation)))
    }

    /// The generation in force now.
    pub fn current(&self) -> Arc<Generation> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another one in force; calls in flight finish on theirs.
    pub fn activate(&self, generation: Generation) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(generation);
    }
}
