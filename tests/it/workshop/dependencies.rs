//! Rules for what is built in from elsewhere: used, and of a licence and a version that `deny.toml` lets in.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

use super::tidy::{files, packages, root};

/// The platform of this machine: what is built in on others is not here to be looked at.
fn platform() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc");
    let said = String::from_utf8(output.stdout).expect("text");
    said.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform").to_owned()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Packages of a module's own sources, built in another way: what they name stands in the module.
const MIRRORS: [&str; 3] = ["authors-native", "onpage-native", "graphs"];

#[test]
fn every_dependency_of_a_package_is_named_in_its_sources() {
    let packages = packages(&["--no-deps"]);
    let folder = |package: &Value| Path::new(text(package, "manifest_path")).parent().expect("a folder").to_path_buf();
    let folders: Vec<PathBuf> = packages.iter().map(folder).collect();
    let mut unused = Vec::new();
    for package in packages.iter().filter(|it| !MIRRORS.contains(&text(it, "name"))) {
        let own = folder(package);
        let is_own =
            |path: &PathBuf| !folders.iter().any(|it| *it != own && it.starts_with(&own) && path.starts_with(it));
        let sources: String = files(&own, "rs")
            .iter()
            .filter(|path| is_own(path))
            .map(|path| std::fs::read_to_string(path).expect("UTF-8"))
            .collect();
        for dependency in package["dependencies"].as_array().expect("a list") {
            let name = dependency["rename"].as_str().unwrap_or_else(|| text(dependency, "name"));
            // Some are there for what they build in, not for what they offer: C libraries, and versions that are held.
            let is_held = text(dependency, "name").ends_with("-sys");
            if !is_held && !names(&sources, &name.replace('-', "_")) && !MIRRORS.contains(&name) {
                unused.push(format!("{}: {name}", text(package, "name")));
            }
        }
    }
    assert!(unused.is_empty(), "dependencies that nothing names: {unused:#?}");
}

/// Whether a source uses a crate: in a path, as a macro, or in a list of `use`.
fn names(sources: &str, name: &str) -> bool {
    sources.match_indices(name).any(|(at, _)| {
        let (before, after) = (&sources[..at], &sources[at + name.len()..]);
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '"');
        let imported = before.ends_with("use ") && after.starts_with([';', ' ']);
        begins && (after.starts_with("::") || after.starts_with("!(") || after.starts_with("! {") || imported)
    })
}

#[test]
fn every_crate_has_a_licence_and_a_version_that_are_let_in() {
    let rules: toml::Table =
        std::fs::read_to_string(root().join("deny.toml")).expect("the rules").parse().expect("TOML");
    let list = |section: &str, name: &str| rules[section][name].as_array().cloned().unwrap_or_default();
    let licences: Vec<String> =
        list("licenses", "allow").iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect();
    let is_let_in = |req: &LicenseReq| licences.contains(&req.to_string());
    let refused: Vec<(String, Option<semver::VersionReq>)> = list("bans", "deny")
        .iter()
        .map(|it| {
            let spelled = it["crate"].as_str().expect("a crate");
            let (name, versions) = spelled.split_once(':').map_or((spelled, None), |(name, rest)| (name, Some(rest)));
            (name.to_owned(), versions.map(|it| it.parse().expect("a range of versions")))
        })
        .collect();
    let mut wrong = Vec::new();
    let packages = packages(&["--filter-platform", &platform()]);
    assert!(packages.len() > 300 && refused.len() > 3 && licences.len() > 10);
    for package in packages.iter().filter(|it| !it["source"].is_null()) {
        let (name, version) = (text(package, "name"), text(package, "version"));
        let version: semver::Version = version.parse().expect("a version");
        let licence = Expression::parse_mode(text(package, "license"), ParseMode::LAX);
        if !licence.is_ok_and(|it| it.evaluate(is_let_in)) {
            wrong.push(format!("{name} {version}: licence {:?}", text(package, "license")));
        }
        let is_refused = |(banned, versions): &&(String, Option<semver::VersionReq>)| {
            banned == name && versions.as_ref().is_none_or(|it| it.matches(&version))
        };
        if refused.iter().any(|it| is_refused(&it)) {
            wrong.push(format!("{name} {version} is refused"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
