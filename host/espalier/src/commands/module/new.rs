//! `espalier module new`: a module that builds, tests and runs at once, to be changed into one's own.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::json;

use crate::commands::Say;
use crate::packages;

/// What a module's folder begins with: path, text, and where it belongs.
const FILES: [(&str, &str); 4] = [
    ("module.wit", include_str!("../../../templates/module/module.wit.txt")),
    ("README.md", include_str!("../../../templates/module/README.md.txt")),
    ("src/lib.rs", include_str!("../../../templates/module/lib.rs.txt")),
    ("src/tests.rs", include_str!("../../../templates/module/tests.rs.txt")),
];
const IN_WORKSPACE: &str = include_str!("../../../templates/module/Cargo.workspace.txt");
const ON_ITS_OWN: &str = include_str!("../../../templates/module/Cargo.own.txt");
/// How a crate becomes a component when it is linked: outside the workspace this is not inherited.
const LINKED: &str = include_str!("../../../../../.cargo/config.toml");

/// Names that a module cannot have, since crates of the workspace have them or paths of the interface do.
const TAKEN: [&str; 9] = ["sdk", "kit", "robots", "charset", "host", "model", "store", "test", "core"];

/// Words of Rust, which name no crate; those kept for later too.
const WORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Makes the folder. Without `at` it stands among the workspace's modules.
pub(super) fn run(workspace: &Path, name: &str, at: Option<&Path>, say: Say) -> anyhow::Result<()> {
    check(name)?;
    if at.is_none() && packages::all(workspace)?.iter().any(|it| it.name.replace('-', "_") == name) {
        bail!("{name} is the name of a package of this workspace already");
    }
    let folder = at.map_or_else(|| workspace.join("modules").join(name), Path::to_path_buf);
    if folder.exists() && folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is there already and is not empty", folder.display());
    }
    let sdk = workspace.join("modules/lib/sdk");
    let shown = shown(workspace, &folder);
    let fill = |text: &str| {
        let text = text.replace("{{module}}", name).replace("{{package}}", &name.replace('_', "-"));
        text.replace("{{folder}}", &shown).replace("{{sdk}}", &sdk.display().to_string())
    };
    let around: &[(&str, &str)] = match at {
        Some(_) => &[("Cargo.toml", ON_ITS_OWN), (".cargo/config.toml", LINKED)],
        None => &[("Cargo.toml", IN_WORKSPACE)],
    };
    for (path, text) in FILES.iter().chain(around) {
        let path = folder.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        std::fs::write(&path, fill(text)).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if at.is_some() {
        // It begins with the versions that were reviewed here; cargo leaves out of the list what it does not need.
        let (from, to) = (workspace.join("Cargo.lock"), folder.join("Cargo.lock"));
        std::fs::copy(&from, &to).with_context(|| format!("{} cannot be copied", from.display()))?;
    }
    let next = format!(
        "{shown} is a module with {name}.list and {name}.create. Next:\n\
         \x20 espalier module test {shown}\n\
         \x20 espalier module run {name}.list {shown}"
    );
    say.value(&json!({ "module": name, "folder": folder }), &next);
    Ok(())
}

fn check(name: &str) -> anyhow::Result<()> {
    let good = name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
        && !name.ends_with('_')
        && !name.contains("__")
        && name.len() <= 40;
    if !good {
        bail!("{name:?} is no name of a module: small letters, digits and single _ between them, at most 40");
    }
    if WORDS.contains(&name) {
        bail!("{name} is a word of Rust, and a module is a crate of its name; choose another name");
    }
    let of_catalog = catalog::table::operations().values().any(|row| row.module == name);
    if of_catalog {
        bail!("{name} is a module of the catalog, whose operations are in its table");
    }
    if TAKEN.contains(&name) {
        bail!("{name} is taken by a crate that modules are built with");
    }
    Ok(())
}

/// The folder as the workspace calls it, when it stands there.
fn shown(workspace: &Path, folder: &Path) -> String {
    let inside: Option<PathBuf> = folder.strip_prefix(workspace).ok().map(Path::to_path_buf);
    inside.unwrap_or_else(|| folder.to_path_buf()).display().to_string()
}
