//! Loading of a module from bytes and a lock file. Each refusal names the line.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, RwLock};

use catalog::compare::{self, Difference, Digest};
use catalog::lock::Lock;
use model::canonical;
use model::limits::Limits;
use model::manifest::{Collection, FIRST_FORM, Manifest, UPGRADE};
use store::ModuleSchema;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre};

use crate::Sandbox;
use crate::artefact;
use crate::behind::Waiting;
use crate::bindings::types;
use crate::config::Compile;
use crate::engine::HAS_BASELINE;
use crate::export::Export;
use crate::inspect::{self, InspectError, Inspection};
use crate::module::{Code, Granted, Module, Target};
use crate::stage::Stage;
use crate::tier::Tier;

/// Fuel factor of a development build. Unoptimised code takes three to four times the instructions of a release.
const NOT_OPTIMISED: u64 = 8;

/// The machine code of a saved component. It must be compared with a lock file before it can run.
pub struct Saved(Component);

/// Why a component is not served.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The component cannot be read.
    #[error("{module}: {cause}")]
    Inspect {
        /// The module of the lock file.
        module: String,
        /// The cause.
        cause: InspectError,
    },
    /// The component does not match its lock file.
    #[error("{}", shown(.0))]
    Lock(Vec<Difference>),
    /// A function's type is not `func(call: call) -> result<answer, fault>`.
    #[error("{module}: the export {export} is not a function of the boundary: {cause}")]
    Type {
        /// The module.
        module: String,
        /// The export.
        export: String,
        /// The cause.
        cause: String,
    },
    /// The engine rejects the component.
    #[error("{module}: the engine refuses the component: {cause}")]
    Engine {
        /// The module.
        module: String,
        /// The cause.
        cause: String,
    },
}

fn refused(module: &str, cause: wasmtime::Error) -> LoadError {
    LoadError::Engine { module: module.to_owned(), cause: format!("{cause:#}") }
}

