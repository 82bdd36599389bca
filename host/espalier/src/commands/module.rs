//! `espalier module`: from a folder to a component, and whether it keeps what it promises.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use catalog::compare::{self, Digest};
use catalog::revision::Revision;
use sandbox::inspect;
use serde_json::{Value, json};
use service::promise;

use super::Say;
use crate::cli::Module;
use crate::modules::{self, Built, Profile};

pub(super) fn run(command: Module, say: Say) -> anyhow::Result<()> {
    let workspace = modules::workspace()?;
    let chosen = |folder: Option<&PathBuf>| match folder {
        Some(folder) => Ok(vec![name_of(folder)?]),
        None => modules::names(&workspace),
    };
    match command {
        Module::Build { folder, out } => {
            let names = chosen(folder.as_ref())?;
            let out = out.unwrap_or_else(|| workspace.join("target/components").join(Profile::Component.name()));
            let built = modules::build(&workspace, &names, Profile::Component, &out)?;
            let rows: Vec<Value> = built
                .iter()
                .map(|built| json!({ "module": built.name, "file": built.path, "bytes": built.path.metadata().map_or(0, |file| file.len()) }))
                .collect();
            let words: Vec<String> =
                built.iter().map(|built| format!("{}: {}", built.name, built.path.display())).collect();
            say.value(&Value::Array(rows), &words.join("\n"));
            Ok(())
        }
        Module::Check { folder } => {
            let names = chosen(folder.as_ref())?;
            let out = workspace.join("target/components").join(Profile::fitting().name());
            let built = modules::build(&workspace, &names, Profile::fitting(), &out)?;
            check(&built, &workspace.join("catalog"), say)
        }
    }
}

/// Each promise that is not kept, and each line of a lock that is no longer true.
fn check(built: &[Built], catalog: &Path, say: Say) -> anyhow::Result<()> {
    let newest = Revision::dates(catalog)?.pop().context("the catalog has no revision")?;
    let revision = Revision::standing(catalog, &newest)?;
    let (mut rows, mut words, mut wrong) = (Vec::new(), Vec::new(), 0);
    for module in built {
        let shown = inspect::inspect(&std::fs::read(&module.path)?).with_context(|| module.name.clone())?;
        let broken = promise::broken(&shown.built.manifest);
        let lock = revision.locks.get(&module.name);
        let moved = lock.map(|lock| compare::differences(&shown.built, lock, Digest::Free)).unwrap_or_default();
        let told = broken.iter().map(|it| format!("{}: {}: {}", it.operation, it.pointer, it.message));
        let told: Vec<String> = told.chain(moved.iter().map(|it| format!("catalog/{newest}/{it}"))).collect();
        wrong += told.len();
        let locked = if lock.is_some() { "" } else { "; no lock yet, `espalier catalog lock` writes one" };
        let operations = shown.built.manifest.operations.len();
        words.push(format!("{}: {operations} operations, {} to mend{locked}", module.name, told.len()));
        words.extend(told.iter().map(|it| format!("  {it}")));
        rows.push(
            json!({ "module": module.name, "operations": operations, "locked": lock.is_some(), "to_mend": told }),
        );
    }
    say.value(&Value::Array(rows), &words.join("\n"));
    if wrong > 0 {
        bail!("{wrong} things are to be mended");
    }
    Ok(())
}

fn name_of(folder: &Path) -> anyhow::Result<String> {
    let manifest = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).with_context(|| format!("{} cannot be read", manifest.display()))?;
    let manifest: toml::Table = toml::from_str(&text)?;
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    name.map(str::to_owned).context("the manifest names no package")
}
