//! The packages of a workspace as cargo reports them: which are modules, which are libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

/// What a package under `modules/` is built as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A product module: its crate type is `cdylib`, so it links into a component.
    Module,
    /// A library that modules are built with.
    Library,
    /// A procedural macro, which runs in the compiler.
    Macro,
    /// A package outside `modules/`.
    Other,
}

/// One package of a workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name in the manifest.
    pub name: String,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// What it is.
    pub kind: Kind,
}

/// All packages of a workspace, sorted by name. Resolves no dependencies.
///
/// # Errors
/// When cargo cannot be started or cannot read a manifest.
pub fn all(workspace: &Path) -> anyhow::Result<Vec<Package>> {
    let mut cargo = Command::new("cargo");
    let asked = cargo.current_dir(workspace).args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let metadata: Value = serde_json::from_slice(&asked.context("cargo cannot be started")?.stdout)
        .context("cargo cannot read the workspace's manifests; `cargo metadata` says why")?;
    let modules = workspace.canonicalize().context("the workspace's folder cannot be read")?.join("modules");
    let listed = metadata["packages"].as_array().into_iter().flatten();
    let mut packages: Vec<Package> = listed.filter_map(|it| package(it, &modules)).collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

/// Reads one package; `modules` is the folder that modules and their libraries are under.
fn package(metadata: &Value, modules: &Path) -> Option<Package> {
    let folder = Path::new(metadata["manifest_path"].as_str()?).parent()?.to_path_buf();
    let has = |crate_type: &str| {
        let targets = metadata["targets"].as_array().into_iter().flatten();
        targets.flat_map(|it| it["crate_types"].as_array().into_iter().flatten()).any(|it| it == crate_type)
    };
    let inside = folder.canonicalize().ok()?.starts_with(modules);
    let kind = match inside {
        true if has("cdylib") => Kind::Module,
        true if has("proc-macro") => Kind::Macro,
        true => Kind::Library,
        false => Kind::Other,
    };
    Some(Package { name: metadata["name"].as_str()?.to_owned(), folder, kind })
}