fn shown(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl Sandbox {
    /// Loads a module. Exports, contracts, imports and digest must match the lock file. `foreign` holds the collections
    /// of other modules that the lock file reads, from `catalog::revision::Revision::foreign`.
    ///
    /// Without a cached artefact this compiles for seconds, so never call it on an async thread.
    ///
    /// # Errors
    /// Every difference, with its line in the lock file.
    pub fn load(
        &self,
        bytes: &[u8],
        lock: &Lock,
        foreign: BTreeMap<String, Collection>,
    ) -> Result<Arc<Module>, LoadError> {
        self.load_as(bytes, lock, foreign, Digest::Strict)
    }

    /// As [`Sandbox::load`] without comparing the component's digest. For development, where the machine that builds is
    /// not the one that wrote the lock file.
    ///
    /// # Errors
    /// Every other difference, with its line in the lock file.
    pub fn load_unpinned(
        &self,
        bytes: &[u8],
        lock: &Lock,
        foreign: BTreeMap<String, Collection>,
    ) -> Result<Arc<Module>, LoadError> {
        self.load_as(bytes, lock, foreign, Digest::Free)
    }

    /// Compiles a component that an author has just saved. It needs no contracts, which are a section after the code,
    /// so they can be read and compared in the meantime. The code is not cached, since the next save replaces it.
    ///
    /// # Errors
    /// The engine rejects the component.
    pub fn compile_saved(&self, component: &[u8]) -> Result<Saved, LoadError> {
        let code = artefact::component(self.engine(), None, component, "");
        code.map(Saved).map_err(|cause| refused("what was saved", cause))
    }

    /// As [`Sandbox::load_unpinned`] for a component that is compiled already. The inspection must be of the same
    /// component, finished.
    ///
    /// # Errors
    /// Every other difference, with its line in the lock file.
    pub fn load_saved(
        &self,
        saved: Saved,
        inspection: &Inspection,
        lock: &Lock,
        foreign: BTreeMap<String, Collection>,
    ) -> Result<Arc<Module>, LoadError> {
        self.ready(inspection, lock, foreign, Digest::Free, (self.tier(), || Ok(saved.0)))
    }

    fn load_as(
        &self,
        bytes: &[u8],
        lock: &Lock,
        foreign: BTreeMap<String, Collection>,
        digest: Digest,
    ) -> Result<Arc<Module>, LoadError> {
        let inspection =
            inspect::declared(bytes).map_err(|cause| LoadError::Inspect { module: lock.module.clone(), cause })?;
        let compiled = &inspection.built.component;
        match self.baseline(compiled) {
            None => {
                let code = || artefact::component(self.engine(), self.artefacts(), bytes, compiled);
                self.ready(&inspection, lock, foreign, digest, (self.tier(), code))
            }
            Some(baseline) => {
                let code = || Component::from_binary(&baseline.engine, bytes);
                let module = self.ready(&inspection, lock, foreign, digest, (baseline, code))?;
                let waiting =
                    Waiting { module: Arc::downgrade(&module), bytes: bytes.to_vec(), digest: compiled.clone() };
                self.0.behind.wait(&self.0, waiting);
                Ok(module)
            }
        }
    }

    /// The baseline compiler, if the optimised code of this component is not there and shall not be waited for.
    fn baseline(&self, digest: &str) -> Option<&Tier> {
        let artefacts = self.artefacts().filter(|_| self.compile() == Compile::Behind && HAS_BASELINE)?;
        let is_there = artefact::is_there(self.engine(), artefacts, digest);
        if is_there { None } else { self.0.behind.baseline() }
    }

    fn ready(
        &self,
        inspection: &Inspection,
        lock: &Lock,
        foreign: BTreeMap<String, Collection>,
        digest: Digest,
        (tier, code): (&Tier, impl FnOnce() -> wasmtime::Result<Component>),
    ) -> Result<Arc<Module>, LoadError> {
        let name = &lock.module;
        let differences = compare::differences(&inspection.built, lock, digest);
        if !differences.is_empty() {
            return Err(LoadError::Lock(differences));
        }
        let component = code().map_err(|cause| refused(name, cause))?;
        let manifest = offered(&inspection.built.manifest, lock);
        let mut targets = targets(inspection, &manifest, lock)?;
        let code = Code::new(tier, &component, lock, &targets)?;
        if self.compile() == Compile::Quickly {
            for target in targets.values_mut() {
                target.limits.fuel = target.limits.fuel.saturating_mul(NOT_OPTIMISED);
            }
        }
        let prices: Vec<_> =
            manifest.operations.iter().filter_map(|it| Some((&it.id, it.native_price.as_ref()?))).collect();
        Ok(Arc::new(Module {
            name: name.as_str().into(),
            digest: inspection.built.component.as_str().into(),
            schema: Arc::new(ModuleSchema { module: name.clone(), collections: manifest.collections.clone(), foreign }),
            price_version: canonical::digest(&prices),
            lock: lock.clone(),
            manifest,
            code: RwLock::new(Arc::new(code)),
            targets,
        }))
    }
}

/// The manifest without the operations that the lock file withholds.
fn offered(manifest: &Manifest, lock: &Lock) -> Manifest {
    let mut manifest = manifest.clone();
    manifest.operations.retain(|contract| !lock.withheld.contains(&contract.id));
    manifest
}

/// Each function that can be called: what the component calls it, what it is granted, and its limits.
fn targets(inspection: &Inspection, manifest: &Manifest, lock: &Lock) -> Result<HashMap<Export, Target>, LoadError> {
    let mut targets = HashMap::new();
    let mut add = |interface: &str, function: &str, export: Export, granted, limits: Limits| {
        let interface = exported(inspection, interface, function)?.to_owned();
        targets.insert(export, Target { interface, function: function.to_owned(), granted, limits });
        Ok(())
    };
    let of_operation: fn(String) -> Export = Export::Operation;
    for (interface, contracts, entries, export) in [
        ("operations", &manifest.operations, &lock.operations, of_operation),
        ("routes", &manifest.routes, &lock.routes, Export::Route),
    ] {
        for contract in contracts {
            let entry = entries.get(&contract.id);
            let bounds = entry.map(|entry| &entry.limits).filter(|own| !own.is_empty()).unwrap_or(&lock.limits);
            let granted = entry.map(|entry| {
                let table = format!("{interface}.{}", catalog::line::text(&contract.id));
                Arc::new(Granted { table, entry: entry.clone() })
            });
            let limits = bounds.apply(Limits::of(contract.kind));
            add(interface, &contract.export, export(contract.id.clone()), granted, limits)?;
        }
    }
    for step in &manifest.steps {
        add("steps", &step.export, Export::Step(step.name.clone()), None, lock.limits.apply(Limits::step()))?;
    }
    if manifest.collections.iter().any(|it| it.form > FIRST_FORM) {
        add("upgrades", UPGRADE, Export::Upgrade, None, Limits::step())?;
    }
    Ok(targets)
}

/// The full name of the interface that exports a function, with package and version.
pub(crate) fn exported<'a>(inspection: &'a Inspection, interface: &str, function: &str) -> Result<&'a str, LoadError> {
    let found = inspection.exports.iter().find_map(|export| {
        let (full, name) = export.split_once('#')?;
        let bare = full.split('@').next()?.rsplit('/').next()?;
        (bare == interface && name == function).then_some(full)
    });
    found.ok_or_else(|| LoadError::Type {
        module: inspection.built.manifest.module.clone(),
        export: format!("{interface}#{function}"),
        cause: "it is not exported".to_owned(),
    })
}

/// Looks up a function by the full name of its interface, and checks its type.
pub(crate) fn typed(
    component: &Component,
    pre: &InstancePre<Stage>,
    module: &str,
    (interface, function): (&str, &str),
) -> Result<wasmtime::component::ComponentExportIndex, LoadError> {
    let refuse =
        |cause: String| LoadError::Type { module: module.to_owned(), export: format!("{interface}#{function}"), cause };
    let instance =
        component.get_export_index(None, interface).ok_or_else(|| refuse("it is not exported".to_owned()))?;
    let (item, index) =
        component.get_export(Some(&instance), function).ok_or_else(|| refuse("it is not exported".to_owned()))?;
    let ComponentItem::ComponentFunc(typed) = item else { return Err(refuse("it is not a function".to_owned())) };
    typed
        .typecheck::<(types::Call,), (Result<types::Answer, types::Fault>,)>(&pre.instance_type())
        .map_err(|error| refuse(format!("{error:#}")))?;
    Ok(index)
}
