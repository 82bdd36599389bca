//! Modules in another language than Rust: built and sealed by the steps of `tests/tongues/README.md`, and shipped as a
//! server wants them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use catalog::lock::Lock;
use catalog::revision::Revision;
use catalog::trust::{Power, Signer, Trust};
use espalier::catalogs::Sources;
use tempfile::TempDir;

use crate::operator::operate;
use crate::{needs, signed};

/// The revision that they are shipped in.
const REVISION: &str = "2026-09-28";

/// The sources of a module of the tests, by its name.
///
/// # Panics
/// When there is none.
pub fn sources(name: &str) -> PathBuf {
    let folder = if name == "slugs" { "javascript" } else { name };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tongues").join(folder);
    assert!(path.is_dir(), "{} is not there", path.display());
    path
}

/// A folder with what the toolchain makes of each module: `<name>.raw.wasm`, and sealed `<name>.wasm`. Made once for a
/// process. None where the toolchain is missing, which was said then.
///
/// # Panics
/// When a module does not build.
pub fn built() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<TempDir>> = OnceLock::new();
    let Some(built) = BUILT.get_or_init(build) else {
        needs::skip(
            "componentize-qjs",
            "npm install componentize-qjs@0.4.5 and set ESPALIER_NODE_MODULES, as tests/tongues/README.md says",
        );
        return None;
    };
    Some(built.path())
}

#[expect(clippy::disallowed_methods, reason = "where the toolchain stands is the machine's business")]
fn build() -> Option<TempDir> {
    let tools = std::env::var("ESPALIER_NODE_MODULES").ok().map(PathBuf::from)?;
    if !tools.join("node_modules/.bin/componentize-qjs").exists() {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["slugs", "look"] {
        let from = sources(name);
        let (raw, out) = (folder.path().join(format!("{name}.raw.wasm")), folder.path().join(format!("{name}.wasm")));
        let mut script = Command::new(from.parent().expect("a folder").join("build.sh"));
        let made = script.arg(&from).arg(&raw).env("NODE_FOLDER", &tools).output().expect("the script starts");
        assert!(made.status.success(), "{name}: {}", String::from_utf8_lossy(&made.stderr));
        let contracts = from.join("contracts.json");
        let sealed = seal(&raw, &contracts, &["--without", "init", "--out", out.to_str().expect("UTF-8")]);
        assert_eq!(sealed, Ok(()), "{name}");
    }
    Some(folder)
}

/// `espalier module seal`; the words of its refusal.
///
/// # Errors
/// What it says.
///
/// # Panics
/// When it does not start.
pub fn seal(component: &Path, contracts: &Path, more: &[&str]) -> Result<(), String> {
    let data = tempfile::tempdir().expect("a folder");
    let (component, contracts) = (component.to_str().expect("UTF-8"), contracts.to_str().expect("UTF-8"));
    let arguments = [&["module", "seal", component, "--contracts", contracts], more].concat();
    let output = operate(data.path(), &arguments);
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Puts a sealed module into a folder as a server has it: with a revision that locks it, signed and approved. The lock
/// is what a reviewer would sign for this component, but for what `decide` changes.
///
/// # Panics
/// When it cannot be written.
pub fn ship(name: &str, component: &Path, folder: &Path, decide: impl FnOnce(&mut Lock)) -> Sources {
    let bytes = std::fs::read(component).expect("a component");
    std::fs::write(folder.join(format!("{name}.wasm")), &bytes).expect("a file");
    let shown = sandbox::inspect::inspect(&bytes).expect("a sealed component").built;
    let mut lock = Lock::of(&shown, None, |_| true);
    decide(&mut lock);
    let mut revision = Revision::draft(REVISION);
    revision.locks.insert(name.to_owned(), lock);
    revision.write(&folder.join("catalog")).expect("a catalog");
    signed::vouch(folder);
    let signs = vec![Power::Modules, Power::Revisions, Power::Approvals];
    let signer = Signer { name: "tests".to_owned(), key: signed::key().public(), signs, modules: Vec::new() };
    Sources::shipped(folder, Arc::new(Trust::new(vec![signer]).expect("a signer"))).expect("shipped")
}
