//! `espalier sbom`: the bill of materials of this program, in CycloneDX 1.6.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::Say;

/// Writes the bill beside a release build, or prints it without a file.
pub(super) fn run(file: Option<&PathBuf>, say: Say) -> anyhow::Result<()> {
    let workspace = crate::modules::workspace().context("run this in the workspace that the program is built from")?;
    let bill = bill(&workspace)?;
    let text = serde_json::to_string_pretty(&bill)?;
    let count = bill["components"].as_array().map_or(0, Vec::len);
    match file {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))?;
            say.value(
                &json!({ "components": count, "file": file }),
                &format!("{count} components in {}", file.display()),
            );
        }
        None => say.value(&bill, &text),
    }
    Ok(())
}

/// The packages that `espalier` is built from on this platform, with their checksums and licences, and which needs
/// which. What only tests and builds use is not in it.
fn bill(workspace: &Path) -> anyhow::Result<Value> {
    let metadata = metadata(workspace)?;
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).filter_map(|it| Some((it["id"].as_str()?, it))).collect();
    let root = packages.iter().find(|(_, it)| it["name"] == "espalier").map(|(id, _)| *id);
    let root = root.context("the workspace has no package `espalier`")?;
    let mut needs = BTreeMap::<&str, BTreeSet<&str>>::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let normal = |it: &&Value| list(&it["dep_kinds"]).any(|kind| kind["kind"].is_null());
        let found = list(&node["deps"]).filter(normal).filter_map(|it| it["pkg"].as_str()).collect();
        if let Some(id) = node["id"].as_str() {
            needs.insert(id, found);
        }
    }
    let (mut built_in, mut open) = (BTreeSet::new(), vec![root]);
    while let Some(id) = open.pop() {
        if built_in.insert(id) {
            open.extend(needs.get(id).into_iter().flatten());
        }
    }
    let sums = checksums(workspace)?;
    let components = built_in.iter().filter(|id| **id != root).filter_map(|id| component(packages.get(id)?, &sums));
    let dependencies = built_in.iter().filter_map(|id| {
        let on: Vec<String> = needs.get(id)?.iter().filter_map(|it| reference(packages.get(it)?)).collect();
        Some(json!({ "ref": reference(packages.get(id)?)?, "dependsOn": on }))
    });
    let own =
        packages.get(root).and_then(|it| component(it, &sums)).context("the package `espalier` has no version")?;
    let mut own = own;
    own["type"] = json!("application");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": own },
        "components": components.collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

fn metadata(workspace: &Path) -> anyhow::Result<Value> {
    let version = Command::new("rustc").arg("-vV").output().context("rustc cannot be started")?.stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not say its host")?;
    let mut cargo = Command::new("cargo");
    let asked = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
    let told = cargo.current_dir(workspace).args(asked).output().context("cargo cannot be started")?;
    serde_json::from_slice(&told.stdout).context("cargo cannot read the workspace; `cargo metadata --locked` says why")
}

/// The checksums of `Cargo.lock`, by name and version.
fn checksums(workspace: &Path) -> anyhow::Result<BTreeMap<(String, String), String>> {
    let text = std::fs::read_to_string(workspace.join("Cargo.lock")).context("Cargo.lock cannot be read")?;
    let lock: toml::Table = text.parse().context("Cargo.lock cannot be read")?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let text = |it: &toml::Value, name: &str| it.get(name).and_then(toml::Value::as_str).map(str::to_owned);
    Ok(packages.filter_map(|it| Some(((text(it, "name")?, text(it, "version")?), text(it, "checksum")?))).collect())
}

fn component(package: &Value, sums: &BTreeMap<(String, String), String>) -> Option<Value> {
    let (name, version) = (package["name"].as_str()?, package["version"].as_str()?);
    let reference = reference(package)?;
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
    });
    if let Some(licence) = package["license"].as_str() {
        // What crates wrote before SPDX expressions: `MIT/Apache-2.0`.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(sum) = sums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    Some(component)
}

/// The package URL, which is its name in the bill.
fn reference(package: &Value) -> Option<String> {
    Some(format!("pkg:cargo/{}@{}", package["name"].as_str()?, package["version"].as_str()?))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_has_every_crate_that_is_built_in_with_its_checksum_and_no_crate_of_the_tests() {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let bill = bill(&workspace).unwrap();
        let components: BTreeMap<&str, &Value> =
            list(&bill["components"]).map(|it| (it["name"].as_str().unwrap(), it)).collect();
        assert_eq!(components["wasmtime"]["hashes"][0]["content"].as_str().unwrap().len(), 64);
        assert_eq!(components["axum"]["licenses"][0]["expression"], "MIT");
        assert!(components.contains_key("sandbox") && !components.contains_key("espalier"));
        assert!(!components.contains_key("tests") && !components.contains_key("proptest"));
        let known: BTreeSet<&str> = list(&bill["components"]).filter_map(|it| it["bom-ref"].as_str()).collect();
        for dependency in list(&bill["dependencies"]) {
            for on in list(&dependency["dependsOn"]) {
                assert!(known.contains(on.as_str().unwrap()), "{on} is named and not listed");
            }
        }
    }
}
