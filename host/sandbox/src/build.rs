//! The last step of a module's build: runs its contracts export once and embeds the result in the component.

use model::canonical;
use model::manifest::{Manifest, SECTION};
use wasmi::{Caller, CompilationMode, Config, Engine, ExternType, Linker, Module, Store, Val};
use wasmparser::{ExternalKind, Parser, Payload};

use crate::section::{self, SectionError};

/// The core export that returns the contracts. It takes no parameter and returns the pointer and length of JSON text as
/// `pointer << 32 | length`. `modules/lib/sdk` follows the same convention.
pub const CONTRACTS: &str = "espalier_contracts";

/// Fuel for the contracts export.
const FUEL: u64 = 5_000_000_000;
/// Bytes of the contracts.
const MOST: usize = 8 << 20;

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The bytes are not a component.
    #[error("not a component: {0}")]
    Invalid(#[from] wasmparser::BinaryReaderError),
    /// A section is malformed.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// No core module has the export.
    #[error("no core module exports {CONTRACTS}; is the module declared with the sdk's macro?")]
    NoContracts,
    /// The export trapped.
    #[error("writing the contracts failed: {0}")]
    Run(String),
    /// The export did not return a manifest.
    #[error("the contracts are not a manifest: {0}")]
    Manifest(String),
}

/// Embeds the contracts in the section `espalier:contracts@1` as canonical JSON (RFC 8785). They are read from the core
/// module with every import trapping, since no host is available at build time.
///
/// # Errors
/// The component is malformed, or its contracts cannot be obtained or parsed.
pub fn finish(component: &[u8]) -> Result<Vec<u8>, BuildError> {
    let core = core_module(component)?.ok_or(BuildError::NoContracts)?;
    let text = ask(core).map_err(|error| BuildError::Run(error.to_string()))?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| BuildError::Manifest(error.to_string()))?;
    Ok(section::with_custom(component, SECTION, &canonical::write(&manifest))?)
}

fn core_module(component: &[u8]) -> Result<Option<&[u8]>, BuildError> {
    for payload in Parser::new(0).parse_all(component) {
        if let Payload::ModuleSection { unchecked_range, .. } = payload? {
            let Some(core) = component.get(unchecked_range) else { continue };
            if exports(core)? {
                return Ok(Some(core));
            }
        }
    }
    Ok(None)
}

fn exports(core: &[u8]) -> Result<bool, BuildError> {
    for payload in Parser::new(0).parse_all(core) {
        if let Payload::ExportSection(exports) = payload? {
            for export in exports {
                let export = export?;
                if export.name == CONTRACTS && export.kind == ExternalKind::Func {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Interpreted, with lazy translation: only the functions that run are translated. The engine that serves the module
/// compiles it later.
fn ask(core: &[u8]) -> Result<Vec<u8>, wasmi::Error> {
    let mut config = Config::default();
    config.consume_fuel(true).compilation_mode(CompilationMode::Lazy);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, core)?;
    let mut linker = Linker::new(&engine);
    for import in module.imports() {
        if let ExternType::Func(signature) = import.ty() {
            let name = format!("{}#{}", import.module(), import.name());
            let absent = move |_: Caller<'_, ()>, _: &[Val], _: &mut [Val]| {
                Err(wasmi::Error::new(format!("they ask for {name}, which is not there while a module is built")))
            };
            linker.func_new(import.module(), import.name(), signature.clone(), absent)?;
        }
    }
    let mut store = Store::new(&engine, ());
    store.set_fuel(FUEL)?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    if let Ok(initialize) = instance.get_typed_func::<(), ()>(&store, "_initialize") {
        initialize.call(&mut store, ())?;
    }
    let packed = instance.get_typed_func::<(), u64>(&store, CONTRACTS)?.call(&mut store, ())?;
    let (start, length) = ((packed >> 32) as usize, (packed & 0xffff_ffff) as usize);
    let memory = instance.get_memory(&store, "memory").ok_or_else(|| wasmi::Error::new("no memory is exported"))?;
    let text = memory.data(&store).get(start..start.saturating_add(length)).filter(|text| text.len() <= MOST);
    Ok(text.ok_or_else(|| wasmi::Error::new("the contracts are outside the memory or too long"))?.to_vec())
}
