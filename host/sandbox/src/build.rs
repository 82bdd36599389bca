//! The last step of a module's build: its contracts are asked once and written into the component.

use model::canonical;
use model::manifest::{Manifest, SECTION};
use wasmparser::{ExternalKind, Parser, Payload};
use wasmtime::{Config, Engine, Linker, Module, Store};

use crate::section::{self, SectionError};

/// The core export that gives the contracts: no parameter, and the pointer and length of JSON text as
/// `pointer << 32 | length`. Convention with `modules/sdk`.
pub const CONTRACTS: &str = "espalier_contracts";

/// Instructions, about, that writing the contracts may take.
const FUEL: u64 = 5_000_000_000;
/// Bytes of contracts.
const MOST: usize = 8 << 20;

/// Why a build is not finished.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The bytes are no component.
    #[error("not a component: {0}")]
    Invalid(#[from] wasmparser::BinaryReaderError),
    /// A section is malformed.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// No core module of it has the export.
    #[error("no core module exports {CONTRACTS}; is the module declared with the sdk's macro?")]
    NoContracts,
    /// The export broke.
    #[error("writing the contracts failed: {0}")]
    Run(String),
    /// What it gave is no manifest.
    #[error("the contracts are not a manifest: {0}")]
    Manifest(String),
}

/// The component with its contracts in the section `espalier:contracts@1`, canonical (RFC 8785).
/// The contracts are asked from the core module with every import trapping: nothing of the host is there yet.
///
/// # Errors
/// The component is malformed, or its contracts cannot be had or read.
pub fn finish(component: &[u8]) -> Result<Vec<u8>, BuildError> {
    let core = core_module(component)?.ok_or(BuildError::NoContracts)?;
    let text = ask(core).map_err(|error| BuildError::Run(format!("{error:#}")))?;
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

fn ask(core: &[u8]) -> wasmtime::Result<Vec<u8>> {
    let mut config = Config::new();
    config.consume_fuel(true).wasm_threads(false).wasm_memory64(false);
    let engine = Engine::new(&config)?;
    let module = Module::from_binary(&engine, core)?;
    let mut linker = Linker::new(&engine);
    linker.define_unknown_imports_as_traps(&module)?;
    let mut store = Store::new(&engine, ());
    store.set_fuel(FUEL)?;
    let instance = linker.instantiate(&mut store, &module)?;
    if let Ok(initialize) = instance.get_typed_func::<(), ()>(&mut store, "_initialize") {
        initialize.call(&mut store, ())?;
    }
    let packed = instance.get_typed_func::<(), u64>(&mut store, CONTRACTS)?.call(&mut store, ())?;
    let (start, length) = ((packed >> 32) as usize, (packed & 0xffff_ffff) as usize);
    let memory =
        instance.get_memory(&mut store, "memory").ok_or_else(|| wasmtime::Error::msg("no memory is exported"))?;
    let text = memory.data(&store).get(start..start.saturating_add(length)).filter(|text| text.len() <= MOST);
    Ok(text.ok_or_else(|| wasmtime::Error::msg("the contracts are outside the memory or too long"))?.to_vec())
}
