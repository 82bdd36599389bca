//! Static inspection of a component, without running any of it.

mod hidden;

pub(crate) use hidden::hidden;

use std::collections::BTreeSet;

use catalog::built::{Built, Exports};
use model::manifest::{Manifest, SECTION};
use model::token::hex;
use sha2::{Digest as _, Sha256};
use wasmparser::component_types::{ComponentEntityType, ComponentInstanceTypeId};
use wasmparser::types::{Types, TypesRef};
use wasmparser::{CanonicalFunction, CanonicalOption, Parser, Payload, ValidPayload, Validator, WasmFeatures};

use crate::section::{self, SectionError};

/// The largest component that is accepted: a hostile one would do harm at compile time.
pub const MOST_BYTES: usize = catalog::files::COMPONENT as usize;

/// The package whose interfaces are granted by their bare names.
const PACKAGE: &str = "espalier:module/";

/// The WASI baseline that other toolchains import. Granted as a whole, and inert.
const INERT: [&str; 5] = ["wasi:cli/", "wasi:clocks/", "wasi:filesystem/", "wasi:io/", "wasi:random/"];

/// The result of an inspection.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// What is compared with the lock file.
    pub built: Built,
    /// Bytes of the component.
    pub size: usize,
    /// Every import as written, with package and version.
    pub imports: Vec<String>,
    /// Every exported function as `interface#function`.
    pub exports: Vec<String>,
    /// The tools that produced it: field, name, version.
    pub producers: Vec<(String, String, String)>,
}

/// Why a component is rejected before it is compared with its lock file.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// The component is larger than [`MOST_BYTES`].
    #[error("the component has {0} bytes, more than {MOST_BYTES}")]
    TooLarge(usize),
    /// The magic number of WebAssembly is missing.
    #[error("this is no WebAssembly component; `espalier module build` makes one")]
    NotWasm,
    /// A core module that is not wrapped in a component.
    #[error("this is a core WebAssembly module, not a component; `espalier module build` makes components")]
    Core,
    /// The component is malformed or uses a disabled feature.
    #[error("not a component that may run here: {0}")]
    Invalid(#[from] wasmparser::BinaryReaderError),
    /// A section is malformed.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// A string encoding other than UTF-8 at the boundary.
    #[error("strings cross the boundary as {0}; only UTF-8 is accepted")]
    Encoding(&'static str),
    /// The component has no contracts.
    #[error(
        "the component has no section {SECTION}; build it with `espalier module build`, or `module seal` what another toolchain built"
    )]
    NoContracts,
    /// The contracts cannot be parsed.
    #[error("the section {SECTION} is not a manifest: {0}")]
    Contracts(String),
}

/// Reads a component's imports, exports, contracts, digest and producers.
///
/// # Errors
/// The component is too large, invalid, not UTF-8 or without contracts.
pub fn inspect(component: &[u8]) -> Result<Inspection, InspectError> {
    read(component, Bodies::Validated)
}

/// As [`inspect`], but without validating function bodies. For components that the engine compiles before they run,
/// since it validates the bodies then.
///
/// # Errors
/// As [`inspect`], except for errors in function bodies.
pub fn declared(component: &[u8]) -> Result<Inspection, InspectError> {
    read(component, Bodies::LeftToTheEngine)
}

/// Who validates function bodies. They are most of a component, and validating them takes most of the time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Validated,
    LeftToTheEngine,
}

fn read(component: &[u8], bodies: Bodies) -> Result<Inspection, InspectError> {
    if component.len() > MOST_BYTES {
        return Err(InspectError::TooLarge(component.len()));
    }
    preamble(component)?;
    let types = validate(component, bodies)?;
    let text = section::custom(component, SECTION)?.ok_or(InspectError::NoContracts)?;
    let manifest: Manifest =
        serde_json::from_slice(text).map_err(|error| InspectError::Contracts(error.to_string()))?;
    if let Some(place) = hidden(text, &manifest) {
        return Err(InspectError::Contracts(place));
    }
    if model::canonical::write(&manifest) != text {
        return Err(InspectError::Contracts("it is not in canonical form".to_owned()));
    }
    let outline = outline(component, &types)?;
    let exports = interfaces(&manifest.module, &outline.exports);
    let built = Built {
        component: format!("sha256:{}", hex(&Sha256::digest(component))),
        imports: outline.powers.iter().map(|name| grant(name)).collect(),
        exports,
        manifest,
    };
    let flat = outline.exports.iter().map(|(interface, name)| format!("{interface}#{name}"));
    Ok(Inspection {
        built,
        size: component.len(),
        imports: outline.imports,
        exports: flat.collect(),
        producers: outline.producers,
    })
}

/// Checks the preamble of a component: the magic number, a version, and the layer, which is 0 for core modules.
fn preamble(component: &[u8]) -> Result<(), InspectError> {
    match component {
        [0, b'a', b's', b'm', _, _, 0, 0, ..] => Err(InspectError::Core),
        [0, b'a', b's', b'm', ..] => Ok(()),
        _ => Err(InspectError::NotWasm),
    }
}

/// The name under which an import is granted: `espalier:module/records@1.0.0` is `records`.
fn grant(import: &str) -> String {
    let bare = import.split('@').next().unwrap_or(import);
    if let Some(name) = bare.strip_prefix(PACKAGE) {
        return name.to_owned();
    }
    if INERT.iter().any(|start| bare.starts_with(start)) {
        return "wasi-inert".to_owned();
    }
    import.to_owned()
}

