//! Loading of a module from bytes and a lock file. Each refusal names the line.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use catalog::compare::{self, Difference, Digest};
use catalog::lock::Lock;
use model::canonical;
use model::limits::Limits;
use model::manifest::{Collection, Manifest};
use store::ModuleSchema;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre};

use crate::Sandbox;
use crate::artefact;
use crate::bindings::types;
use crate::config::Compile;
use crate::export::Export;
use crate::inspect::{self, InspectError, Inspection};
use crate::module::{Granted, INERT, Module, Target};
use crate::stage::Stage;

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
        self.ready(inspection, lock, foreign, Digest::Free, || Ok(saved.0))
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
        let code = || artefact::component(self.engine(), self.artefacts(), bytes, &inspection.built.component);
        self.ready(&inspection, lock, foreign, digest, code)
    }

    fn ready(
        &self,
        inspection: &Inspection,
        lock: &Lock,
        foreign: BTreeMap<String, Collection>,
        digest: Digest,
        code: impl FnOnce() -> wasmtime::Result<Component>,
    ) -> Result<Arc<Module>, LoadError> {
        let name = &lock.module;
        let differences = compare::differences(&inspection.built, lock, digest);
        if !differences.is_empty() {
            return Err(LoadError::Lock(differences));
        }
        let engine = |cause| refused(name, cause);
        let component = code().map_err(engine)?;
        let linker = if lock.grants.contains(INERT) { &self.linkers().inert } else { &self.linkers().product };
        let pre = linker.instantiate_pre(&component).map_err(engine)?;
        let manifest = offered(&inspection.built.manifest, lock);
        let mut targets = targets(&component, &pre, inspection, &manifest, lock)?;
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
            pre,
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

/// Looks up each function once, so that calls need no lookup by name.
fn targets(
    component: &Component,
    pre: &InstancePre<Stage>,
    inspection: &Inspection,
    manifest: &Manifest,
    lock: &Lock,
) -> Result<HashMap<Export, Target>, LoadError> {
    let mut targets = HashMap::new();
    let mut find = |interface: &str, function: &str, export: Export, granted, limits: Limits| {
        let index = typed(component, pre, inspection, interface, function)?;
        targets.insert(export, Target { index, granted, limits });
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
            find(interface, &contract.export, export(contract.id.clone()), granted, limits)?;
        }
    }
    for step in &manifest.steps {
        find("steps", &step.export, Export::Step(step.name.clone()), None, lock.limits.apply(Limits::step()))?;
    }
    Ok(targets)
}

/// Looks up a function by interface and name, and checks its type.
pub(crate) fn typed(
    component: &Component,
    pre: &InstancePre<Stage>,
    inspection: &Inspection,
    interface: &str,
    function: &str,
) -> Result<wasmtime::component::ComponentExportIndex, LoadError> {
    let refuse = |cause: String| LoadError::Type {
        module: inspection.built.manifest.module.clone(),
        export: format!("{interface}#{function}"),
        cause,
    };
    let found = inspection.exports.iter().find_map(|export| {
        let (full, name) = export.split_once('#')?;
        let bare = full.split('@').next()?.rsplit('/').next()?;
        (bare == interface && name == function).then_some(full)
    });
    let interface = found.ok_or_else(|| refuse("it is not exported".to_owned()))?;
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
