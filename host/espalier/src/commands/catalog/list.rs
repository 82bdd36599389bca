//! `espalier catalog list`: what can run in a revision, told by components that are there already.

use std::path::Path;

use anyhow::{Context as _, bail};
use catalog::lock::{Lock, contract_hash};
use catalog::revision::Revision;
use model::contract::Contract;
use sandbox::inspect;
use serde_json::{Value, json};

use crate::catalogs::Home;
use crate::commands::{self, Say};
use crate::modules::{self, Profile};

/// Lists it. Of a workspace only the modules are built of which no component is there as the revision locks it.
pub(super) fn run(home: &Home, revision: &Revision, say: Say) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for (lock, contracts) in offered(home, revision)? {
        for contract in contracts.iter().filter(|contract| lock.operations.contains_key(&contract.id)) {
            rows.push(json!({
                "id": contract.id,
                "module": contract.module(),
                "kind": contract.kind,
                "mode": contract.mode,
                "scopes": contract.scopes,
                "native_price": contract.native_price,
                "cost": contract.cost,
                "summary": contract.summary,
            }));
        }
    }
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let words: Vec<String> = rows
        .iter()
        .map(|row| format!("{:<32} {:<12} {}", text(row, "id"), text(row, "kind"), text(row, "summary")))
        .collect();
    say.value(&Value::Array(rows), &words.join("\n"));
    Ok(())
}

/// Each lock with the contracts of its component.
fn offered<'a>(home: &Home, revision: &'a Revision) -> anyhow::Result<Vec<(&'a Lock, Vec<Contract>)>> {
    let workspace = match home {
        Home::Shipped(folder) => {
            let one = |(name, lock): (&String, &'a Lock)| Ok((lock, contracts(&folder.join(format!("{name}.wasm")))?));
            let offered = revision.locks.iter().map(one).collect::<anyhow::Result<_>>();
            return offered.with_context(|| format!("revision {} is not whole in {}", revision.date, folder.display()));
        }
        Home::Workspace(workspace) => workspace,
    };
    let mut offered: Vec<(&Lock, Vec<Contract>)> = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    for (name, lock) in &revision.locks {
        match standing(workspace, &revision.date, lock) {
            Some(contracts) => offered.push((lock, contracts)),
            None => missing.push(name.clone()),
        }
    }
    if !missing.is_empty() {
        let known = modules::names(workspace)?;
        if let Some(gone) = missing.iter().find(|name| !known.contains(name)) {
            bail!("revision {} locks {gone}, and modules/{gone} is not there to build it from", revision.date);
        }
        commands::aside(&format!("building {}: not there as revision {} locks it", missing.join(", "), revision.date));
        let profile = Profile::served();
        for built in modules::build(workspace, &missing, profile, &modules::components(workspace, profile))? {
            offered.push((&revision.locks[&built.name], contracts(&built.path)?));
        }
        offered.sort_by(|(one, _), (other, _)| one.module.cmp(&other.module));
    }
    Ok(offered)
}

/// The contracts of a component that was built or locked here, when they are the locked ones.
fn standing(workspace: &Path, date: &str, lock: &Lock) -> Option<Vec<Contract>> {
    let folders = [Profile::served(), Profile::Component].map(|profile| modules::components(workspace, profile));
    let locked = modules::locked(workspace, date);
    let files = folders.into_iter().chain([locked]).map(|folder| folder.join(format!("{}.wasm", lock.module)));
    let fits = |contracts: &Vec<Contract>| {
        let hash = |id: &String| contracts.iter().find(|it| it.id == *id).map(contract_hash);
        lock.operations.iter().all(|(id, entry)| hash(id).as_ref() == Some(&entry.contract))
    };
    files.filter(|file| file.is_file()).filter_map(|file| contracts(&file).ok()).find(fits)
}

fn contracts(file: &Path) -> anyhow::Result<Vec<Contract>> {
    let bytes = catalog::files::read(file, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(inspect::inspect(&bytes).with_context(|| file.display().to_string())?.built.manifest.operations)
}
