//! What is shipped to a server: components with their locks, signed and approved.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use catalog::lock::Lock;
use catalog::revision::Revision;
use espalier::modules::{Built, Profile};
use tempfile::TempDir;

use crate::host::{compiled, sources, workspace};

/// Lets a data folder use the compiled components of earlier hosts; the key stands beside them.
///
/// # Panics
/// When it cannot be written.
pub fn share_compiled(data: &Path) {
    let shared = compiled();
    std::fs::create_dir_all(&shared).expect("a folder");
    let key = shared.join("artefacts.key");
    if !key.exists() {
        // Tests start hosts side by side; each writes a file of its own, and a rename is seen whole or not at all.
        let mut partial = tempfile::NamedTempFile::new_in(&shared).expect("a file");
        partial.write_all(&[7; 32]).expect("written");
        partial.persist(&key).expect("renamed");
    }
    std::fs::copy(&key, data.join("artefacts.key")).expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&shared, data.join("compiled")).expect("a link");
}

/// A data folder as a server has it before its first start: components, locks, signatures, and whom to believe.
///
/// # Panics
/// When it cannot be written.
pub fn shipped(data: &Path) -> PathBuf {
    let modules = data.join("modules");
    ship(&modules);
    share_compiled(data);
    std::fs::write(data.join("espalier.toml"), crate::signed::signer()).expect("a file");
    modules
}

/// A module of the tests, as a component.
///
/// # Panics
/// When it does not build.
pub fn guest(name: &str) -> Vec<u8> {
    let out = workspace().join("target/components/guests");
    let built = espalier::modules::build(&workspace(), &[name.to_owned()], Profile::Test, &out).expect("it builds");
    std::fs::read(&built[0].path).expect("a component")
}

/// A folder as [`shipped`] has it, with this component in every revision.
///
/// # Panics
/// When it cannot be written.
pub fn shipped_with(folder: &Path, name: &str, component: &[u8]) {
    ship(folder);
    ship_component(folder, name, component);
}

/// Adds a module of the tests to what [`ship`] put there. Its lock says what it asks for: nobody has to review it.
pub(crate) fn ship_guest(folder: &Path, name: &str) {
    ship_component(folder, name, &guest(name));
}

fn ship_component(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(folder.join(format!("{name}.wasm")), bytes).expect("a file");
    let shown = sandbox::inspect::inspect(bytes).expect("a component of ours").built;
    let catalog = folder.join("catalog");
    for date in Revision::dates(&catalog).expect("revisions") {
        let mut revision = Revision::read(&catalog, &date).expect("a revision");
        revision.locks.insert(name.to_owned(), Lock::of(&shown, None, |_| true));
        revision.write(&catalog).expect("a catalog");
    }
    crate::signed::vouch(folder);
}

/// What the locks of a shipped folder say of each component. Reading one takes a debug build a second.
fn digests() -> &'static BTreeMap<String, String> {
    static DIGESTS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    DIGESTS.get_or_init(|| {
        let of = |built: &Built| {
            let bytes = std::fs::read(&built.path).expect("a component");
            sandbox::inspect::inspect(&bytes).expect("a component").built.component
        };
        sources().built.iter().map(|built| (built.name.clone(), of(built))).collect()
    })
}

/// Puts components and locks where a server has them: the digests are those of these very bytes.
pub(crate) fn ship(folder: &Path) {
    copy(made().path(), folder);
}

/// What is shipped, made once: reviewing and signing take a debug build seconds.
fn made() -> &'static TempDir {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let sources = sources();
        for built in &sources.built {
            std::fs::copy(&built.path, folder.path().join(format!("{}.wasm", built.name))).expect("a file");
        }
        for date in Revision::dates(&sources.catalog).expect("revisions") {
            let mut revision = sources.revision(Some(&date)).expect("a revision");
            for (name, digest) in digests() {
                if let Some(lock) = revision.locks.get_mut(name) {
                    lock.component.clone_from(digest);
                }
            }
            revision.write(&folder.path().join("catalog")).expect("a catalog");
        }
        crate::signed::vouch(folder.path());
        folder
    })
}

/// Copies, and does not link: a test may change what it was given.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let there = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &there);
        } else {
            std::fs::copy(&path, &there).expect("a file");
        }
    }
}