fn validate(component: &[u8], bodies: Bodies) -> Result<Types, InspectError> {
    let off = WasmFeatures::THREADS
        | WasmFeatures::SHARED_EVERYTHING_THREADS
        | WasmFeatures::MEMORY64
        | WasmFeatures::EXCEPTIONS
        | WasmFeatures::LEGACY_EXCEPTIONS
        | WasmFeatures::GC
        | WasmFeatures::FUNCTION_REFERENCES
        | WasmFeatures::RELAXED_SIMD
        | WasmFeatures::STACK_SWITCHING
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::CUSTOM_PAGE_SIZES
        | WasmFeatures::CM_ASYNC;
    let mut validator = Validator::new_with_features(WasmFeatures::all() - off);
    if bodies == Bodies::Validated {
        return Ok(validator.validate_all(component)?);
    }
    let mut last = None;
    for payload in Parser::new(0).parse_all(component) {
        if let ValidPayload::End(types) = validator.payload(&payload?)? {
            last = Some(types);
        }
    }
    Ok(last.expect("what was parsed without an error has an end"))
}

#[derive(Default)]
struct Outline {
    imports: Vec<String>,
    /// Imports that are more than types.
    powers: Vec<String>,
    /// Interface and function. The interface is empty for a function outside any interface.
    exports: Vec<(String, String)>,
    producers: Vec<(String, String, String)>,
}

fn outline(component: &[u8], types: &Types) -> Result<Outline, InspectError> {
    let mut outline = Outline::default();
    let mut depth = 0usize;
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::ComponentSection { .. } | Payload::ModuleSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentCanonicalSection(functions) => {
                for function in functions {
                    encoding(&function?)?;
                }
            }
            Payload::ComponentImportSection(imports) if depth == 0 => {
                for import in imports {
                    let name = import?.name.name.to_owned();
                    if !only_types(types.as_ref(), &name) {
                        outline.powers.push(name.clone());
                    }
                    outline.imports.push(name);
                }
            }
            Payload::ComponentExportSection(exports) if depth == 0 => {
                for export in exports {
                    outline.exports.extend(functions(types.as_ref(), export?.name.name));
                }
            }
            Payload::CustomSection(custom) if depth == 0 && custom.name() == "producers" => {
                outline.producers.extend(producers(custom.data(), custom.data_offset())?);
            }
            _ => {}
        }
    }
    Ok(outline)
}

fn encoding(function: &CanonicalFunction) -> Result<(), InspectError> {
    let options = match function {
        CanonicalFunction::Lift { options, .. } | CanonicalFunction::Lower { options, .. } => options,
        _ => return Ok(()),
    };
    for option in options {
        match option {
            CanonicalOption::UTF16 => return Err(InspectError::Encoding("UTF-16")),
            CanonicalOption::CompactUTF16 => return Err(InspectError::Encoding("Latin-1 or UTF-16")),
            _ => {}
        }
    }
    Ok(())
}

fn only_types(types: TypesRef<'_>, import: &str) -> bool {
    match types.component_item_for_import(import).map(|item| item.ty) {
        Some(ComponentEntityType::Instance(instance)) => {
            types[instance].exports.values().all(|item| matches!(item.ty, ComponentEntityType::Type { .. }))
        }
        Some(ComponentEntityType::Type { .. }) => true,
        _ => false,
    }
}

fn functions(types: TypesRef<'_>, export: &str) -> Vec<(String, String)> {
    match types.component_item_for_export(export).map(|item| item.ty) {
        Some(ComponentEntityType::Instance(instance)) => inside(types, export, instance),
        Some(ComponentEntityType::Type { .. }) => Vec::new(),
        _ => vec![(String::new(), export.to_owned())],
    }
}

fn inside(types: TypesRef<'_>, export: &str, instance: ComponentInstanceTypeId) -> Vec<(String, String)> {
    let items = types[instance].exports.iter();
    let functions = items.filter(|(_, item)| !matches!(item.ty, ComponentEntityType::Type { .. }));
    functions.map(|(name, _)| (export.to_owned(), name.to_string())).collect()
}

fn producers(data: &[u8], offset: usize) -> Result<Vec<(String, String, String)>, InspectError> {
    let mut found = Vec::new();
    let reader = wasmparser::BinaryReader::new(data, offset);
    for field in wasmparser::ProducersSectionReader::new(reader)? {
        let field = field?;
        for value in field.values {
            let value = value?;
            found.push((field.name.to_owned(), value.name.to_owned(), value.version.to_owned()));
        }
    }
    Ok(found)
}

fn interfaces(module: &str, functions: &[(String, String)]) -> Exports {
    let package = format!("espalier:{}/", module.replace('_', "-"));
    let mut exports = Exports::default();
    for (interface, name) in functions {
        let bare = interface.split('@').next().unwrap_or(interface).strip_prefix(&package);
        let names: &mut BTreeSet<String> = match bare {
            Some("operations") => &mut exports.operations,
            Some("routes") => &mut exports.routes,
            Some("steps") => &mut exports.steps,
            Some("upgrades") => &mut exports.upgrades,
            _ => {
                exports.others.insert(format!("{interface}#{name}"));
                continue;
            }
        };
        names.insert(name.clone());
    }
    exports
}

#[cfg(test)]
mod tests;
