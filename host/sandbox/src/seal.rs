//! The last step of a build without our SDK: embeds the contracts from a file, and removes functions that the toolchain
//! left among the exports.

use model::canonical;
use model::manifest::{Manifest, SECTION};
use wasmparser::{ComponentAlias, ComponentExternalKind, Parser, Payload};

use crate::inspect::hidden;
use crate::section::{self, SectionError};

/// Why a component cannot be sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The bytes are not a component.
    #[error("not a component: {0}")]
    Invalid(#[from] wasmparser::BinaryReaderError),
    /// A section is malformed.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// The contracts are not a manifest; `wit/contracts.md` lists every member.
    #[error("the contracts are not a manifest: {0}")]
    Manifest(String),
    /// There is no such function outside the interfaces.
    #[error("the component exports no function {0} outside its interfaces")]
    NoExport(String),
    /// Something after the function may refer to it.
    #[error("the export {0} cannot be taken out: what stands after it in the component may refer to it")]
    Referred(String),
}

/// Embeds these contracts (JSON in any form) in the section `espalier:contracts@1` as canonical JSON (RFC 8785),
/// replacing earlier ones, and removes the exported functions with these names. Runs no guest code.
///
/// # Errors
/// The component is malformed, the contracts are not a manifest or hide something, or a function cannot be removed.
pub fn seal(component: &[u8], contracts: &[u8], without: &[String]) -> Result<Vec<u8>, SealError> {
    let manifest: Manifest =
        serde_json::from_slice(contracts).map_err(|error| SealError::Manifest(error.to_string()))?;
    let text = canonical::write(&manifest);
    if let Some(place) = hidden(&text, &manifest) {
        return Err(SealError::Manifest(place));
    }
    let mut bytes = component.to_vec();
    for name in without {
        bytes = without_function(&bytes, name)?;
    }
    Ok(section::with_custom(&bytes, SECTION, &text)?)
}

/// The location of an exported function: the content of its section, and that content without the function.
struct Place {
    at: usize,
    rest: Option<Vec<u8>>,
}

/// Each export defines a new item, and items are referenced by index. A function can therefore be removed only if
/// nothing after it can refer to a function.
fn without_function(component: &[u8], name: &str) -> Result<Vec<u8>, SealError> {
    let (mut place, mut depth) = (None, 0usize);
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload?;
        let harmless = match &payload {
            Payload::ComponentExportSection(exports) if depth == 0 && place.is_none() => {
                place = find(component, exports, name)?;
                true
            }
            Payload::ComponentExportSection(exports) => {
                exports.clone().into_iter().all(|it| it.is_ok_and(|it| it.kind == ComponentExternalKind::Instance))
            }
            Payload::ComponentAliasSection(aliases) => aliases.clone().into_iter().all(|it| {
                matches!(it, Ok(ComponentAlias::InstanceExport { kind: ComponentExternalKind::Instance, .. }))
            }),
            Payload::CustomSection(_) | Payload::End(_) => true,
            _ => false,
        };
        if place.is_some() && !harmless {
            return Err(SealError::Referred(name.to_owned()));
        }
        match payload {
            Payload::ComponentSection { .. } | Payload::ModuleSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let place = place.ok_or_else(|| SealError::NoExport(name.to_owned()))?;
    Ok(section::with_content(component, place.at, place.rest.as_deref())?)
}

/// The function with this name among the exports of a section.
fn find(
    component: &[u8],
    exports: &wasmparser::ComponentExportSectionReader<'_>,
    name: &str,
) -> Result<Option<Place>, SealError> {
    let range = exports.range();
    let mut items = Vec::new();
    for item in exports.clone().into_iter_with_offsets() {
        let (start, export) = item?;
        items.push((start, export));
    }
    let wanted = |it: &(usize, wasmparser::ComponentExport<'_>)| {
        it.1.name.name == name && it.1.kind == ComponentExternalKind::Func
    };
    let Some(number) = items.iter().position(wanted) else { return Ok(None) };
    if items[number + 1..].iter().any(|(_, export)| export.kind != ComponentExternalKind::Instance) {
        return Err(SealError::Referred(name.to_owned()));
    }
    if items.len() == 1 {
        return Ok(Some(Place { at: range.start, rest: None }));
    }
    let mut rest = Vec::with_capacity(range.len());
    section::write_length(&mut rest, items.len() - 1);
    for (index, (start, _)) in items.iter().enumerate().filter(|(index, _)| *index != number) {
        let end = items.get(index + 1).map_or(range.end, |(next, _)| *next);
        rest.extend_from_slice(&component[*start..end]);
    }
    Ok(Some(Place { at: range.start, rest: Some(rest) }))
}

#[cfg(test)]
mod tests;
