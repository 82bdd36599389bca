//! The contracts of a revision, beside its locks: a lock has only the hash of each, and whoever reviews a step from one
//! revision to another wants to read what they say.
//!
//! `catalog/<date>/contracts/<module>.json` needs no signature: it counts only where every contract in it has the hash that
//! the lock says. A revision of before these files has none, and is compared by its hashes.

use std::path::{Path, PathBuf};

use model::canonical;
use model::contract::Contract;
use model::manifest::{Manifest, Shapes};
use serde::Deserialize;

use crate::error::CatalogError;
use crate::files;
use crate::lock::{Lock, contract_hash};

/// The folder in that of a revision.
pub const FOLDER: &str = "contracts";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    operations: Vec<Contract>,
    routes: Vec<Contract>,
}

fn place(revision: &Path, module: &str) -> PathBuf {
    revision.join(FOLDER).join(format!("{module}.json"))
}

/// Writes the contracts that a lock is about, each on a line of its own.
///
/// # Errors
/// The file cannot be written.
pub fn write(revision: &Path, lock: &Lock, manifest: &Manifest) -> Result<(), CatalogError> {
    let path = place(revision, &lock.module);
    let list = |contracts: Vec<&Contract>| {
        let lines: Vec<_> =
            contracts.iter().map(|it| String::from_utf8_lossy(&canonical::write(it)).into_owned()).collect();
        lines.join(",\n")
    };
    let offered = manifest.operations.iter().filter(|it| lock.operations.contains_key(&it.id)).collect();
    let shown = manifest.routes.iter().filter(|it| lock.routes.contains_key(&it.id)).collect();
    let text = format!("{{\"operations\": [\n{}\n], \"routes\": [\n{}\n]}}\n", list(offered), list(shown));
    let folder = revision.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(CatalogError::file(&folder))?;
    std::fs::write(&path, text).map_err(CatalogError::file(path))
}

/// The contracts of a lock as far as a manifest has them; none where no file of them is there.
///
/// # Errors
/// The file cannot be read, or is not what the lock says.
pub fn read(revision: &Path, lock: &Lock) -> Result<Option<Manifest>, CatalogError> {
    let path = place(revision, &lock.module);
    let text = match files::read(&path, files::COMPONENT) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CatalogError::file(path)(error)),
    };
    let date = revision.file_name().unwrap_or_default().to_string_lossy();
    let malformed = |line: usize, message: String| CatalogError::Malformed {
        file: format!("{date}/{FOLDER}/{}.json", lock.module),
        line,
        message,
    };
    let Written { operations, routes } =
        serde_json::from_slice(&text).map_err(|error| malformed(error.line(), error.to_string()))?;
    for (contracts, entries) in [(&operations, &lock.operations), (&routes, &lock.routes)] {
        for contract in contracts {
            let entry = entries.get(&contract.id);
            if entry.is_none_or(|it| it.contract != contract_hash(contract)) {
                return Err(malformed(1, format!("the contract of {} is not the one that is locked", contract.id)));
            }
        }
        if let Some(id) = entries.keys().find(|id| !contracts.iter().any(|it| it.id == **id)) {
            return Err(malformed(1, format!("the contract of {id} is missing")));
        }
    }
    Ok(Some(Manifest {
        module: lock.module.clone(),
        wit: lock.wit.clone(),
        operations,
        routes,
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        shapes: Shapes::default(),
    }))
}

#[cfg(test)]
mod tests {
    //! Tests of `contracts`.

    use super::*;
    use crate::approval::sides;
    use crate::review::{Reason, review};
    use crate::revision::Revision;
    use crate::sample;

    /// A revision of the sample's module, with its contracts beside its lock.
    fn revision(catalog: &Path, date: &str, manifest: &Manifest) -> Revision {
        let mut built = sample::built();
        built.manifest = manifest.clone();
        let mut revision = Revision::draft(date);
        let lock = Lock::of(&built, None, |_| true);
        write(&catalog.join(date), &lock, manifest).unwrap();
        revision.locks.insert(lock.module.clone(), lock);
        revision.write(catalog).unwrap();
        Revision::read(catalog, date).unwrap()
    }

    #[test]
    fn a_step_between_revisions_says_what_changed_in_a_contract_and_not_that_its_hash_did() {
        let catalog = tempfile::tempdir().unwrap();
        let mut manifest = sample::built().manifest;
        let old = revision(catalog.path(), "2026-08-15", &manifest);
        manifest.operations[0].arguments["properties"]["more"] = serde_json::json!({ "type": "string" });
        let new = revision(catalog.path(), "2026-09-28", &manifest);
        let (old, new) = (sides(&old).unwrap(), sides(&new).unwrap());
        let (_, old) = old.first_key_value().unwrap();
        let (_, new) = new.first_key_value().unwrap();
        let report = review(Some(old), Some(new)).unwrap();
        let widened: Vec<_> = report.changes.iter().filter(|it| it.reason == Reason::ArgumentsWidened).collect();
        assert_eq!(widened.len(), 1, "{:?}", report.changes);
        assert_eq!(widened[0].pointer, "/more");
        assert_eq!(report.class(), crate::review::schema::Class::Widening);
    }

    #[test]
    fn contracts_that_are_not_the_locked_ones_are_refused_and_missing_files_are_none() {
        let catalog = tempfile::tempdir().unwrap();
        let manifest = sample::built().manifest;
        let revision = revision(catalog.path(), "2026-08-15", &manifest);
        let (_, lock) = revision.locks.first_key_value().unwrap();
        let folder = catalog.path().join("2026-08-15");
        let mut other = manifest.clone();
        other.operations[0].summary = "Something else.".to_owned();
        write(&folder, lock, &other).unwrap();
        let refused = read(&folder, lock).unwrap_err().to_string();
        assert!(refused.contains("is not the one that is locked"), "{refused}");
        std::fs::remove_dir_all(folder.join(FOLDER)).unwrap();
        assert_eq!(read(&folder, lock).unwrap(), None);
        assert!(sides(&revision).is_ok());
    }
}
