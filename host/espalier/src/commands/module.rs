//! `espalier module`: from a folder to a component, and whether it keeps what it promises.

mod check;
mod new;
mod place;
mod run;
mod seal;
mod test;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use sandbox::inspect;
use serde_json::{Value, json};

use self::place::Places;
use super::Say;
use crate::cli::{Module, Place};
use crate::modules::{self, Built, Profile};
use crate::scratch::Scratch;
use crate::settings::File;

pub(super) async fn run(place: &Place, command: Module, say: Say) -> anyhow::Result<()> {
    let workspace = modules::workspace();
    match command {
        // The one command that needs no workspace: what it is about was built elsewhere.
        Module::Seal { component, contracts, without, out } => {
            seal::run(&component, &contracts, &without, out.as_deref(), say)
        }
        Module::Build { folder, out } => {
            let chosen = Chosen::of(&workspace?, folder.as_deref())?;
            let out = out.unwrap_or_else(|| chosen.out(Profile::Component));
            let built = modules::build(&chosen.root, &chosen.names, Profile::Component, &out)?;
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
            let workspace = workspace?;
            check::run(&built(&workspace, folder.as_deref())?, &workspace, say)
        }
        Module::New { name, at } => new::run(&workspace?, &name, at.as_deref(), say),
        Module::Test { folder } => {
            let workspace = workspace?;
            if !folder.is_file() {
                let chosen = Chosen::of(&workspace, Some(&folder))?;
                test::native(&chosen.root, &chosen.names[0])?;
            }
            test::examples(&scratch(place, &workspace, &folder).await?, say).await
        }
        Module::Run { operation, folder, args } => {
            let workspace = workspace?;
            let name = operation.split('.').next().unwrap_or_default();
            let known = modules::names(&workspace)?;
            if folder.is_none() && !known.iter().any(|it| it == name) {
                let known = known.join(", ");
                bail!("there is no module {name}; the workspace has {known}, and of another the folder is named too");
            }
            let folder = folder.unwrap_or_else(|| workspace.join("modules").join(name));
            let places = Places { folder: &folder, catalog: &workspace.join("catalog") };
            run::run(&scratch(place, &workspace, &folder).await?, &places, (&operation, &args), say).await
        }
    }
}

/// Modules and where cargo finds them: in the workspace, or one in a folder of its own.
struct Chosen {
    root: PathBuf,
    names: Vec<String>,
}

impl Chosen {
    fn of(workspace: &Path, folder: Option<&Path>) -> anyhow::Result<Self> {
        let Some(folder) = folder else {
            return Ok(Self { root: workspace.to_path_buf(), names: modules::names(workspace)? });
        };
        let names = vec![name_of(folder)?];
        let folder = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
        let inside = workspace.canonicalize().is_ok_and(|workspace| folder.starts_with(workspace));
        let own = !inside || manifest(&folder)?.contains_key("workspace");
        Ok(Self { root: if own { folder } else { workspace.to_path_buf() }, names })
    }

    fn out(&self, profile: Profile) -> PathBuf {
        modules::components(&self.root, profile)
    }

    fn build(&self) -> anyhow::Result<Vec<Built>> {
        let profile = Profile::served();
        modules::build(&self.root, &self.names, profile, &self.out(profile))
    }
}

/// What folders are built to, or a component as it is.
fn built(workspace: &Path, what: Option<&Path>) -> anyhow::Result<Vec<Built>> {
    let Some(file) = what.filter(|it| it.is_file()) else { return Chosen::of(workspace, what)?.build() };
    let bytes = catalog::files::read(file, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let shown = inspect::inspect(&bytes).with_context(|| file.display().to_string())?;
    Ok(vec![Built { name: shown.built.manifest.module, path: file.to_path_buf() }])
}

async fn scratch(place: &Place, workspace: &Path, what: &Path) -> anyhow::Result<Scratch> {
    // A caller is told only that a guest broke; its author sees in the log where.
    super::start_log(place.json);
    let built = built(workspace, Some(what))?;
    let built = built.first().context("the folder holds no module")?;
    Scratch::start(built, &workspace.join("catalog"), File::read(place)?).await
}

fn name_of(folder: &Path) -> anyhow::Result<String> {
    let manifest = manifest(folder)?;
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    name.map(str::to_owned).context("the manifest names no package")
}

fn manifest(folder: &Path) -> anyhow::Result<toml::Table> {
    let path = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(toml::from_str(&text)?)
}
