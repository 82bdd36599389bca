//! `espalier module`: from a folder to a component.

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::Say;
use crate::cli::Module;
use crate::modules::{self, Profile};

pub(super) fn run(command: Module, say: Say) -> anyhow::Result<()> {
    match command {
        Module::Build { folder, out } => {
            let workspace = modules::workspace()?;
            let names = match &folder {
                Some(folder) => vec![name_of(folder)?],
                None => modules::names(&workspace)?,
            };
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
    }
}

fn name_of(folder: &Path) -> anyhow::Result<String> {
    let manifest = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).with_context(|| format!("{} cannot be read", manifest.display()))?;
    let manifest: toml::Table = toml::from_str(&text)?;
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    name.map(str::to_owned).context("the manifest names no package")
}
