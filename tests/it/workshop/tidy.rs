//! Rules for the source itself: file sizes, first lines, layers, one portable SQL.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use catalog::revision::Revision;
use serde_json::{Value, json};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && !name.to_string_lossy().starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    ["host", "catalog", "modules", "tests"]
        .into_iter()
        .flat_map(|folder| files(&root().join(folder), "rs"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            (path.strip_prefix(root()).expect("inside").to_path_buf(), text)
        })
        .collect()
}

#[test]
fn no_file_is_longer_than_500_lines_and_each_says_first_what_it_is_for() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if text.lines().count() > 500 {
            wrong.push(format!("{}: {} lines", path.display(), text.lines().count()));
        }
        if !text.starts_with("//!") {
            wrong.push(format!("{}: the first line does not say what the file is", path.display()));
        }
        if text.starts_with("//! Kept here") {
            wrong.push(format!("{}: the first line begins with a stock phrase", path.display()));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if ["mod", "util", "utils", "helpers", "helper", "common", "manager"].contains(&name.as_str()) {
            wrong.push(format!("{}: a name that says nothing", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The packages that cargo knows of, with these arguments more.
pub(crate) fn packages(more: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(more)
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    serde_json::from_value(metadata["packages"].take()).expect("packages")
}

/// cargo leaves out link-time optimisation for a crate that is a library as well.
#[test]
fn a_module_is_a_component_and_nothing_else() {
    let modules = espalier::modules::names(&root()).expect("modules");
    let mut seen = 0;
    for package in packages(&["--no-deps"]).iter().filter(|it| modules.iter().any(|name| it["name"] == name.as_str())) {
        let targets = package["targets"].as_array().expect("targets");
        let library = targets.iter().find(|it| it["kind"] != json!(["test"])).expect("a library");
        assert_eq!(library["crate_types"], json!(["cdylib"]), "{}", package["name"]);
        seen += 1;
    }
    assert_eq!(seen, modules.len());
}

#[test]
fn the_layers_are_kept_by_the_manifests() {
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages(&["--no-deps"]) {
        let of_ours = package["dependencies"]
            .as_array()
            .expect("dependencies")
            .iter()
            .filter(|dependency| dependency["path"].is_string());
        let names = of_ours
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str());
        imports.insert(package["name"].as_str().expect("a name").to_owned(), names.map(str::to_owned).collect());
    }
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("model", &[][..]),
        ("store", &["model"]),
        ("catalog", &["model"]),
        // The host obeys robots.txt by the very code that modules explain it with.
        ("sandbox", &["model", "catalog", "store", "robots"]),
        ("service", &["model", "catalog", "store", "sandbox"]),
        ("web", &["model", "service"]),
        ("espalier", &["model", "store", "catalog", "sandbox", "service", "web", "demo", "simulators", "hostile"]),
        // What `prove` runs against the sandbox, and the sandbox's own tests.
        ("hostile", &["model", "catalog", "store", "sandbox"]),
        // The readers of what strangers send.
        ("fuzz", &["model", "catalog", "sandbox", "service"]),
        ("demo", &[]),
        ("simulators", &[]),
        ("sdk-macros", &[]),
        ("robots", &[]),
        ("charset", &[]),
        ("sdk", &["sdk-macros", "charset", "suffixes"]),
        ("kit", &["robots", "charset", "suffixes"]),
        // What several modules do at a customer's WordPress.
        ("wordpress", &["sdk", "kit", "site"]),
        // What both families of campaigns share.
        ("campaign", &["sdk", "kit"]),
        // What several modules read of websites and their crawls.
        ("site", &["sdk", "kit"]),
        ("feeds", &["kit", "charset"]),
    ]);
    for (name, imported) in &imports {
        if name == "tests" {
            continue;
        }
        let allowed = allowed.get(name.as_str()).copied().unwrap_or(&[
            "sdk",
            "kit",
            "wordpress",
            "campaign",
            "site",
            "search",
            "texts",
            "filter",
            "dataforseo",
            "serps",
            "files",
            "feeds",
            "bots",
            "addresses",
            "linkgraph",
            "visits",
            "rdap",
            "tone",
            "qr",
            "suffixes",
            "phones",
            "robots",
        ]);
        let beyond: Vec<_> = imported.iter().filter(|other| !allowed.contains(&other.as_str())).collect();
        assert!(beyond.is_empty(), "{name} may import {allowed:?}, not {beyond:?}");
    }
}

#[test]
fn only_one_room_names_each_material() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let inside = |room: &str| path.starts_with(format!("host/{room}"));
        let tests = path.starts_with("tests");
        for (material, room) in
            [("sqlx::", "store"), ("wasmtime::", "sandbox"), ("axum::", "web"), ("StatusCode", "web")]
        {
            let named =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).any(|line| line.contains(material));
            // The binary binds the listener that the router is served on.
            let serves = material == "axum::" && path.starts_with("host/espalier");
            if named && !inside(room) && !tests && !serves {
                wrong.push(format!("{}: {material} belongs to {room}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_crate_comes_from_one_registry_with_its_checksum() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock of dependencies");
    let lock: toml::Table = lock.parse().expect("it is TOML");
    let mut registries = BTreeSet::new();
    for package in lock["package"].as_array().expect("packages") {
        // A package of the workspace has no source.
        let Some(source) = package.get("source").and_then(toml::Value::as_str) else { continue };
        assert!(source.starts_with("registry+"), "{} comes from {source}", package["name"]);
        assert!(package.get("checksum").is_some(), "{} has no checksum", package["name"]);
        registries.insert(source.to_owned());
    }
    assert_eq!(registries.len(), 1, "{registries:?}");
}

#[test]
fn migrations_are_one_portable_set() {
    const FOREIGN: [&str; 9] =
        ["AUTOINCREMENT", "SERIAL", "TIMESTAMP", "JSONB", "BOOLEAN", "DATETIME(", "NOW()", "STRFTIME", "PRAGMA"];
    for path in files(&root().join("migrations"), "sql") {
        let text = std::fs::read_to_string(&path).expect("UTF-8").to_uppercase();
        let code: String =
            text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        for word in FOREIGN {
            assert!(!code.contains(word), "{}: {word} is not portable", path.display());
        }
    }
}

#[test]
fn every_revision_has_the_contracts_that_it_locks() {
    let catalog = root().join("catalog");
    for date in Revision::dates(&catalog).expect("revisions") {
        let revision = Revision::read(&catalog, &date).expect("a revision");
        for lock in revision.locks.values() {
            let contracts = catalog::contracts::read(&catalog.join(&date), lock).expect("the locked ones");
            assert!(contracts.is_some(), "{date}: `espalier catalog lock {date}` writes those of {}", lock.module);
        }
    }
}

#[test]
fn who_may_compute_long_has_the_time_for_it_on_a_busy_machine_too() {
    // Fuel that a core burns in a millisecond when it is shared with others.
    const SLOWLY: u64 = 400_000;
    let catalog = root().join("catalog");
    for date in Revision::dates(&catalog).expect("revisions") {
        let revision = Revision::read(&catalog, &date).expect("a revision");
        for (id, bounds) in
            revision.locks.values().flat_map(|lock| lock.operations.iter()).map(|(id, it)| (id, &it.limits))
        {
            if let (Some(fuel), Some(wall_ms)) = (bounds.fuel, bounds.wall_ms) {
                assert!(wall_ms * SLOWLY >= fuel, "{date}: {id} may burn {fuel} and has {wall_ms} ms for it");
            }
        }
    }
}

#[test]
fn nothing_is_left_unfinished_or_tied_to_a_machine() {
    // Spelled in parts, so that this file does not find itself.
    let words =
        [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["todo", "!("].concat(), ["unimplemented", "!("].concat()];
    for (path, text) in sources() {
        for word in &words {
            assert!(!text.contains(word.as_str()), "{}: {word}", path.display());
        }
    }
}

/// How the SDK calls an interface of the boundary, where that is not `cx.` and the interface's own name.
const CALLED: [(&str, &str); 7] = [
    ("catalog", ".if_served()"),
    ("records", "cx.records::<"),
    ("clock", "cx.now()"),
    ("random", "cx.random::<"),
    ("schedule", "cx.schedules()"),
    ("guarded-shares", "cx.shares().publish_guarded("),
    ("refunds", "cx.jobs().refund("),
];

#[test]
fn the_guide_for_authors_shows_every_interface_of_the_boundary_once() {
    let guide = std::fs::read_to_string(root().join("modules/README.md")).expect("a guide");
    let mut missing = Vec::new();
    for path in files(&root().join("wit/v1"), "wit") {
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        for name in text.lines().filter_map(|line| line.strip_prefix("interface ")?.split(' ').next()) {
            let base = name.trim_end_matches("-write");
            let call =
                CALLED.iter().find(|it| it.0 == base).map_or_else(|| format!("cx.{base}()"), |it| it.1.to_owned());
            if base != "types" && !guide.contains(&call) {
                missing.push(format!("{name}: no {call}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn calls_that_modules_name_are_operations_of_the_table() {
    let table = include_str!("../../../catalog/operations.tsv");
    let known: BTreeSet<&str> = table.lines().filter_map(|line| line.split('\t').next()).collect();
    let makers = ["Fix::new(", "Fix::on(", "Next::new(", ".supplied_by("];
    let mut named = 0;
    let mut wrong = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| path.starts_with("modules")) {
        for maker in makers {
            for (at, _) in text.match_indices(maker) {
                let rest = text[at + maker.len()..].trim_start();
                let Some((id, _)) = rest.strip_prefix('"').and_then(|it| it.split_once('"')) else { continue };
                named += 1;
                if !known.contains(id) && !path.starts_with("modules/lib/sdk") {
                    wrong.push(format!("{}: {id}", path.display()));
                }
            }
        }
    }
    assert!(named > 200, "the sources are not read: {named}");
    assert!(wrong.is_empty(), "no such operation: {wrong:#?}");
}
